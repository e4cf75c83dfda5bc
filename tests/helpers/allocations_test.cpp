#include "helpers/allocations.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

namespace {
std::atomic<std::size_t> count{0};
}

void* operator new(std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace treecca::testing {

std::size_t allocations() { return count.load(std::memory_order_relaxed); }

TEST(Allocations, AreCounted) {
  const std::size_t before = allocations();
  const auto number = std::make_unique<int>(3);
  EXPECT_EQ(allocations(), before + 1);
}

}  // namespace treecca::testing

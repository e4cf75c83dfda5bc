#include "helpers/allocations.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

namespace {
std::atomic<std::size_t> count{0};
}

// Sanitizers keep their own books of allocations: nothing is counted there.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TREECCA_COUNT_ALLOCATIONS
void* operator new(std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
#endif

namespace treecca::testing {

std::size_t allocations() { return count.load(std::memory_order_relaxed); }

TEST(Allocations, AreCounted) {
#ifndef TREECCA_COUNT_ALLOCATIONS
  GTEST_SKIP() << "a sanitizer counts for itself";
#endif
  const std::size_t before = allocations();
  const auto number = std::make_unique<int>(3);
  EXPECT_EQ(allocations(), before + 1);
}

}  // namespace treecca::testing

#include "support/aligned.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace treecca {
namespace {

template <class T>
void expect_aligned() {
  std::vector<AlignedVector<T>> vectors;  // several at a time: one alone may be aligned by chance
  for (std::size_t size = 1; size < 40; ++size) {
    AlignedVector<T>& values = vectors.emplace_back(size, T{7});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 64, 0U) << size;
    values.resize(3 * size, T{8});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 64, 0U) << size;
    EXPECT_EQ(values.front(), T{7});
    EXPECT_EQ(values.back(), T{8});
  }
}

TEST(AlignedVector, BeginsAtACacheLine) {
  expect_aligned<std::uint8_t>();
  expect_aligned<float>();
  expect_aligned<std::int64_t>();
}

}  // namespace
}  // namespace treecca

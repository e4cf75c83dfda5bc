// The row-wise kernels (src/trees/rows.kernels.cpp) of every instruction set, compared with plain loops. The arrays end
// where the kernels must end: sanitizers see a read or write behind them.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "helpers/random_data.hpp"
#include "trees/gradients.hpp"
#include "trees/kernels.hpp"
#include "trees/plain_kernels.hpp"

namespace treecca {
namespace {

constexpr Index kRows = 150;

/// Numbers of `width` components from the last columns of wider matrices, without their target for odd seeds.
struct Numbers {
  Numbers(Index width, unsigned seed)
      : current(testing::normal_matrix(kRows, width + 2, seed)),
        target(testing::normal_matrix(kRows, width + 1, seed + 1000)) {
    rows = {current.data() + 2, width + 2, target.data() + 1, width + 1, static_cast<int>(width)};
    if (seed % 2 == 1) rows.target = nullptr;
  }
  Matrix<float> current, target;
  GradientRows rows;
};

/// `n` rows, ascending; the last of all among them.
std::vector<RowIndex> some_rows(Index n, unsigned seed) {
  std::vector<RowIndex> all(kRows - 1);
  std::iota(all.begin(), all.end(), RowIndex{0});
  std::shuffle(all.begin(), all.end(), std::mt19937_64(seed));
  all.resize(static_cast<std::size_t>(std::max<Index>(0, n - 1)));
  std::sort(all.begin(), all.end());
  if (n > 0) all.push_back(kRows - 1);
  return all;
}

/// Calls use(kernels, numbers, rows) for every instruction set and many widths and numbers of rows.
template <class Use>
void for_each_case(Use&& use) {
  for (const InstructionSet set : available_instruction_sets()) {
    for (const Index width : {1, 2, 3, 4, 7, 8, 9, 12, 15, 16, 17, 50}) {
      for (const Index n : {0, 1, 2, 3, 4, 5, 9, 120}) {
        SCOPED_TRACE(::testing::Message() << name_of(set) << ", width " << width << ", " << n << " rows");
        const auto seed = static_cast<unsigned>(width + n);
        use(kernels(set), Numbers(width, seed), some_rows(n, seed));
      }
    }
  }
}

TEST(RowKernels, LargestDifferenceIsThePlainOne) {
  for_each_case([](const Kernels& use, const Numbers& numbers, const std::vector<RowIndex>& rows) {
    const auto n = static_cast<std::ptrdiff_t>(rows.size());
    float expected = 0;
    for (const RowIndex row : rows) {
      for (int k = 0; k < numbers.rows.width; ++k) {
        expected = std::max(expected, std::abs(testing::plain_difference(numbers.rows, row, k)));
      }
    }
    EXPECT_EQ(use.largest_difference(numbers.rows, rows.data(), n, nullptr), std::bit_cast<std::uint32_t>(expected));
    if (numbers.rows.width > 1) return;
    std::vector<float> differences(rows.size());
    EXPECT_EQ(use.largest_difference(numbers.rows, rows.data(), n, differences.data()),
              std::bit_cast<std::uint32_t>(expected));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(differences[i], testing::plain_difference(numbers.rows, rows[i], 0));
    }
  });
}

TEST(RowKernels, LargestDifferenceNoticesNumbersThatAreNotFinite) {
  const auto infinity = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());
  for (const InstructionSet set : available_instruction_sets()) {
    for (const Index width : {1, 3, 9, 17}) {
      const std::vector<RowIndex> rows = some_rows(5, 1);
      for (const float wrong : {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(),
                                -std::numeric_limits<float>::quiet_NaN()}) {
        Numbers numbers(width, 2);
        numbers.current(rows[2], width + 1) = wrong;
        EXPECT_GE(kernels(set).largest_difference(numbers.rows, rows.data(), 5, nullptr), infinity) << name_of(set);
        EXPECT_LT(kernels(set).largest_difference(numbers.rows, rows.data(), 2, nullptr), infinity) << name_of(set);
      }
    }
  }
}

TEST(RowKernels, ScalarEntriesAreRoundedGradientsAndCounts) {
  constexpr int kCountBits = 14;
  for_each_case([](const Kernels& use, const Numbers& numbers, const std::vector<RowIndex>& rows) {
    if (numbers.rows.width > 1) return;
    for (const double scale : {1.0, 12345.678, 3e8}) {
      std::vector<float> differences;
      std::vector<std::int64_t> expected, expected_by_row(kRows, -7);
      std::int64_t expected_total = 11;
      for (const RowIndex row : rows) {
        differences.push_back(testing::plain_difference(numbers.rows, row, 0));
        expected.push_back(std::llround(static_cast<double>(differences.back()) * scale) * (1 << kCountBits) + 1);
        expected_by_row[row] = expected.back();
        expected_total += expected.back();
      }
      std::vector<std::int64_t> ordered(rows.size()), by_row(kRows, -7);
      std::int64_t total = 11;
      use.pack_scalar(differences.data(), rows.data(), static_cast<std::ptrdiff_t>(rows.size()), scale, kCountBits,
                      by_row.data(), ordered.data(), &total);
      EXPECT_EQ(ordered, expected);
      EXPECT_EQ(by_row, expected_by_row);
      EXPECT_EQ(total, expected_total);
    }
  });
}

TEST(RowKernels, LaneEntriesAreRoundedGradientsAndCounts) {
  for_each_case([](const Kernels& use, const Numbers& numbers, const std::vector<RowIndex>& rows) {
    const int width = numbers.rows.width, lanes = padded_lanes(width);
    for (const double scale : {1.0, 123456.789}) {
      std::vector<std::int32_t> expected, expected_by_row(static_cast<std::size_t>(kRows * lanes), -7);
      std::vector<std::int32_t> expected_total(static_cast<std::size_t>(lanes), 11);
      for (const RowIndex row : rows) {
        for (int k = 0; k < lanes; ++k) {
          std::int32_t entry = k == width ? 1 : 0;
          if (k < width) {
            entry = static_cast<std::int32_t>(
                std::lround(static_cast<double>(testing::plain_difference(numbers.rows, row, k)) * scale));
          }
          expected.push_back(entry);
          expected_by_row[static_cast<std::size_t>(row) * lanes + k] = entry;
          expected_total[k] += entry;
        }
      }
      std::vector<std::int32_t> ordered(expected.size()), by_row(expected_by_row.size(), -7);
      std::vector<std::int32_t> total(static_cast<std::size_t>(lanes), 11);
      use.pack_lanes(numbers.rows, rows.data(), static_cast<std::ptrdiff_t>(rows.size()), scale, lanes, by_row.data(),
                     ordered.data(), total.data());
      EXPECT_EQ(ordered, expected);
      EXPECT_EQ(by_row, expected_by_row);
      EXPECT_EQ(total, expected_total);
    }
  });
}

/// A half goes away from zero, in every lane and in the remainder of a vector.
TEST(RowKernels, HalvesAreRoundedAwayFromZero) {
  for (const InstructionSet set : available_instruction_sets()) {
    Matrix<float> current(1, 11);
    std::vector<std::int32_t> expected;
    for (Index k = 0; k < 11; ++k) {
      current(0, k) = static_cast<float>(k - 5) + (k < 5 ? -0.5F : 0.5F);
      expected.push_back(static_cast<std::int32_t>(k < 5 ? k - 6 : k - 4));
    }
    expected.insert(expected.end(), {1, 0, 0, 0, 0});
    const RowIndex row = 0;
    std::vector<std::int32_t> by_row(16), ordered(16), total(16);
    kernels(set).pack_lanes({current.data(), 11, nullptr, 0, 11}, &row, 1, 1.0, 16, by_row.data(), ordered.data(),
                            total.data());
    EXPECT_EQ(ordered, expected) << name_of(set);
    std::vector<std::int64_t> scalar_by_row(1), scalar(1);
    for (Index k = 0; k < 11; ++k) {
      std::int64_t scalar_total = 0;
      kernels(set).pack_scalar(&current(0, k), &row, 1, 1.0, 12, scalar_by_row.data(), scalar.data(), &scalar_total);
      EXPECT_EQ(scalar[0], std::int64_t{expected[static_cast<std::size_t>(k)]} * 4096 + 1) << name_of(set);
    }
  }
}

TEST(RowKernels, RoundedSumsAreExact) {
  for_each_case([](const Kernels& use, const Numbers& numbers, const std::vector<RowIndex>& rows) {
    constexpr double kScale = 0x1.0p40 / 3;
    std::vector<double> sums(static_cast<std::size_t>(numbers.rows.width), 5), expected = sums;
    for (const RowIndex row : rows) {
      for (int k = 0; k < numbers.rows.width; ++k) {
        expected[k] += std::nearbyint(static_cast<double>(testing::plain_difference(numbers.rows, row, k)) * kScale);
      }
    }
    use.sum_rounded(numbers.rows, rows.data(), static_cast<std::ptrdiff_t>(rows.size()), kScale, sums.data());
    EXPECT_EQ(sums, expected);
  });
}

TEST(RowKernels, SketchesAreAddedUpInTheOrderOfTheComponents) {
  for_each_case([](const Kernels& use, const Numbers& numbers, const std::vector<RowIndex>& rows) {
    for (const int stride : {kSketchLanes, 2 * kSketchLanes}) {
      const Matrix<float> directions = testing::normal_matrix(numbers.rows.width, stride, 77);
      Matrix<float> out(kRows, stride, -7.0F), expected = out;
      for (const RowIndex row : rows) {
        for (Index j = 0; j < stride; ++j) {
          float sum = 0;
          for (int k = 0; k < numbers.rows.width; ++k) {
            const float product = testing::plain_difference(numbers.rows, row, k) * directions(k, j);
            sum += product;
          }
          expected(row, j) = sum;
        }
      }
      use.sketch(numbers.rows, directions.data(), stride, rows.data(), static_cast<std::ptrdiff_t>(rows.size()),
                 out.data());
      EXPECT_EQ(out, expected);
    }
  });
}

TEST(RowKernels, PartitionIsStable) {
  std::mt19937_64 random(1);
  for (const InstructionSet set : available_instruction_sets()) {
    for (const int n_bins : {1, 2, 16, 128, 255}) {
      std::vector<std::uint8_t> column;
      for (Index i = 0; i < kRows; ++i) column.push_back(static_cast<std::uint8_t>(random() % (n_bins + 1)));
      column[kRows - 1] = static_cast<std::uint8_t>(n_bins);
      for (const int bin : {0, n_bins / 2, n_bins - 1}) {
        for (const int missing : {-1, n_bins}) {
          for (Index n = 0; n <= 40; ++n) {
            std::vector<RowIndex> rows = some_rows(n, static_cast<unsigned>(random()));
            const auto goes_left = [&](RowIndex row) { return column[row] <= bin || int{column[row]} == missing; };
            std::vector<RowIndex> left, right;
            for (const RowIndex row : rows) (goes_left(row) ? left : right).push_back(row);
            std::vector<RowIndex> to_right(rows.size());
            const auto n_left = kernels(set).partition(column.data(), bin, missing, rows.data(), n, to_right.data());
            ASSERT_EQ(n_left, static_cast<std::ptrdiff_t>(left.size())) << name_of(set);
            rows.resize(left.size());
            to_right.resize(right.size());
            EXPECT_EQ(rows, left) << name_of(set);
            EXPECT_EQ(to_right, right) << name_of(set);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace treecca

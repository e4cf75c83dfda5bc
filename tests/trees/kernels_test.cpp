#include "trees/kernels.hpp"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

#include "trees/gradients.hpp"
#include "trees/plain_kernels.hpp"

namespace treecca {
namespace {

constexpr int kFeatures = kFeatureBlock;
constexpr int kCountBits = 12;

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> all;
  for (const InstructionSet set : available_instruction_sets()) all.push_back(&kernels(set));
  return all;
}

/// Rows in a node, their codes and their fixed-point gradients, for all widths of the tests.
struct Node {
  explicit Node(unsigned seed, int n_bins, bool with_missing) : codes(kFeatures) {
    std::mt19937_64 generator(seed);
    std::uniform_int_distribution<int> code(0, with_missing ? n_bins : n_bins - 1);
    std::uniform_int_distribution<int> gradient(-5000, 5000);
    for (auto& column : codes) {
      for (int i = 0; i < 2000; ++i) column.push_back(static_cast<std::uint8_t>(code(generator)));
    }
    for (RowIndex i = 0; i < 2000; i += 1 + static_cast<RowIndex>(generator() % 3)) rows.push_back(i);
    for (std::size_t i = 0; i < rows.size() * 64; ++i) gradients.push_back(gradient(generator));
  }
  std::vector<const std::uint8_t*> columns() const {
    std::vector<const std::uint8_t*> result;
    for (const auto& column : codes) result.push_back(column.data());
    return result;
  }

  std::vector<std::vector<std::uint8_t>> codes;
  std::vector<RowIndex> rows;
  std::vector<int> gradients;
};

template <class Cell>
struct Histograms {
  explicit Histograms(int entries) : cells(kFeatures, std::vector<Cell>(static_cast<std::size_t>(entries), 0)) {
    for (auto& feature : cells) pointers.push_back(feature.data());
  }
  std::vector<std::vector<Cell>> cells;
  std::vector<Cell*> pointers;
};

std::vector<std::int64_t> packed_gradients(const Node& node) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    result.push_back(std::int64_t{node.gradients[i]} * (1 << kCountBits) + 1);
  }
  return result;
}

std::vector<std::int32_t> lane_gradients(const Node& node, int width, int lanes) {
  std::vector<std::int32_t> result(node.rows.size() * static_cast<std::size_t>(lanes), 0);
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    for (int k = 0; k < width; ++k) result[i * lanes + k] = node.gradients[i * 64 + k];
    result[i * lanes + width] = 1;
  }
  return result;
}

void expect_same(const Split& got, const Split& expected, const char* where) {
  EXPECT_EQ(got.score, expected.score) << where;
  EXPECT_EQ(got.bin, expected.bin) << where;
  EXPECT_EQ(got.missing_left, expected.missing_left) << where;
}

/// `scan` with a floor gives the best split if its score is higher, else none.
template <class Scan>
void expect_floor_respected(const Split& expected, SplitInput input, const char* where, Scan&& scan) {
  if (expected.score < 0) return;
  for (const double factor : {0.0, 0.5, 1 - 1e-13}) {
    input.floor = factor * expected.score;
    expect_same(scan(input), expected, where);
  }
  for (const double factor : {1.0, 2.0}) {
    input.floor = factor * expected.score;
    expect_same(scan(input), {}, where);
  }
}

/// A node with so few rows that most bins are empty.
TEST(Kernels, ScansOfEmptyBinsEqualThePlainOnes) {
  std::mt19937_64 generator(5);
  for (int trial = 0; trial < 300; ++trial) {
    const int n_bins = 2 + static_cast<int>(generator() % 254);
    const int n_rows = 2 + static_cast<int>(generator() % 6);
    const int width = 1 + static_cast<int>(generator() % 12);
    const int lanes = padded_lanes(width);
    std::vector<std::vector<double>> entries(static_cast<std::size_t>(n_bins) + 1,
                                             std::vector<double>(static_cast<std::size_t>(width) + 1, 0.0));
    for (int i = 0; i < n_rows; ++i) {
      const bool missing = generator() % 4 == 0;
      std::vector<double>& entry = entries[missing ? static_cast<std::size_t>(n_bins) : generator() % n_bins];
      for (int k = 0; k < width; ++k) entry[k] += static_cast<double>(generator() % 7) - 3;
      entry[width] += 1;
    }
    std::vector<std::int64_t> packed, scalar_total(1, 0);
    std::vector<std::int32_t> cells(entries.size() * static_cast<std::size_t>(lanes), 0), total(lanes, 0);
    std::vector<std::vector<double>> first;
    for (std::size_t b = 0; b < entries.size(); ++b) {
      packed.push_back(static_cast<std::int64_t>(entries[b][0]) * (1 << kCountBits) +
                       static_cast<std::int64_t>(entries[b][width]));
      scalar_total[0] += packed.back();
      first.push_back({entries[b][0], entries[b][width]});
      for (int k = 0; k <= width; ++k) {
        cells[b * lanes + k] = static_cast<std::int32_t>(entries[b][k]);
        total[k] += cells[b * lanes + k];
      }
    }
    const SplitInput input{n_bins, 0.5, 1};
    for (const Kernels* use : all_kernels()) {
      expect_same(use->best_split_scalar(packed.data(), scalar_total[0], kCountBits, input),
                  testing::plain_best_split(first, 1, input), use->name);
      expect_same(use->best_split_lanes(cells.data(), total.data(), width, lanes, input),
                  testing::plain_best_split(entries, width, input), use->name);
    }
  }
}

TEST(Kernels, ScalarHistogramsAndScansEqualThePlainOnes) {
  for (const Kernels* use : all_kernels()) {
    for (const int n_bins : {2, 9, 16, 255}) {
      for (const bool with_missing : {false, true}) {
        const Node node(static_cast<unsigned>(n_bins), n_bins, with_missing);
        const std::vector<std::int64_t> gradients = packed_gradients(node);
        const auto n = static_cast<std::ptrdiff_t>(node.rows.size());
        Histograms<std::int64_t> got(n_bins + 1);
        Histograms<std::int64_t> expected(n_bins + 1);
        const int first = 1 + n_bins % kFeatures;  // all numbers of features take turns
        use->build_scalar(node.columns().data(), first, node.rows.data(), n, gradients.data(), got.pointers.data());
        if (first < kFeatures) {
          use->build_scalar(node.columns().data() + first, kFeatures - first, node.rows.data(), n, gradients.data(),
                            got.pointers.data() + first);
        }
        testing::plain_build_scalar(node.columns().data(), kFeatures, node.rows.data(), n, gradients.data(),
                                    expected.pointers.data());
        EXPECT_EQ(got.cells, expected.cells) << use->name;
        std::int64_t total = 0;
        for (const std::int64_t g : gradients) total += g;
        for (const double least : {1.0, 40.0, 5000.0}) {
          const SplitInput input{n_bins, 0.7, least};
          std::vector<std::vector<double>> entries;
          for (const std::int64_t cell : got.cells[0]) {
            entries.push_back(
                {static_cast<double>(cell >> kCountBits), static_cast<double>(cell & ((1 << kCountBits) - 1))});
          }
          const auto scan = [&](const SplitInput& with) {
            return use->best_split_scalar(got.cells[0].data(), total, kCountBits, with);
          };
          const Split expected_split = testing::plain_best_split(entries, 1, input);
          expect_same(scan(input), expected_split, use->name);
          expect_floor_respected(expected_split, input, use->name, scan);
        }
      }
    }
  }
}

TEST(Kernels, LaneHistogramsAndScansEqualThePlainOnes) {
  for (const Kernels* use : all_kernels()) {
    for (const int width : {1, 3, 4, 7, 8, 15, 16, 17, 33, 50}) {
      for (const bool with_missing : {false, true}) {
        const int n_bins = 37;
        const int lanes = static_cast<int>(padded_lanes(width));
        const Node node(static_cast<unsigned>(width), n_bins, with_missing);
        const std::vector<std::int32_t> gradients = lane_gradients(node, width, lanes);
        const auto n = static_cast<std::ptrdiff_t>(node.rows.size());
        Histograms<std::int32_t> got((n_bins + 1) * lanes);
        Histograms<std::int32_t> expected((n_bins + 1) * lanes);
        const int first = 1 + width % kFeatures;
        use->build_lanes(node.columns().data(), first, node.rows.data(), n, gradients.data(), lanes,
                         got.pointers.data());
        if (first < kFeatures) {
          use->build_lanes(node.columns().data() + first, kFeatures - first, node.rows.data(), n, gradients.data(),
                           lanes, got.pointers.data() + first);
        }
        testing::plain_build_lanes(node.columns().data(), kFeatures, node.rows.data(), n, gradients.data(), lanes,
                                   expected.pointers.data());
        EXPECT_EQ(got.cells, expected.cells) << use->name << " " << width;
        std::vector<std::int32_t> total(static_cast<std::size_t>(lanes), 0);
        for (std::size_t i = 0; i < gradients.size(); ++i) total[i % lanes] += gradients[i];
        const SplitInput input{n_bins, 1.0, 3};
        std::vector<std::vector<double>> entries;
        for (int b = 0; b <= n_bins; ++b) {
          const auto begin = got.cells[1].begin() + std::ptrdiff_t{b} * lanes;
          entries.emplace_back(begin, begin + width + 1);
        }
        const auto scan = [&](const SplitInput& with) {
          return use->best_split_lanes(got.cells[1].data(), total.data(), width, lanes, with);
        };
        const Split expected_split = testing::plain_best_split(entries, width, input);
        expect_same(scan(input), expected_split, use->name);
        expect_floor_respected(expected_split, input, use->name, scan);
      }
    }
  }
}

TEST(Kernels, GatherAndSubtractDoWhatTheySay) {
  for (const Kernels* use : all_kernels()) {
    for (const int lanes : {4, 8, 16, 24, 64}) {
      std::vector<std::int32_t> gradients(static_cast<std::size_t>(100 * lanes));
      for (std::size_t i = 0; i < gradients.size(); ++i)
        gradients[i] = static_cast<std::int32_t>(i * 7919 % 1000) - 500;
      const std::vector<RowIndex> rows{99, 3, 3, 0, 41};
      std::vector<std::int32_t> gathered(rows.size() * static_cast<std::size_t>(lanes));
      use->gather_lanes(rows.data(), 5, gradients.data(), lanes, gathered.data());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (int k = 0; k < lanes; ++k) EXPECT_EQ(gathered[i * lanes + k], gradients[rows[i] * lanes + k]);
      }
    }
    std::vector<std::int64_t> from{5, 7, 1LL << 50};
    const std::vector<std::int64_t> what{1, 9, 1};
    use->subtract_scalar(from.data(), what.data(), 3);
    EXPECT_EQ(from, (std::vector<std::int64_t>{4, -2, (1LL << 50) - 1}));
  }
}

}  // namespace
}  // namespace treecca

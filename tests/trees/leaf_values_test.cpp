#include "trees/leaf_values.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <numeric>

#include "helpers/allocations.hpp"
#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"
#include "treecca/error.hpp"
#include "trees/reference.hpp"
#include "trees/sketch.hpp"

namespace treecca {
namespace {

constexpr Index kWidth = 12;
constexpr GrowSettings kSettings{4, 3, 2.0, 0.3};

/// A tree whose splits come from 3 sums of 12 columns, weighted or not.
class LeafValuesTest : public ::testing::TestWithParam<bool> {
 protected:
  static constexpr Index kRows = 200;
  LeafValuesTest() {
    std::iota(features_.begin(), features_.end(), Index{0});
    for (Index j = 0; j < 4; ++j) entries_ += view_.n_bins(j) + 1;
    for (std::uint32_t i = 0; i < kRows; ++i) weight_.push_back((i * 7) % 33);  // some have none
    source_ = {&current_, &target_, 0, kWidth};
    if (GetParam()) {
      source_.weight = weight_.data();
      source_.units_per_weight = 16;
      units_ = std::accumulate(weight_.begin(), weight_.end(), Index{0});
    }
    std::iota(rows_.begin(), rows_.end(), RowIndex{0});
    sums_ = sketch_.apply(source_, random_directions(kWidth, 3, {1, Draw::gradient_sketch}), rows_, 1);
  }
  std::unique_ptr<Grower> grower(const Kernels& use = kernels()) const {
    return make_grower(true, 3, kRows, 4, entries_, kSettings.max_depth, units_, kRows, use);
  }

  const Matrix<float> x_ = testing::gridded_matrix(kRows, 4, 1, 0.1);
  const Matrix<float> current_ = testing::normal_matrix(kRows, kWidth, 2);
  const Matrix<float> target_ = testing::normal_matrix(kRows, kWidth, 3);
  const BinnedView view_{View{"x", x_}, 255, 1};
  std::vector<Index> features_ = std::vector<Index>(4);
  Index entries_ = 0;
  Index units_ = 0;
  std::vector<std::uint32_t> weight_;
  std::vector<RowIndex> rows_ = std::vector<RowIndex>(kRows);
  GradientSource source_;
  GradientSketch sketch_{kRows, 3};
  GradientSource sums_;
};

TEST_P(LeafValuesTest, SplitsAreThoseOfTheSketchAndValuesThoseOfAllComponents) {
  std::vector<Index> rows(kRows);
  std::iota(rows.begin(), rows.end(), Index{0});
  const Tree expected =
      testing::BruteForceGrower(view_, sums_, features_, kSettings, true, kRows, std::max(kRows, units_)).grow(rows);
  ASSERT_GT(expected.nodes.size(), 10U);
  std::vector<float> plain_values;
  for (const InstructionSet set : available_instruction_sets()) {
    const auto grown = grower(kernels(set));
    std::copy(rows_.begin(), rows_.end(), grown->rows().begin());
    grown->grow(view_, sums_, kRows, features_, kSettings, 1);
    LeafValues values(kWidth, 16, kRows, kernels(set));
    const Tree tree = to_tree(*grown, values.fit(*grown, kRows, source_, kSettings, 1), view_, -1);
    if (set == InstructionSet::baseline) plain_values = tree.leaf_values;
    EXPECT_EQ(tree.leaf_values, plain_values) << name_of(set);
    EXPECT_EQ(tree.nodes, expected.nodes) << name_of(set);
    // Every leaf by itself.
    std::vector<double> sum(tree.leaf_values.size(), 0.0);
    std::vector<double> count(tree.leaf_values.size() / kWidth, 0.0);
    for (const GrownNode& node : grown->nodes()) {
      if (node.feature >= 0) continue;
      for (Index i = node.begin; i < node.end; ++i) {
        const RowIndex row = grown->rows()[static_cast<std::size_t>(i)];
        const double weight = GetParam() ? weight_[row] / 16.0 : 1.0;
        count[static_cast<std::size_t>(node.leaf)] += weight;
        for (Index k = 0; k < kWidth; ++k) {
          sum[static_cast<std::size_t>(node.leaf * kWidth + k)] += weight * (current_(row, k) - target_(row, k));
        }
      }
    }
    for (std::size_t at = 0; at < sum.size(); ++at) {
      EXPECT_NEAR(tree.leaf_values[at], -0.3 * sum[at] / (count[at / kWidth] + 2.0), 1e-6);
    }
  }
}

TEST_P(LeafValuesTest, ThreadsAndProcessesDoNotChangeThem) {
  const auto fitted = [&](std::span<const RowIndex> rows, Threads threads, const Peers& peers) {
    const auto grown = grower();
    const auto n = static_cast<Index>(rows.size());
    std::copy(rows.begin(), rows.end(), grown->rows().begin());
    grown->grow(view_, sums_, n, features_, kSettings, threads, peers);
    LeafValues values(kWidth, 16, kRows);
    return to_tree(*grown, values.fit(*grown, n, source_, kSettings, threads, peers), view_, -1);
  };
  const Tree one = fitted(rows_, 1, {});
  EXPECT_EQ(fitted(rows_, 4, {}), one);
  testing::run_all_workers(3, [&](Communicator& communicator) {
    std::vector<RowIndex> own;
    for (const RowIndex row : rows_) {
      if (static_cast<int>(row % 5) % 3 == communicator.rank()) own.push_back(row);
    }
    EXPECT_EQ(fitted(own, 1, &communicator), one);
  });
}

INSTANTIATE_TEST_SUITE_P(Weights, LeafValuesTest, ::testing::Bool());

TEST(LeafValues, AllocateNothingAndRefuseWhatIsNotFinite) {
  const Matrix<float> x = testing::normal_matrix(2000, 3, 3);
  Matrix<float> gradient = testing::normal_matrix(2000, 5, 4);
  const BinnedView view(View{"x", x}, 63, 1);
  const std::vector<Index> features{0, 1, 2};
  const auto grown = make_grower(true, 5, 2000, 3, 3 * 64, 6);
  std::iota(grown->rows().begin(), grown->rows().end(), RowIndex{0});
  const GradientSource source{&gradient, nullptr, 0, 5};
  grown->grow(view, source, 2000, features, {6, 1, 1, 0.1}, 1);
  LeafValues values(5, 64, 2000);
  const std::size_t before = testing::allocations();
  const std::span<const float> own = values.fit(*grown, 2000, source, {6, 1, 1, 0.1}, 1);
  EXPECT_EQ(testing::allocations(), before);
  ASSERT_EQ(own.size(), grown->leaf_values().size());
  for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(own[i], grown->leaf_values()[i], 1e-5);
  gradient(7, 0) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(values.fit(*grown, 2000, source, {6, 1, 1, 0.1}, 1), Error);
  gradient = Matrix<float>(2000, 5, 0.0F);
  for (const float value : values.fit(*grown, 2000, source, {6, 1, 1, 0.1}, 1)) EXPECT_EQ(value, 0.0F);
}

}  // namespace
}  // namespace treecca

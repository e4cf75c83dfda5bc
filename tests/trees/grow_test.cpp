#include "trees/grow.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>
#include <string_view>

#include <numeric>
#include <ostream>
#include <tuple>

#include "helpers/allocations.hpp"
#include "helpers/random_data.hpp"
#include "treecca/error.hpp"
#include "trees/predict.hpp"
#include "trees/reference.hpp"

namespace treecca {
namespace {

struct Case {
  bool vector_leaves;
  Index width;
  double missing;
  double min_child_weight;
  Index max_depth;
};

void PrintTo(const Case& c, std::ostream* out) {  // the name of the test in reports
  *out << (c.vector_leaves ? "joint" : "scalar") << " K=" << c.width << " missing=" << c.missing
       << " min_child_weight=" << c.min_child_weight << " depth=" << c.max_depth;
}

std::vector<Index> all_features(const BinnedView& view) {
  std::vector<Index> features(static_cast<std::size_t>(view.features()));
  std::iota(features.begin(), features.end(), Index{0});
  return features;
}

Index entries_of(const BinnedView& view) {
  Index entries = 0;
  for (Index j = 0; j < view.features(); ++j) entries += view.n_bins(j) + 1;
  return entries;
}

std::unique_ptr<Grower> grower_for(const BinnedView& view, bool vector_leaves, Index width, Index max_depth,
                                   const Kernels& use = kernels(), Index max_units = 0) {
  auto grower =
      make_grower(vector_leaves, width, view.rows(), view.features(), entries_of(view), max_depth, max_units, 0, use);
  std::iota(grower->rows().begin(), grower->rows().end(), RowIndex{0});
  return grower;
}

class GrowAgainstBruteForce : public ::testing::TestWithParam<Case> {};

TEST_P(GrowAgainstBruteForce, SameSplitsAndLeaves) {
  const Case c = GetParam();
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Matrix<float> x = testing::gridded_matrix(60, 4, seed, c.missing);
    const Matrix<float> gradient = testing::normal_matrix(60, c.width, seed + 100);
    const BinnedView view(View{"x", x}, 255, 1);
    const GradientSource source{&gradient, nullptr, 0, c.width};
    const GrowSettings settings{c.max_depth, c.min_child_weight, 1.0, 0.3};
    const auto features = all_features(view);
    std::vector<Index> rows(60);
    std::iota(rows.begin(), rows.end(), Index{0});
    const Tree expected =
        testing::BruteForceGrower(view, source, features, settings, c.vector_leaves, 60, 60).grow(rows);
    EXPECT_GT(expected.nodes.size(), 1U);
    for (const InstructionSet set : available_instruction_sets()) {
      const auto grower = grower_for(view, c.vector_leaves, c.width, c.max_depth, kernels(set));
      grower->grow(view, source, 60, features, settings, 1);
      EXPECT_EQ(to_tree(*grower, view, -1), expected) << name_of(set) << " seed " << seed;
    }
  }
}

TEST_P(GrowAgainstBruteForce, SameSplitsAndLeavesOfWeightedRows) {
  const Case c = GetParam();
  constexpr double kUnitsPerWeight = 16;
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Matrix<float> x = testing::gridded_matrix(60, 4, seed, c.missing);
    const Matrix<float> gradient = testing::normal_matrix(60, c.width, seed + 100);
    std::vector<std::uint32_t> weight;
    for (std::uint32_t i = 0; i < 60; ++i) weight.push_back((i * 7 + seed) % 33);  // some have none
    const auto units = std::accumulate(weight.begin(), weight.end(), Index{0});
    const BinnedView view(View{"x", x}, 255, 1);
    const GradientSource source{&gradient, nullptr, 0, c.width, weight.data(), kUnitsPerWeight};
    const GrowSettings settings{c.max_depth, c.min_child_weight, 1.0, 0.3};
    const auto features = all_features(view);
    std::vector<Index> rows(60);
    std::iota(rows.begin(), rows.end(), Index{0});
    const Tree expected =
        testing::BruteForceGrower(view, source, features, settings, c.vector_leaves, 60, units).grow(rows);
    EXPECT_GT(expected.nodes.size(), 1U);
    const auto grower = grower_for(view, c.vector_leaves, c.width, c.max_depth, kernels(), units);
    grower->grow(view, source, 60, features, settings, 1);
    EXPECT_EQ(to_tree(*grower, view, -1), expected) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, GrowAgainstBruteForce,
                         ::testing::Values(Case{false, 1, 0.0, 1, 4}, Case{false, 1, 0.2, 1, 4},
                                           Case{false, 1, 0.2, 5, 3}, Case{true, 1, 0.2, 2, 4},
                                           Case{true, 3, 0.0, 1, 4}, Case{true, 3, 0.2, 4, 4}, Case{true, 7, 0.2, 1, 3},
                                           Case{true, 12, 0.2, 3, 3}, Case{true, 50, 0.1, 1, 3}));

TEST(Grow, ThreadsDoNotChangeTheTree) {
  const Matrix<float> x = testing::normal_matrix(5000, 23, 3);
  for (const bool vector_leaves : {false, true}) {
    const Index width = vector_leaves ? 5 : 1;
    const Matrix<float> gradient = testing::normal_matrix(5000, width, 4);
    const BinnedView view(View{"x", x}, 255, 2);
    const GradientSource source{&gradient, nullptr, 0, width};
    const auto features = all_features(view);
    Tree first;
    for (const int threads : {1, 2, 4}) {
      const auto grower = grower_for(view, vector_leaves, width, 6);
      grower->grow(view, source, 5000, features, {6, 5, 1, 0.1}, threads);
      const Tree tree = to_tree(*grower, view, -1);
      if (threads == 1) first = tree;
      EXPECT_EQ(tree, first);
    }
    EXPECT_GT(first.nodes.size(), 60U);
  }
}

TEST(Grow, AllocatesNothing) {
  const Matrix<float> x = testing::normal_matrix(2000, 10, 3);
  const BinnedView view(View{"x", x}, 255, 1);
  for (const bool vector_leaves : {false, true}) {
    const Index width = vector_leaves ? 3 : 1;
    const Matrix<float> gradient = testing::normal_matrix(2000, width, 4);
    const GradientSource source{&gradient, nullptr, 0, width};
    const auto features = all_features(view);
    const auto grower = grower_for(view, vector_leaves, width, 7);
    const std::size_t before = testing::allocations();
    grower->grow(view, source, 2000, features, {7, 1, 1, 0.1}, 1);
    EXPECT_EQ(testing::allocations(), before);
    EXPECT_GT(grower->nodes().size(), 100U);
  }
}

TEST(Grow, ZeroGradientsGiveASingleZeroLeaf) {
  const Matrix<float> x = testing::normal_matrix(50, 2, 3);
  const Matrix<float> gradient(50, 2, 0.0F);
  const BinnedView view(View{"x", x}, 255, 1);
  const auto grower = grower_for(view, true, 2, 4);
  grower->grow(view, {&gradient, nullptr, 0, 2}, 50, all_features(view), {4, 1, 1, 0.1}, 1);
  ASSERT_EQ(grower->nodes().size(), 1U);
  EXPECT_EQ(grower->leaf_values()[0], 0.0F);
  EXPECT_EQ(grower->leaf_values()[1], 0.0F);
}

TEST(Grow, AStumpOnOneFeatureIsTheClosedForm) {
  // Two clearly parted groups of 30 and 10 rows with gradients -1 and +3: leaves learning_rate * n * -g / (n + lambda).
  Matrix<float> x(40, 1);
  Matrix<float> gradient(40, 1);
  for (Index i = 0; i < 40; ++i) {
    x(i, 0) = i < 30 ? 0.0F : 1.0F;
    gradient(i, 0) = i < 30 ? -1.0F : 3.0F;
  }
  const BinnedView view(View{"x", x}, 255, 1);
  const auto grower = grower_for(view, false, 1, 3);
  grower->grow(view, {&gradient, nullptr, 0, 1}, 40, all_features(view), {3, 1, 2.0, 0.5}, 1);
  const Tree tree = to_tree(*grower, view, 0);
  ASSERT_EQ(tree.nodes.size(), 3U);
  EXPECT_FLOAT_EQ(tree.nodes[0].threshold, 0.5F);
  EXPECT_NEAR(tree.leaf_values[0], 0.5 * 30 / 32.0, 1e-6);
  EXPECT_NEAR(tree.leaf_values[1], -0.5 * 30 / 12.0, 1e-6);
}

TEST(Grow, NotFiniteGradientsAreAnError) {
  const Matrix<float> x = testing::normal_matrix(50, 2, 3);
  Matrix<float> gradient = testing::normal_matrix(50, 1, 4);
  gradient(7, 0) = std::numeric_limits<float>::quiet_NaN();
  const BinnedView view(View{"x", x}, 255, 1);
  const auto grower = grower_for(view, false, 1, 3);
  EXPECT_THROW(grower->grow(view, {&gradient, nullptr, 0, 1}, 50, all_features(view), {3, 1, 1, 0.1}, 1), Error);
}

/// Missing values and levels of a category included that no training row of a node has.
TEST(NumberLeaves, TrainingAndOtherRowsAreWhereTheTreeSendsThem) {
  for (const bool vector_leaves : {false, true}) {
    const Index width = vector_leaves ? 3 : 1;
    Matrix<float> x = testing::gridded_matrix(3000, 5, 9, 0.01);
    Levels levels(5);
    for (const Index j : {1, 3}) {
      for (int level = 0; level < 50; ++level) levels[static_cast<std::size_t>(j)].push_back(std::to_string(level));
      for (Index i = 0; i < 3000; ++i) {
        if (!std::isnan(x(i, j))) x(i, j) = static_cast<float>((i + j) * 7919 % 50);
      }
    }
    const Matrix<float> gradient = testing::normal_matrix(3000, width, 4);
    const BinnedView view(View{"x", x, {}, levels}, 255, 1);
    for (const Index depth : {3, 10}) {  // numbers of one and two bytes
      const auto grower = grower_for(view, vector_leaves, width, depth);
      std::stable_partition(grower->rows().begin(), grower->rows().end(), [](RowIndex i) { return i % 3 != 0; });
      grower->grow(view, {&gradient, nullptr, 0, width}, {2000, 1000}, all_features(view), {depth, 1, 1, 0.1}, 1);
      LeafNumbers numbers;
      number_leaves(*grower, 3000, numbers);
      const LeafNumbers walked(to_tree(*grower, view, -1), view);
      EXPECT_GT(walked.leaves(), depth == 3 ? 4 : 256);
      ASSERT_EQ(numbers.leaves(), walked.leaves());
      numbers.visit([&](const auto* got) {
        walked.visit([&](const auto* expected) {
          for (Index i = 0; i < 3000; ++i) ASSERT_EQ(Index{got[i]}, Index{expected[i]});
        });
      });
    }
  }
}

/// Four to five decimal digits: the error is at most half a unit of the fourth, and the text is short.
TEST(LeafValue, ShortLeavesHaveFewDigits) {
  const GrowSettings whole;
  const GrowSettings short_leaves{.short_leaves = true};
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 1000; ++i) {
    const double value = normal(random) * std::pow(10.0, static_cast<double>(i % 15) - 12);
    EXPECT_EQ(leaf_value(value, whole), static_cast<float>(value));
    const float kept = leaf_value(value, short_leaves);
    EXPECT_NEAR(kept, value, 5.01e-4 * std::abs(value)) << value;
    char text[32];  // the shortest that reads as the same number, as 1.2345e-05
    const auto [end, error] = std::to_chars(text, text + sizeof text, std::abs(kept), std::chars_format::scientific);
    EXPECT_LE(std::string_view(text, end).find('e'), 6U) << kept;
  }
  EXPECT_EQ(leaf_value(0.0, short_leaves), 0.0F);
  for (const double odd : {1e20, -1e30, 1e-30, 12345678.0}) {
    EXPECT_NEAR(leaf_value(odd, short_leaves), odd, 5.01e-4 * std::abs(odd));
  }
}

}  // namespace
}  // namespace treecca

#include "engines/native.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"
#include "trees/predict.hpp"
#include "trees/reference.hpp"
#include "trees/sketch.hpp"

namespace treecca {
namespace {

constexpr Index kRows = 300;
constexpr Index kComponents = 2;

Parameters quick(Trees trees) {
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = kComponents;
  parameters.trees = trees;
  parameters.min_child_weight = 5.0;
  parameters.colsample_bytree = 1.0;
  parameters.max_depth = 3;
  return parameters;
}

class NativeEngineFixture : public ::testing::Test {
 protected:
  NativeEngineFixture() {
    for (const Matrix<float>& table : tables_) bins_.emplace_back(View{"v", table}, 255, 1);
  }
  /// A few rounds towards fixed targets, all encoders at once.
  std::vector<EncoderState> boosted(const Parameters& parameters, const Folds& folds,
                                    const std::vector<Matrix<float>>& targets, Index rounds = 3, int threads = 1,
                                    const FeatureSets& kept = FeatureSets(2)) const {
    NativeEngine engine(bins_, parameters, folds, kept, threads);
    std::vector<EncoderState> encoders;
    for (Index v = 0; v < 2; ++v) {
      for (int f = 0; f < folds.count; ++f) {
        encoders.push_back({v, f, Matrix<float>(kRows, parameters.trained_components()), {}});
      }
    }
    for (Index round = 0; round < rounds; ++round) {
      std::vector<GrowJob> jobs;
      for (EncoderState& encoder : encoders) {
        jobs.push_back({&encoder, &encoder.embedding, &targets[static_cast<std::size_t>(encoder.view)]});
      }
      engine.boost(round, jobs);
    }
    return encoders;
  }
  static std::set<std::int32_t> features_of(const Encoder& trees) {
    std::set<std::int32_t> features;
    for (const Tree& tree : trees) {
      for (const Node& node : tree.nodes) {
        if (!node.is_leaf()) features.insert(node.feature);
      }
    }
    return features;
  }

  const std::vector<Matrix<float>> tables_{testing::gridded_matrix(kRows, 6, 1, 0.05),
                                           testing::normal_matrix(kRows, 4, 2)};
  const std::vector<Matrix<float>> targets_{testing::normal_matrix(kRows, kComponents, 3),
                                            testing::normal_matrix(kRows, kComponents, 4)};
  std::vector<BinnedView> bins_;
};

class NativeEngineTest : public NativeEngineFixture, public ::testing::WithParamInterface<Trees> {};

TEST_P(NativeEngineTest, EmbeddingsAreTheSumsOfTheTreesForAllRows) {
  const Folds folds = testing::folds_of(kRows, 3, 1);
  for (const EncoderState& encoder : boosted(quick(GetParam()), folds, targets_)) {
    EXPECT_EQ(encoder.trees.size(), GetParam() == Trees::joint ? 3U : 6U);
    const Matrix<float>& table = tables_[static_cast<std::size_t>(encoder.view)];
    EXPECT_EQ(encoder.embedding, embed_rows(Predictor({&encoder.trees, 1}, kComponents), table, kComponents, 1));
  }
}

TEST_P(NativeEngineTest, OneStumpIsTheBestSplitOfTheRowsInTraining) {
  Parameters parameters = quick(GetParam());
  parameters.max_depth = 1;
  parameters.reg_lambda = 2.0;
  parameters.learning_rate = 0.25;
  const Folds folds = testing::folds_of(kRows, 3, 1);
  const auto encoders = boosted(parameters, folds, targets_, 1);
  for (const EncoderState& encoder : encoders) {
    const Matrix<float>& target = targets_[static_cast<std::size_t>(encoder.view)];
    const Tree& tree = encoder.trees[0];
    ASSERT_EQ(tree.nodes.size(), 3U);
    // The leaves are shrunken means of the targets of the rows that reach them, held-out rows aside.
    std::vector<double> sums(2, 0.0);
    std::vector<double> counts(2, 0.0);
    std::vector<float> values(2, 0.0F);
    for (Index i = 0; i < kRows; ++i) {
      const float x = tables_[static_cast<std::size_t>(encoder.view)](i, tree.nodes[0].feature);
      const bool left = std::isnan(x) ? tree.nodes[0].default_left : x < tree.nodes[0].threshold;
      const std::size_t side = left ? 0 : 1;
      values[side] = encoder.embedding(i, 0);
      if (folds.of_row[static_cast<std::size_t>(i)] == encoder.fold) continue;
      sums[side] += target(i, 0);
      counts[side] += 1;
    }
    for (std::size_t side = 0; side < 2; ++side) {
      EXPECT_NEAR(values[side], 0.25 * sums[side] / (counts[side] + 2), 1e-4);
      EXPECT_EQ(tree.nodes[1 + side].cover, counts[side]);
    }
  }
}

TEST_P(NativeEngineTest, AnEncoderNeverLearnsFromItsFold) {
  const Folds folds = testing::folds_of(kRows, 3, 1);
  const auto before = boosted(quick(GetParam()), folds, targets_);
  for (int f = 0; f < 3; ++f) {
    auto changed = targets_;
    for (Index i = 0; i < kRows; ++i) {
      if (folds.of_row[static_cast<std::size_t>(i)] == f) changed[0](i, 1) = 100;
    }
    const auto after = boosted(quick(GetParam()), folds, changed);
    for (std::size_t e = 0; e < 6; ++e) {
      const bool may_change = before[e].view == 0 && before[e].fold != f;
      EXPECT_EQ(before[e].trees != after[e].trees, may_change) << f << ' ' << e;
    }
  }
}

TEST_P(NativeEngineTest, FeaturesAreDrawnAmongThoseThatAreKept) {
  const Folds folds = testing::folds_of(kRows, 3, 1);
  const FeatureSets kept({{{0, 2, 3, 5}, {1, 4}, {0, 1, 2}}, {}});
  const std::vector<EncoderState> all = boosted(quick(GetParam()), folds, targets_, 8, 1, kept);
  EXPECT_EQ(features_of(all[0].trees), (std::set<std::int32_t>{0, 2, 3, 5}));
  EXPECT_EQ(features_of(all[1].trees), (std::set<std::int32_t>{1, 4}));
  EXPECT_EQ(features_of(all[2].trees), (std::set<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(features_of(all[3].trees), (std::set<std::int32_t>{0, 1, 2, 3}));
  Parameters parameters = quick(GetParam());
  parameters.colsample_bytree = 0.5;
  const std::vector<EncoderState> half = boosted(parameters, folds, targets_, 12, 1, kept);
  std::set<std::set<std::int32_t>> draws;
  for (const Tree& tree : half[0].trees) {
    EXPECT_LE(features_of({tree}).size(), 2U);
    draws.insert(features_of({tree}));
  }
  EXPECT_GT(draws.size(), 2U);
  if (GetParam() == Trees::scalar) {  // every component draws for itself
    std::size_t most = 0;
    for (std::size_t t = 0; t + 1 < half[0].trees.size(); t += 2) {
      most = std::max(most, features_of({half[0].trees[t], half[0].trees[t + 1]}).size());
    }
    EXPECT_GT(most, 2U);
  }
  EXPECT_EQ(features_of(half[0].trees), (std::set<std::int32_t>{0, 2, 3, 5}));
}

TEST_P(NativeEngineTest, ThreadsDoNotMatter) {
  const Folds folds = testing::folds_of(kRows, 3, 1);
  Parameters parameters = quick(GetParam());
  parameters.subsample = 0.6;
  parameters.colsample_bytree = 0.6;
  const auto one = boosted(parameters, folds, targets_, 3, 1);
  for (const int threads : {2, 5, 40}) {
    const auto many = boosted(parameters, folds, targets_, 3, threads);
    for (std::size_t e = 0; e < 6; ++e) {
      EXPECT_EQ(one[e].trees, many[e].trees);
      EXPECT_EQ(one[e].embedding, many[e].embedding);
    }
  }
}

TEST_P(NativeEngineTest, RewindsToTheStateAfterARound) {
  const Folds folds = testing::folds_of(kRows, 3, 1);
  const Parameters parameters = quick(GetParam());
  const auto two = boosted(parameters, folds, targets_, 2);
  auto four = boosted(parameters, folds, targets_, 4);
  NativeEngine engine(bins_, parameters, folds, FeatureSets(2), 1);
  for (std::size_t e = 0; e < 6; ++e) {
    engine.rewind(four[e], 2, nullptr);
    EXPECT_EQ(four[e].trees, two[e].trees);
    EXPECT_EQ(four[e].embedding, two[e].embedding);
  }
  const Matrix<float> base(kRows, kComponents, 3.0F);
  engine.rewind(four[0], 0, &base);
  EXPECT_TRUE(four[0].trees.empty());
  EXPECT_EQ(four[0].embedding, base);
}

/// Rows without weight are as good as left out; the others weigh 1.5 each, as the mean is 1.
TEST_P(NativeEngineTest, WeightsCountInLeavesAndTheirMinimum) {
  std::vector<double> weights(kRows, 1.0);
  for (std::size_t i = 0; i < 100; ++i) weights[i] = 0;
  const Folds weighted = testing::folds_of(kRows, 0, 0, testing::with_weights(weights));
  std::vector<bool> left_out(kRows, false);
  std::fill_n(left_out.begin(), 100, true);
  const Folds without = make_folds(testing::kept_samples(Samples(kRows)), 0, 0, left_out);
  Parameters scaled = quick(GetParam());
  scaled.min_child_weight = 1.5 * scaled.min_child_weight.at(0);
  scaled.reg_lambda = 1.5 * scaled.reg_lambda.at(0);
  const auto a = boosted(scaled, weighted, targets_);
  const auto b = boosted(quick(GetParam()), without, targets_);
  for (std::size_t e = 0; e < 2; ++e) {
    for (std::size_t t = 0; t < a[e].trees.size(); ++t) {
      ASSERT_EQ(a[e].trees[t].nodes.size(), b[e].trees[t].nodes.size());
      for (std::size_t n = 0; n < a[e].trees[t].nodes.size(); ++n) {
        EXPECT_EQ(a[e].trees[t].nodes[n].feature, b[e].trees[t].nodes[n].feature);
        EXPECT_EQ(a[e].trees[t].nodes[n].threshold, b[e].trees[t].nodes[n].threshold);
        EXPECT_NEAR(a[e].trees[t].nodes[n].cover, 1.5 * b[e].trees[t].nodes[n].cover, 1e-3);
      }
      ASSERT_EQ(a[e].trees[t].leaf_values.size(), b[e].trees[t].leaf_values.size());
      for (std::size_t l = 0; l < a[e].trees[t].leaf_values.size(); ++l) {
        EXPECT_NEAR(a[e].trees[t].leaf_values[l], b[e].trees[t].leaf_values[l], 1e-5);
      }
    }
  }
}

// --- Splits on a sketch of the gradients.

class SketchedEngineTest : public NativeEngineFixture {
 protected:
  static constexpr Index kWide = 9;
  static Parameters sketched(Index size) {
    Parameters parameters = quick(Trees::joint);
    parameters.n_components = 6;
    parameters.n_oversamples = 3;
    parameters.sketch = size;
    return parameters;
  }
  const std::vector<Matrix<float>> wide_{testing::normal_matrix(kRows, kWide, 5),
                                         testing::normal_matrix(kRows, kWide, 6)};
};

TEST_F(SketchedEngineTest, ATreeHasTheSplitsOfTheSketchAndTheLeavesOfAllComponents) {
  const Folds folds = testing::folds_of(kRows);
  const Parameters parameters = sketched(4);
  const std::vector<EncoderState> encoders = boosted(parameters, folds, wide_, 2);
  for (const EncoderState& encoder : encoders) {
    const auto v = static_cast<std::size_t>(encoder.view);
    Matrix<float> z(kRows, kWide);
    std::vector<Tree> references;
    for (std::uint64_t round = 0; round < 2; ++round) {
      const Matrix<float> directions =
          random_directions(kWide, 4, {0, Draw::gradient_sketch, {round, static_cast<std::uint64_t>(encoder.view), 0}});
      Matrix<float> sums(kRows, 4);
      for (Index i = 0; i < kRows; ++i) {
        for (Index j = 0; j < 4; ++j) {
          for (Index k = 0; k < kWide; ++k) sums(i, j) += (z(i, k) - wide_[v](i, k)) * directions(k, j);
        }
      }
      const GradientSource source{&sums, nullptr, 0, 4};
      std::vector<Index> features(static_cast<std::size_t>(bins_[v].features()));
      std::vector<Index> rows(kRows);
      std::iota(features.begin(), features.end(), Index{0});
      std::iota(rows.begin(), rows.end(), Index{0});
      const Tree reference =
          testing::BruteForceGrower(bins_[v], source, features, {3, 5, 1, 0.1}, true, kRows, kRows).grow(rows);
      const Tree& tree = encoder.trees[round];
      EXPECT_EQ(tree.nodes, reference.nodes);
      ASSERT_EQ(tree.leaf_values.size() / kWide, reference.leaf_values.size() / 4);
      // Leaf values, by the rows that the tree itself sends there.
      Tree numbered = tree;
      numbered.component = 0;
      numbered.leaf_values.resize(tree.leaf_values.size() / kWide);
      std::iota(numbered.leaf_values.begin(), numbered.leaf_values.end(), 0.0F);
      Matrix<float> leaf(kRows, 1);
      add_tree(numbered, bins_[v], leaf);
      std::vector<double> total(tree.leaf_values.size(), 0.0);
      std::vector<double> count(numbered.leaf_values.size(), 0.0);
      for (Index i = 0; i < kRows; ++i) {
        const auto at = static_cast<std::size_t>(leaf(i, 0));
        count[at] += 1;
        for (Index k = 0; k < kWide; ++k) total[at * kWide + static_cast<std::size_t>(k)] += wide_[v](i, k) - z(i, k);
      }
      for (std::size_t at = 0; at < total.size(); ++at) {
        EXPECT_NEAR(tree.leaf_values[at], 0.1 * total[at] / (count[at / kWide] + 1), 1e-6);
      }
      add_tree(tree, bins_[v], z);
    }
    EXPECT_EQ(encoder.embedding, z);
  }
}

TEST_F(SketchedEngineTest, ASketchOfAllComponentsIsNone) {
  const Folds folds = testing::folds_of(kRows, 3, 1);
  const auto all = boosted(sketched(0), folds, wide_);
  for (const Index size : {kWide, Index{20}}) {
    const auto same = boosted(sketched(size), folds, wide_);
    for (std::size_t e = 0; e < 6; ++e) {
      EXPECT_EQ(same[e].trees, all[e].trees);
      EXPECT_EQ(same[e].embedding, all[e].embedding);
    }
  }
  EXPECT_NE(boosted(sketched(8), folds, wide_)[0].trees, all[0].trees);
}

TEST_F(SketchedEngineTest, ThreadsDoNotMatter) {
  std::vector<double> weights;
  for (Index i = 0; i < kRows; ++i) weights.push_back(static_cast<double>(i % 5));
  const Folds folds = testing::folds_of(kRows, 3, 1, testing::with_weights(weights));
  Parameters parameters = sketched(7);
  parameters.subsample = 0.6;
  parameters.colsample_bytree = 0.6;
  const auto one = boosted(parameters, folds, wide_, 3, 1);
  for (const int threads : {2, 4, 40}) {
    const auto many = boosted(parameters, folds, wide_, 3, threads);
    for (std::size_t e = 0; e < 6; ++e) {
      EXPECT_EQ(one[e].trees, many[e].trees);
      EXPECT_EQ(one[e].embedding, many[e].embedding);
    }
  }
}

TEST_F(SketchedEngineTest, AnEncoderNeverLearnsFromItsFold) {
  const Folds folds = testing::folds_of(kRows, 3, 1);
  const auto before = boosted(sketched(4), folds, wide_);
  auto changed = wide_;
  for (Index i = 0; i < kRows; ++i) {
    if (folds.of_row[static_cast<std::size_t>(i)] == 1) changed[0](i, 8) = 100;
  }
  const auto after = boosted(sketched(4), folds, changed);
  for (std::size_t e = 0; e < 6; ++e) {
    EXPECT_EQ(before[e].trees != after[e].trees, before[e].view == 0 && before[e].fold != 1) << e;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, NativeEngineTest, ::testing::Values(Trees::joint, Trees::scalar));

}  // namespace
}  // namespace treecca

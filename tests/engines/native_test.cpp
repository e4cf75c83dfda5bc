#include "engines/native.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "helpers/folds.hpp"
#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

constexpr Index kRows = 300;
constexpr Index kComponents = 2;

Parameters quick(Trees trees) {
  Parameters parameters;
  parameters.n_components = kComponents;
  parameters.trees = trees;
  parameters.min_child_weight = 5.0;
  parameters.colsample_bytree = 1.0;
  parameters.max_depth = 3;
  return parameters;
}

class NativeEngineTest : public ::testing::TestWithParam<Trees> {
 protected:
  NativeEngineTest() {
    for (const Matrix<float>& table : tables_) bins_.emplace_back(View{"v", table}, 255, 1);
  }
  /// A few rounds towards fixed targets, all encoders at once.
  std::vector<EncoderState> boosted(const Parameters& parameters, const Folds& folds,
                                    const std::vector<Matrix<float>>& targets, Index rounds = 3, int threads = 1,
                                    const FeatureSets& kept = FeatureSets(2)) const {
    NativeEngine engine(bins_, parameters, folds, kept, threads);
    std::vector<EncoderState> encoders;
    for (Index v = 0; v < 2; ++v) {
      for (int f = 0; f < folds.count; ++f) encoders.push_back({v, f, Matrix<float>(kRows, kComponents), {}});
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

INSTANTIATE_TEST_SUITE_P(Kinds, NativeEngineTest, ::testing::Values(Trees::joint, Trees::scalar));

}  // namespace
}  // namespace treecca

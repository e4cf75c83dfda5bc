#include "train/leaf_sweeps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engines/native.hpp"
#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

constexpr Index kRows = 240;

struct Case {
  Trees trees;
  Index width;
  bool weighted;
  bool base;
};

/// Two views with encoders of three folds, a few rounds old; every eighth row is left out of all folds.
class LeafSweepsTest : public ::testing::TestWithParam<Case> {
 protected:
  LeafSweepsTest() {
    std::vector<double> weights;
    for (Index i = 0; i < kRows; ++i) weights.push_back(GetParam().weighted ? 0.2 + static_cast<double>(i % 7) : 1.0);
    samples_ = Samples(kRows, GetParam().weighted ? testing::with_weights(weights) : SampleOptions{});
    std::vector<bool> left_out(kRows, false);
    for (std::size_t i = 0; i < left_out.size(); i += 8) left_out[i] = true;
    folds_ = make_folds(samples_, 3, 1, left_out);
    for (unsigned v = 0; v < 2; ++v) {
      tables_.push_back(testing::gridded_matrix(kRows, 5, v, 0.1));
      bins_.emplace_back(View{"v", tables_.back()}, 255, 1);
      targets_.push_back(testing::normal_matrix(kRows, GetParam().width, 10 + v));
      bases_.push_back(testing::normal_matrix(kRows, GetParam().width, 20 + v));
    }
    parameters_.n_components = GetParam().width;
    parameters_.trees = GetParam().trees;
    parameters_.min_child_weight = 3.0;
    parameters_.colsample_bytree = 0.6;
    parameters_.subsample = 0.7;
  }
  std::vector<EncoderState> grown(Index rounds = 4) const {
    NativeEngine engine(bins_, parameters_, folds_, FeatureSets(2), 1);
    std::vector<EncoderState> encoders;
    for (Index v = 0; v < 2; ++v) {
      const Matrix<float> start =
          GetParam().base ? bases_[static_cast<std::size_t>(v)] : Matrix<float>(kRows, GetParam().width);
      for (int f = 0; f < 3; ++f) encoders.push_back({v, f, start, {}});
    }
    for (Index round = 0; round < rounds; ++round) {
      std::vector<GrowJob> jobs;
      for (EncoderState& encoder : encoders) {
        jobs.push_back({&encoder, &encoder.embedding, &targets_[static_cast<std::size_t>(encoder.view)]});
      }
      engine.boost(round, jobs);
    }
    return encoders;
  }
  LeafSweeps sweeps_of(std::vector<EncoderState>& encoders, Threads threads = 1) const {
    std::vector<LeafSweeps::Swept> swept;
    for (EncoderState& state : encoders) {
      const auto view = static_cast<std::size_t>(state.view);
      swept.push_back({&state, &bins_[view], GetParam().base ? &bases_[view] : nullptr});
    }
    return {std::move(swept), folds_, 7, threads};
  }
  std::vector<EncoderState> swept(const std::vector<Matrix<float>>& targets, Index sweeps = 1,
                                  Threads threads = 1) const {
    std::vector<EncoderState> encoders = grown();
    LeafSweeps all = sweeps_of(encoders, threads);
    for (Index s = 0; s < sweeps; ++s) all.sweep(s, std::vector<const Matrix<float>*>{&targets[0], &targets[1]});
    return encoders;
  }
  double weight(Index row) const {
    return samples_.weights().empty() ? 1.0 : samples_.weights()[static_cast<std::size_t>(row)];
  }

  Samples samples_;
  Folds folds_;
  std::vector<Matrix<float>> tables_;
  std::vector<BinnedView> bins_;
  std::vector<Matrix<float>> targets_;
  std::vector<Matrix<float>> bases_;
  Parameters parameters_ = testing::plain_parameters();
};

std::size_t leaf_of(const Tree& tree, const float* x) {
  std::int32_t at = 0;
  while (!tree.nodes[at].is_leaf()) {
    const Node& node = tree.nodes[at];
    const float value = x[node.feature];
    at = (std::isnan(value) ? node.default_left : value < node.threshold) ? node.left : node.right;
  }
  return static_cast<std::size_t>(tree.nodes[at].leaf);
}

TEST_P(LeafSweepsTest, OneSweepIsThePlainLoop) {
  const std::vector<EncoderState> real = swept(targets_);
  std::vector<EncoderState> plain = grown();
  for (std::size_t e = 0; e < plain.size(); ++e) {
    EncoderState& state = plain[e];
    const Matrix<float>& table = tables_[static_cast<std::size_t>(state.view)];
    const Matrix<float>& target = targets_[static_cast<std::size_t>(state.view)];
    const RandomKey key(7, Draw::leaf_sweep,
                        {0, static_cast<std::uint64_t>(state.view), static_cast<std::uint64_t>(state.fold)});
    std::vector<std::size_t> order(state.trees.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key.bits(a) < key.bits(b); });
    for (const std::size_t t : order) {
      Tree& tree = state.trees[t];
      const Index first = std::max(0, tree.component);
      const auto width = static_cast<std::size_t>(tree.component < 0 ? GetParam().width : 1);
      std::vector<double> sums(tree.leaf_values.size(), 0.0);
      std::vector<double> counts(sums.size() / width, 0.0);
      for (Index i = 0; i < kRows; ++i) {
        if (!folds_.trains_on(state.fold, i)) continue;
        const std::size_t leaf = leaf_of(tree, table.row(i));
        counts[leaf] += weight(i);
        for (std::size_t c = 0; c < width; ++c) {
          const Index column = first + static_cast<Index>(c);
          sums[leaf * width + c] += weight(i) * (target(i, column) - state.embedding(i, column));
        }
      }
      for (std::size_t at = 0; at < sums.size(); ++at) sums[at] *= 0.1 / (counts[at / width] + 50);
      for (Index i = 0; i < kRows; ++i) {
        for (std::size_t c = 0; c < width; ++c) {
          const std::size_t leaf = leaf_of(tree, table.row(i));
          state.embedding(i, first + static_cast<Index>(c)) += static_cast<float>(sums[leaf * width + c]);
        }
      }
      for (std::size_t at = 0; at < sums.size(); ++at) tree.leaf_values[at] += static_cast<float>(sums[at]);
    }
    bool moved = false;
    for (std::size_t t = 0; t < state.trees.size(); ++t) {
      EXPECT_EQ(real[e].trees[t].nodes, state.trees[t].nodes);
      for (std::size_t at = 0; at < state.trees[t].leaf_values.size(); ++at) {
        ASSERT_NEAR(real[e].trees[t].leaf_values[at], state.trees[t].leaf_values[at], 2e-6);
      }
      moved |= real[e].trees[t].leaf_values != grown()[e].trees[t].leaf_values;
    }
    EXPECT_TRUE(moved);
    for (std::size_t i = 0; i < state.embedding.values().size(); ++i) {
      ASSERT_NEAR(real[e].embedding.values()[i], state.embedding.values()[i], 2e-5);
    }
  }
}

/// Bit for bit, for all rows: also for those of the encoder's fold and those left out.
TEST_P(LeafSweepsTest, EmbeddingsArePredictionsOfTheRefittedTrees) {
  for (const EncoderState& state : swept(targets_, 3)) {
    const auto view = static_cast<std::size_t>(state.view);
    Matrix<float> expected = GetParam().base ? bases_[view] : Matrix<float>(kRows, GetParam().width);
    for (const Tree& tree : state.trees) add_tree(tree, bins_[view], expected);
    EXPECT_EQ(state.embedding, expected);
    if (GetParam().base) continue;
    const Predictor predictor({&state.trees, 1}, GetParam().width);
    EXPECT_EQ(state.embedding, embed_rows(predictor, tables_[view], GetParam().width, 1));
  }
}

TEST_P(LeafSweepsTest, RowsThatAnEncoderMustNotSeeDoNotCount) {
  const std::vector<EncoderState> before = swept(targets_);
  for (const int fold : {-1, 0, 2}) {
    std::vector<Matrix<float>> targets = targets_;
    for (Index i = 0; i < kRows; ++i) {
      if (folds_.of_row[static_cast<std::size_t>(i)] == fold) targets[0](i, 0) = 1e6F;
    }
    const std::vector<EncoderState> after = swept(targets);
    for (std::size_t e = 0; e < before.size(); ++e) {
      const bool may_change = fold >= 0 && before[e].view == 0 && before[e].fold != fold;
      EXPECT_EQ(before[e].trees != after[e].trees, may_change) << fold << ' ' << e;
    }
  }
}

TEST_P(LeafSweepsTest, ThreadsDoNotMatter) {
  const std::vector<EncoderState> one = swept(targets_, 2, 1);
  const std::vector<EncoderState> four = swept(targets_, 2, 4);
  for (std::size_t e = 0; e < one.size(); ++e) {
    EXPECT_EQ(one[e].trees, four[e].trees);
    EXPECT_EQ(one[e].embedding, four[e].embedding);
  }
}

TEST_P(LeafSweepsTest, GoesBackToAStateAndOrdersDifferBySweep) {
  std::vector<EncoderState> encoders = grown();
  LeafSweeps sweeps = sweeps_of(encoders);
  const std::vector<const Matrix<float>*> targets{&targets_[0], &targets_[1]};
  sweeps.sweep(0, targets);
  const LeafSweeps::State state = sweeps.state();
  const std::vector<EncoderState> once = encoders;
  sweeps.sweep(1, targets);
  EXPECT_NE(encoders[0].trees, once[0].trees);
  const std::vector<EncoderState> second = encoders;
  sweeps.restore(state);
  for (std::size_t e = 0; e < once.size(); ++e) {
    EXPECT_EQ(encoders[e].trees, once[e].trees);
    EXPECT_EQ(encoders[e].embedding, once[e].embedding);
  }
  sweeps.sweep(2, targets);
  EXPECT_FALSE(std::equal(encoders.begin(), encoders.end(), second.begin(),
                          [](const EncoderState& a, const EncoderState& b) { return a.trees == b.trees; }));
}

INSTANTIATE_TEST_SUITE_P(Kinds, LeafSweepsTest,
                         ::testing::Values(Case{Trees::joint, 2, false, false}, Case{Trees::joint, 21, true, false},
                                           Case{Trees::joint, 18, false, true}, Case{Trees::joint, 1, true, true},
                                           Case{Trees::scalar, 3, true, true}, Case{Trees::scalar, 2, false, false}));

}  // namespace
}  // namespace treecca

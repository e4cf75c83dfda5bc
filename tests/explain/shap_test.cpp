#include "treecca/shap.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "helpers/random_data.hpp"
#include "helpers/random_model.hpp"
#include "treecca/error.hpp"
#include "treecca/transform.hpp"

namespace treecca {
namespace {

using Numbers = std::vector<double>;
using testing_helpers::ModelMaker;
using testing_helpers::ModelShape;
using testing_helpers::random_model;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// Rows as in the data of a random model, some values missing.
Matrix<float> rows_for(const Model& model, Index n, unsigned seed) {
  const auto p = static_cast<Index>(model.views[0].feature_names.size());
  Matrix<float> rows = testing::normal_matrix(n, p, seed);
  for (Index j = 0; j < p && !model.views[0].levels.empty(); ++j) {
    const auto levels = static_cast<float>(model.views[0].levels[static_cast<std::size_t>(j)].size());
    for (Index i = 0; i < n && levels > 0; ++i) {
      rows(i, j) = std::min(levels - 1, std::floor(std::abs(rows(i, j)) * levels / 2));
    }
  }
  for (std::size_t i = 3; i < rows.values().size(); i += 7) rows.values()[i] = kMissing;
  return rows;
}

/// The mean of a tree for a row of which the features in `set` (bits) are known: splits on the others go both ways,
/// weighted by cover. Numbers of the leaf `at` or below are added to z.
void add_tree_mean(const Tree& tree, std::int32_t at, const float* x, unsigned set, double weight, Index width,
                   Numbers& z) {
  const Node& node = tree.nodes[at];
  if (node.is_leaf()) {
    for (Index l = 0; l < width; ++l) {
      z[std::max(0, tree.component) + l] += weight * tree.leaf_values[node.leaf * width + l];
    }
  } else if (((set >> node.feature) & 1U) != 0) {
    const float value = x[node.feature];
    const bool left = std::isnan(value)    ? node.default_left
                      : node.level_set < 0 ? value < node.threshold
                                           : tree.level_sets[node.level_set].contains(static_cast<std::size_t>(value));
    add_tree_mean(tree, left ? node.left : node.right, x, set, weight, width, z);
  } else {
    const double left = tree.nodes[node.left].cover;
    const double right = tree.nodes[node.right].cover;
    const double fraction = left + right > 0 ? left / (left + right) : 0.5;
    add_tree_mean(tree, node.left, x, set, weight * fraction, width, z);
    add_tree_mean(tree, node.right, x, set, weight * (1 - fraction), width, z);
  }
}

/// (x - mean) * weights over the known features, or the weights of the level.
void add_linear(const LinearMap& map, const float* x, unsigned set, Numbers& out) {
  for (Index j = 0; j < static_cast<Index>(map.mean.size()); ++j) {
    if (((set >> j) & 1U) == 0 || std::isnan(x[j])) continue;
    if (!map.level_begin.empty() && map.level_begin[j] < map.level_begin[j + 1]) {
      const Index row = map.level_begin[j] + static_cast<Index>(x[j]);
      for (Index c = 0; c < map.weights.cols(); ++c) out[c] += map.weights(row, c);
      continue;
    }
    for (Index c = 0; c < map.weights.cols(); ++c) out[c] += (x[j] - map.mean[j]) * map.weights(j, c);
  }
}

/// Variates of a row of view 0 by the formula of model.hpp, features outside `set` averaged.
Numbers variates_of_set(const Model& model, const float* x, unsigned set) {
  const ViewModel& view = model.views[0];
  Numbers variates(static_cast<std::size_t>(model.n_components()), 0.0);
  add_linear(view.linear, x, set, variates);
  for (const PartModel& part : view.parts) {
    Numbers z(part.mean.size(), 0.0);
    add_linear(view.base_margin, x, set, z);
    for (const Encoder& encoder : part.encoders) {
      for (const Tree& tree : encoder) {
        add_tree_mean(tree, 0, x, set, 1.0 / static_cast<double>(part.encoders.size()),
                      tree.component < 0 ? part.rotation.rows() : 1, z);
      }
    }
    for (Index l = 0; l < part.rotation.rows(); ++l) {
      for (Index c = 0; c < part.rotation.cols(); ++c) variates[c] += (z[l] - part.mean[l]) * part.rotation(l, c);
    }
  }
  return variates;
}

/// Variates of all sets of features, and Shapley values and interactions by their definitions.
class BruteForce {
 public:
  BruteForce(const Model& model, const float* row) : p_(static_cast<Index>(model.views[0].feature_names.size())) {
    std::vector<float> x(row, row + p_);
    for (std::size_t j = 0; j < model.views[0].offset.size(); ++j) {
      x[j] = static_cast<float>(static_cast<double>(x[j]) - model.views[0].offset[j]);
    }
    for (unsigned set = 0; set < (1U << p_); ++set) worth_.push_back(variates_of_set(model, x.data(), set));
  }

  double shapley(Index feature, Index c) const {
    const unsigned bit = 1U << feature;
    double sum = 0;
    for (unsigned set = 0; set < worth_.size(); ++set) {
      if ((set & bit) != 0) continue;
      sum += weight(std::popcount(set), p_) * (worth_[set | bit][c] - worth_[set][c]);
    }
    return sum;
  }

  double interaction(Index a, Index b, Index c) const {
    const unsigned bits = (1U << a) | (1U << b);
    double sum = 0;
    for (unsigned set = 0; set < worth_.size(); ++set) {
      if ((set & bits) != 0) continue;
      sum += weight(std::popcount(set), p_ - 1) / 2 *
             (worth_[set | bits][c] - worth_[set | (1U << a)][c] - worth_[set | (1U << b)][c] + worth_[set][c]);
    }
    return sum;
  }

  double base(Index c) const { return worth_[0][c]; }

 private:
  /// Weight of a set of s players, of n players.
  static double weight(int s, Index n) {
    return std::tgamma(s + 1) * std::tgamma(static_cast<double>(n) - s) / std::tgamma(static_cast<double>(n) + 1);
  }

  Index p_;
  std::vector<Numbers> worth_;
};

/// Models of every kind with 8 features.
std::vector<Model> small_models() {
  std::vector<Model> models;
  for (const Trees trees : {Trees::joint, Trees::scalar}) {
    for (const double linear : {0.0, 0.5, 1.0}) {
      ModelShape shape;
      shape.features = {8, 2};
      shape.trees = trees;
      shape.oversamples = 1;
      shape.max_depth = 6;
      shape.parts = linear == 0 ? 1 : 2;
      shape.linear = linear;
      shape.base_margin = linear != 0;
      shape.described = linear != 0;  // with offsets
      models.push_back(random_model(models.size() + 1, shape));
      shape.categories = true;
      models.push_back(random_model(models.size() + 1, shape));
    }
  }
  return models;
}

TEST(Shap, EqualsTheSumOverAllSetsOfFeatures) {
  for (const Model& model : small_models()) {
    const Matrix<float> rows = rows_for(model, 3, 5);
    const ShapValues found = shap_values(model, 0, rows, 2);
    ASSERT_EQ(found.values.size(), 3U * 8 * 2);
    ASSERT_EQ(found.base_values.size(), 2U);
    for (Index i = 0; i < rows.rows(); ++i) {
      const BruteForce expected(model, rows.row(i));
      for (Index c = 0; c < 2; ++c) {
        EXPECT_NEAR(found.base_values[c], expected.base(c), 1e-12);
        for (Index j = 0; j < 8; ++j) EXPECT_NEAR(found.values[(i * 8 + j) * 2 + c], expected.shapley(j, c), 1e-12);
      }
    }
  }
}

TEST(Shap, InteractionsEqualTheSumOverAllSetsOfFeatures) {
  for (const Model& model : small_models()) {
    const Matrix<float> rows = rows_for(model, 2, 6);
    const ShapValues values = shap_values(model, 0, rows);
    for (Index c = 0; c < 2; ++c) {
      const Numbers found = shap_interactions(model, 0, rows, c, 2);
      ASSERT_EQ(found.size(), 2U * 8 * 8);
      for (Index i = 0; i < rows.rows(); ++i) {
        const BruteForce expected(model, rows.row(i));
        for (Index a = 0; a < 8; ++a) {
          const double* pairs = found.data() + (i * 8 + a) * 8;
          for (Index b = 0; b < 8; ++b) {
            if (a != b) {
              EXPECT_NEAR(pairs[b], expected.interaction(a, b, c), 1e-12);
            }
          }
          EXPECT_NEAR(std::accumulate(pairs, pairs + 8, 0.0), values.values[(i * 8 + a) * 2 + c], 1e-12);
        }
      }
    }
  }
}

TEST(Shap, AddsUpToTheVariatesOfTransform) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    ModelMaker maker(seed);
    ModelShape shape = maker.shape();
    shape.extreme = false;
    const Model model = maker.model(shape);
    const Matrix<float> rows = rows_for(model, 70, seed);  // more than one block
    const Matrix<float> variates = transform(model, 0, rows);
    const ShapValues found = shap_values(model, 0, rows);
    const Index p = rows.cols();
    const Index k = model.n_components();
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index c = 0; c < k; ++c) {
        double sum = found.base_values[c];
        for (Index j = 0; j < p; ++j) sum += found.values[(i * p + j) * k + c];
        ASSERT_EQ(std::isnan(sum), std::isnan(variates(i, c)));  // all values are missing: the sample lacks the view
        if (std::isnan(sum)) continue;
        EXPECT_NEAR(sum, variates(i, c), 1e-4) << "seed " << seed;
      }
    }
  }
}

TEST(Shap, DoesNotDependOnThreadsOrOnTheOtherRows) {
  const Model model = small_models()[2];
  const Matrix<float> rows = rows_for(model, 150, 7);
  const ShapValues all = shap_values(model, 0, rows, 1);
  EXPECT_EQ(shap_values(model, 0, rows, 4).values, all.values);
  EXPECT_EQ(shap_interactions(model, 0, rows, 1, 4), shap_interactions(model, 0, rows, 1, 1));
  const MatrixView last(rows.row(149), 1, rows.cols());
  const ShapValues alone = shap_values(model, 0, last);
  EXPECT_EQ(alone.values, Numbers(all.values.end() - 16, all.values.end()));
  EXPECT_EQ(alone.base_values, all.base_values);
}

/// A chain: every split sends one leaf left and goes on to the right, `features` of them by turns.
Model deep_model(Index features) {
  ModelShape shape;
  shape.features = {features, 1};
  shape.components = 1;
  shape.cross_fit = 0;
  shape.rounds = 1;
  shape.max_depth = 1;
  Model model = random_model(3, shape);
  Tree tree;
  for (int depth = 0; depth < kMaxTreeDepth; ++depth) {
    const auto at = static_cast<std::int32_t>(tree.nodes.size());
    tree.nodes.push_back({.feature = static_cast<std::int32_t>(depth % features),
                          .threshold = static_cast<float>(depth) / kMaxTreeDepth - 3,
                          .left = at + 1,
                          .right = at + 2,
                          .cover = static_cast<float>(2 * (kMaxTreeDepth - depth))});
    tree.nodes.push_back({.leaf = depth, .cover = 2});
    tree.leaf_values.push_back(static_cast<float>(depth % 10));
  }
  tree.nodes.push_back({.leaf = kMaxTreeDepth, .cover = 1});
  tree.leaf_values.push_back(1);
  model.views[0].parts[0].encoders = {{tree}};
  return model;
}

TEST(Shap, OfDeepTreesAddsUp) {
  for (const Index features : {Index{1}, Index{5}, Index{kMaxTreeDepth}}) {
    const Model model = deep_model(features);
    const Matrix<float> rows = rows_for(model, 2, 8);
    const ShapValues found = shap_values(model, 0, rows);
    const Matrix<float> variates = transform(model, 0, rows);
    for (Index i = 0; i < 2; ++i) {
      const double* row = found.values.data() + i * features;
      EXPECT_NEAR(std::accumulate(row, row + features, found.base_values[0]), variates(i, 0), 1e-5);
      EXPECT_TRUE(std::all_of(row, row + features, [](double x) { return std::isfinite(x); }));
    }
  }
}

TEST(Shap, OfFeaturesThatAreNotUsedIsZero) {
  ModelShape shape;
  shape.rounds = 0;
  const Model model = random_model(4, shape);
  const Matrix<float> rows = rows_for(model, 3, 9);
  const ShapValues found = shap_values(model, 0, rows);
  EXPECT_EQ(found.values, Numbers(3 * 3 * 2, 0.0));
  const Matrix<float> variates = transform(model, 0, rows);
  for (Index c = 0; c < 2; ++c) EXPECT_NEAR(found.base_values[c], variates(0, c), 1e-6);
}

TEST(Shap, OfNoRowsIsEmpty) {
  const Model model = small_models()[2];
  const Matrix<float> none(0, 8);
  EXPECT_TRUE(shap_values(model, 0, none).values.empty());
  EXPECT_EQ(shap_values(model, 0, none).base_values.size(), 2U);
  EXPECT_TRUE(shap_interactions(model, 0, none, 0).empty());
}

TEST(Shap, RefusesWhatTheModelDoesNotHave) {
  const Model model = small_models()[0];
  const Matrix<float> rows = rows_for(model, 2, 1);
  EXPECT_THROW(shap_values(model, 2, rows), UsageError);
  EXPECT_THROW(shap_values(model, -1, rows), UsageError);
  EXPECT_THROW(shap_values(model, 1, rows), DataError);
  EXPECT_THROW(shap_interactions(model, 1, rows, 0), DataError);
  EXPECT_THROW(shap_interactions(model, 0, rows, 2), UsageError);
  EXPECT_THROW(shap_interactions(model, 0, rows, -1), UsageError);
}

TEST(Shap, RefusesResultsThatWouldNotFit) {
  const Model model = small_models()[0];
  const Matrix<float> row = rows_for(model, 1, 1);
  const MatrixView many(row.data(), Index{1} << 60, 8, 0, 1);  // one row over and over
  try {
    shap_values(model, 0, many);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("at most 33554432 samples"), std::string::npos) << error.what();
  }
  EXPECT_THROW(shap_interactions(model, 0, many, 0), UsageError);
}

TEST(Shap, StopsOnRequest) {
  const Model model = small_models()[0];
  const Matrix<float> rows = rows_for(model, 2, 1);
  const std::atomic<bool> stop{true};
  EXPECT_THROW(shap_values(model, 0, rows, 1, &stop), Interrupted);
  EXPECT_THROW(shap_interactions(model, 0, rows, 0, 1, &stop), Interrupted);
}

TEST(Shap, OfSamplesThatLackTheViewIsMissing) {
  ModelShape shape;
  shape.features = {6, 2};
  const Model model = random_model(8, shape);
  Matrix<float> rows = rows_for(model, 20, 3), others(18, 6);
  for (Index j = 0; j < 6; ++j) rows(4, j) = rows(17, j) = kMissing;
  for (Index i = 0, to = 0; i < 20; ++i) {
    if (i != 4 && i != 17) std::copy_n(rows.row(i), 6, others.row(to++));
  }
  const std::vector<double> single = shap_values(model, 0, rows).values, pairs = shap_interactions(model, 0, rows, 0);
  for (Index i = 0; i < 20; ++i) {
    for (Index at = 0; at < 36; ++at) EXPECT_EQ(std::isnan(pairs[i * 36 + at]), i == 4 || i == 17);
    for (Index at = 0; at < 12; ++at) EXPECT_EQ(std::isnan(single[i * 12 + at]), i == 4 || i == 17);
  }
  const std::vector<FeaturePair> all = interacting_pairs(model, 0, rows, 0),
                                 expected = interacting_pairs(model, 0, others, 0);
  ASSERT_EQ(all.size(), expected.size());
  ASSERT_FALSE(all.empty());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_DOUBLE_EQ(all[i].mean_abs, expected[i].mean_abs);

  Model of_one_view = model;
  of_one_view.views.pop_back();
  EXPECT_FALSE(std::isnan(shap_values(of_one_view, 0, rows).values[4 * 12]));
}

TEST(ShapInteractions, PairsAreTheMeansOfBothEntries) {
  ModelShape shape;
  shape.features = {6, 2};
  shape.parts = 2;
  shape.linear = 0.5;
  const Model model = random_model(8, shape);
  const Matrix<float> rows = rows_for(model, 20, 3);
  const Index p = rows.cols();
  const std::vector<double> all = shap_interactions(model, 0, rows, 1);
  const std::vector<FeaturePair> pairs = interacting_pairs(model, 0, rows, 1);
  std::size_t expected = 0;
  for (Index a = 0; a < p; ++a) {
    for (Index b = a + 1; b < p; ++b) {
      double sum = 0;
      for (Index i = 0; i < rows.rows(); ++i) sum += std::abs(all[(i * p + a) * p + b] + all[(i * p + b) * p + a]);
      expected += sum > 0 ? 1 : 0;
      for (const FeaturePair& pair : pairs) {
        if (pair.first != a || pair.second != b) continue;
        EXPECT_NEAR(pair.mean_abs, sum / 20, 1e-6 * (1 + sum));
      }
    }
  }
  EXPECT_EQ(pairs.size(), expected);
  EXPECT_GT(expected, 1U);
  for (std::size_t i = 1; i < pairs.size(); ++i) EXPECT_LE(pairs[i].mean_abs, pairs[i - 1].mean_abs);
  EXPECT_TRUE(interacting_pairs(model, 0, Matrix<float>(0, p), 1).empty());
}

}  // namespace
}  // namespace treecca

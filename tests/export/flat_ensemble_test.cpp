#include "export/flat_ensemble.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "helpers/random_model.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

using testing_helpers::ModelShape;
using testing_helpers::random_model;

/// Rows on both sides of every threshold, some values missing, but never all of a row.
Matrix<float> rows_for(Index n, Index p, std::uint64_t seed) {
  testing_helpers::ModelMaker random(seed);
  Matrix<float> rows(n, p);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < p; ++j) {
      rows(i, j) =
          j > 0 && random.chance(0.2) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random.normal());
    }
  }
  return rows;
}

/// As the header says it, one node at a time.
double by_hand(const FlatEnsemble& ensemble, const float* x, Index output) {
  double sum = ensemble.intercept[static_cast<std::size_t>(output)];
  for (const Tree& tree : ensemble.trees) {
    const Node* node = &tree.nodes[0];
    while (!node->is_leaf()) {
      const float value = x[node->feature];
      const bool left = std::isnan(value) ? node->default_left : value < node->threshold;
      node = &tree.nodes[static_cast<std::size_t>(left ? node->left : node->right)];
    }
    sum += tree.leaf_values[static_cast<std::size_t>(node->leaf * ensemble.n_outputs + output)];
  }
  for (const LinearMap& map : ensemble.maps) {
    for (Index j = 0; j < map.weights.rows(); ++j) {
      const double centred = std::isnan(x[j]) ? 0.0 : x[j] - map.mean[static_cast<std::size_t>(j)];
      sum += centred * map.weights(j, output);
    }
  }
  return sum;
}

/// Of both views of a random model.
void expect_variates(const ModelShape& shape) {
  const Model model = random_model(11, shape);
  for (Index v = 0; v < 2; ++v) {
    const FlatEnsemble ensemble = flat_ensemble(model.views[static_cast<std::size_t>(v)], 3);
    ASSERT_EQ(ensemble.n_outputs, 3);
    ASSERT_FALSE(ensemble.trees.empty());
    const Matrix<float> rows = rows_for(40, shape.features[static_cast<std::size_t>(v)], 3);
    const Matrix<float> expected = transform(model, v, rows);
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index c = 0; c < 3; ++c) EXPECT_NEAR(by_hand(ensemble, rows.row(i), c), expected(i, c), 1e-4);
    }
  }
}

TEST(FlatEnsemble, SumsOfLeavesAreTheVariates) {
  for (const Trees trees : {Trees::joint, Trees::scalar}) {
    for (const Index oversamples : {0, 2}) {
      for (const bool base_margin : {false, true}) {
        ModelShape shape;
        shape.trees = trees;
        shape.oversamples = oversamples;
        shape.base_margin = base_margin;
        shape.components = 3;
        shape.cross_fit = 3;
        expect_variates(shape);
      }
    }
  }
}

TEST(FlatEnsemble, HasAllPartsAndLinearCca) {
  for (const Index parts : {1, 3}) {
    for (const double linear : {0.0, 0.5, 1.0}) {
      for (const bool base_margin : {false, true}) {
        ModelShape shape;
        shape.components = 3;
        shape.oversamples = 1;
        shape.parts = parts;
        shape.linear = linear;
        shape.base_margin = base_margin;
        expect_variates(shape);
      }
    }
  }
}

TEST(FlatEnsemble, NodesStandForTheMeanOfTheirLeavesByCover) {
  Tree tree;
  tree.nodes.resize(5);
  tree.nodes[0] = {.feature = 0, .left = 1, .right = 2, .cover = 10};
  tree.nodes[1] = {.leaf = 1, .cover = 4};
  tree.nodes[2] = {.feature = 1, .left = 3, .right = 4, .cover = 6};
  tree.nodes[3] = {.leaf = 0, .cover = 1};
  tree.nodes[4] = {.leaf = 2, .cover = 5};
  tree.leaf_values = {6, 60, 1, 10, 0, 0};  // two outputs
  const Matrix<float> values = node_values(tree, 2);
  EXPECT_FLOAT_EQ(values(4, 1), 0);
  EXPECT_FLOAT_EQ(values(3, 1), 60);
  EXPECT_FLOAT_EQ(values(2, 0), 1);  // (1 * 6 + 5 * 0) / 6
  EXPECT_FLOAT_EQ(values(0, 0), 1);  // (4 * 1 + 6 * 1) / 10
  EXPECT_FLOAT_EQ(values(0, 1), 10);
}

}  // namespace
}  // namespace treecca

#include "trees/predict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "helpers/random_data.hpp"
#include "helpers/random_model.hpp"
#include "trees/grow.hpp"

namespace treecca {
namespace {

/// One row down one tree, as plainly as the definition of Tree.
const float* leaf_of(const Tree& tree, const MatrixView& x, Index row, Index width) {
  std::int32_t at = 0;
  while (!tree.nodes[at].is_leaf()) {
    const Node& node = tree.nodes[at];
    const float value = x(row, node.feature);
    const bool left = std::isnan(value) ? node.default_left : value < node.threshold;
    at = left ? node.left : node.right;
  }
  return tree.leaf_values.data() + tree.nodes[at].leaf * width;
}

/// A tree over three features with all kinds of nodes: a missing direction to either side, uneven depth.
Tree crooked_tree(std::int32_t component, Index width) {
  Tree tree;
  tree.component = component;
  tree.nodes.resize(7);
  tree.nodes[0] = {2, 0.5F, 1, 2, -1, 10, true};
  tree.nodes[1] = {0, -1.0F, 5, 6, -1, 6, false};
  tree.nodes[2] = {1, 0.0F, 3, 4, -1, 4, true};
  const int leaves[] = {3, 4, 5, 6};
  for (int l = 0; l < 4; ++l) tree.nodes[leaves[l]].leaf = l;
  for (Index v = 0; v < 4 * width; ++v) tree.leaf_values.push_back(static_cast<float>(v) + 0.25F);
  return tree;
}

TEST(Predictor, IsTheMeanOverEncodersOfTheSumOfLeavesWithAnyKernels) {
  Matrix<float> x = testing::normal_matrix(150, 3, 1);
  for (Index i = 0; i < 150; i += 4) x(i, i % 3) = std::numeric_limits<float>::quiet_NaN();
  for (Index i = 0; i < 150; i += 7) x(i, 2) = 0.5F;  // on a threshold: right
  x(149, 0) = std::numeric_limits<float>::infinity();
  PartModel part;
  part.rotation = Matrix<double>(2, 2);
  Tree stump;  // a single leaf
  stump.nodes.resize(1);
  stump.nodes[0].leaf = 0;
  stump.leaf_values = {1.0F, 2.0F};
  part.encoders = {{crooked_tree(-1, 2), crooked_tree(1, 1)}, {crooked_tree(0, 1), stump, crooked_tree(-1, 2)}};
  for (const InstructionSet set : available_instruction_sets()) {
    const Predictor predictor(part, kernels(set));
    std::vector<double> out(150 * 2);
    predictor.embed(x, 0, 150, out.data());
    for (Index i = 0; i < 150; ++i) {
      double expected[2] = {0, 0};
      for (const Encoder& encoder : part.encoders) {
        for (const Tree& tree : encoder) {
          const float* leaf = leaf_of(tree, x, i, tree.component < 0 ? 2 : 1);
          for (Index k = 0; k < 2; ++k) {
            if (tree.component < 0) expected[k] += leaf[k] / 2;
            if (tree.component == k) expected[k] += leaf[0] / 2;
          }
        }
      }
      EXPECT_DOUBLE_EQ(out[i * 2], expected[0]) << name_of(set);
      EXPECT_DOUBLE_EQ(out[i * 2 + 1], expected[1]) << name_of(set);
    }
  }
}

TEST(Predictor, ARowDoesNotDependOnItsNeighbours) {
  const Matrix<float> x = testing::normal_matrix(200, 3, 5);
  PartModel part;
  part.rotation = Matrix<double>(2, 2);
  part.encoders = {{crooked_tree(-1, 2)}};
  const Predictor predictor(part);
  std::vector<double> all(200 * 2);
  std::vector<double> one(2);
  predictor.embed(x, 0, 200, all.data());
  for (Index i = 0; i < 200; i += 13) {
    predictor.embed(x, i, i + 1, one.data());
    EXPECT_EQ(one[0], all[i * 2]);
    EXPECT_EQ(one[1], all[i * 2 + 1]);
  }
}

/// The definition to the bit: sums of leaves in single precision per encoder, in the order of the trees, then their
/// mean.
std::vector<float> plainly_embedded(const PartModel& part, const MatrixView& values, Index row) {
  const Index width = part.rotation.rows();
  std::vector<double> mean(static_cast<std::size_t>(width), 0.0);
  for (const Encoder& encoder : part.encoders) {
    std::vector<float> sums(mean.size(), 0.0F);
    for (const Tree& tree : encoder) {
      const Node* node = &tree.nodes[0];
      while (!node->is_leaf()) {
        node = &tree.nodes[tree.goes_left(*node, values(row, node->feature)) ? node->left : node->right];
      }
      for (Index c = 0; c < width; ++c) {
        if (tree.component < 0) sums[c] += tree.leaf_values[node->leaf * width + c];
        if (tree.component == c) sums[c] += tree.leaf_values[node->leaf];
      }
    }
    for (Index c = 0; c < width; ++c) mean[c] += static_cast<double>(sums[c]);
  }
  std::vector<float> embedding;
  for (const double x : mean) {
    embedding.push_back(static_cast<float>(x * (1.0 / static_cast<double>(part.encoders.size()))));
  }
  return embedding;
}

TEST(EmbedRows, FewRowsGetTheBitsOfMany) {
  constexpr Index kMost = 300;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    testing_helpers::ModelShape shape = testing_helpers::ModelMaker(seed).shape();
    shape.rounds = static_cast<Index>(seed) % 23;  // around the number of trees that are walked together
    shape.parts = 1;
    shape.linear = 0;
    const Model model = testing_helpers::random_model(seed, shape);
    const ViewModel& view = model.views[0];
    const PartModel& part = view.parts[0];
    const Index width = part.rotation.rows();
    const auto p = static_cast<Index>(view.feature_names.size());
    Matrix<double> x(kMost, 2 * p);  // every second column is used
    testing_helpers::ModelMaker draw(seed + 1000);
    for (double& value : x.values()) value = draw.chance(0.2) ? NAN : draw.any_single(shape.extreme);
    for (Index i = 0; i < kMost; ++i) {
      for (Index j = 0; j < p; ++j) {
        if (view.is_category(j)) x(i, 2 * j) = draw.chance(0.1) ? NAN : static_cast<double>(draw.whole(-1, 300));
      }
      if (i % 11 == 0) std::fill_n(x.row(i), 2 * p, i % 2 == 0 ? NAN : INFINITY);
    }
    const MatrixView values = MatrixView(x.data(), kMost, p, 2 * p, 2).less(view.offset);
    const Predictor predictor(part);
    const Matrix<float> all = embed_rows(predictor, values, width, 3);
    for (const Index rows : {0, 1, 2, 19, 20, 21, 63, 64, 65, 257}) {
      const MatrixView some = MatrixView(x.row(kMost - rows), rows, p, 2 * p, 2).less(view.offset);
      const Matrix<float> found = embed_rows(part.encoders, some, width, 2);
      const Matrix<float> walked = [&] {
        std::vector<double> sums(static_cast<std::size_t>(rows * width));
        embed_by_walking(part.encoders, width, some, 0, rows, sums.data());
        Matrix<float> result(rows, width);
        std::transform(sums.begin(), sums.end(), result.data(), [](double sum) { return static_cast<float>(sum); });
        return result;
      }();
      for (Index i = 0; i < rows; ++i) {
        const std::vector<float> expected = plainly_embedded(part, some, i);
        for (Index c = 0; c < width; ++c) {
          for (const float value : {all(kMost - rows + i, c), found(i, c), walked(i, c)}) {
            const float right = expected[static_cast<std::size_t>(c)];
            if (std::isnan(right) && std::isnan(value)) continue;  // infinities of both signs in an extreme model
            ASSERT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(right))
                << "seed " << seed << ", " << rows << " rows, row " << i;
          }
        }
      }
    }
  }
}

TEST(AddTree, OnCodesEqualsTheWalkOnRawValues) {
  Matrix<float> x = testing::gridded_matrix(300, 4, 2, 0.15);
  const Matrix<float> gradient = testing::normal_matrix(300, 3, 3);
  const BinnedView binned(View{"x", x}, 255, 1);
  Index entries = 0;
  std::vector<Index> features;
  for (Index j = 0; j < 4; ++j) {
    entries += binned.n_bins(j) + 1;
    features.push_back(j);
  }
  const auto grower = make_grower(true, 3, 300, 4, entries, 5);
  for (RowIndex i = 0; i < 300; ++i) grower->rows()[i] = i;
  grower->grow(binned, {&gradient, nullptr, 0, 3}, 300, features, {5, 2, 1, 0.3}, 1);
  const Tree tree = to_tree(*grower, binned, -1);
  Matrix<float> by_codes(300, 3);
  add_tree(tree, binned, by_codes);
  for (Index i = 0; i < 300; ++i) {
    const float* leaf = leaf_of(tree, x, i, 3);
    for (Index k = 0; k < 3; ++k) ASSERT_EQ(by_codes(i, k), leaf[k]);
  }
}

}  // namespace
}  // namespace treecca

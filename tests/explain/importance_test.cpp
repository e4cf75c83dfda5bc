#include "treecca/importance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "helpers/random_model.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using testing_helpers::ModelShape;
using testing_helpers::random_model;

constexpr ImportanceKind kKinds[] = {ImportanceKind::gain, ImportanceKind::trees, ImportanceKind::cover,
                                     ImportanceKind::splits};

void set_identity_rotation(Model& model) {
  for (ViewModel& view : model.views) {
    Matrix<double>& rotation = view.parts[0].rotation;
    for (Index i = 0; i < rotation.rows(); ++i) {
      for (Index j = 0; j < rotation.cols(); ++j) rotation(i, j) = i == j ? 1.0 : 0.0;
    }
  }
}

/// The definition, by recursion and without any sharing of work: the sum over the leaves below a
/// node of value x weight, turned into direction a.
double sum_below(const Tree& tree, std::int32_t at, const std::vector<double>& a, double lambda) {
  const Node& node = tree.nodes[static_cast<std::size_t>(at)];
  if (!node.is_leaf()) return sum_below(tree, node.left, a, lambda) + sum_below(tree, node.right, a, lambda);
  double along = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    along += a[c] * static_cast<double>(tree.leaf_values[static_cast<std::size_t>(node.leaf) * a.size() + c]);
  }
  return along * (static_cast<double>(node.cover) + lambda);
}

void add_brute_force_gains(const PartModel& of_part, Index n_components, double lambda, Matrix<double>& gains) {
  for (const Encoder& encoder : of_part.encoders) {
    for (const Tree& tree : encoder) {
      for (Index k = 0; k < n_components; ++k) {
        std::vector<double> a;
        if (tree.component >= 0) {
          a = {of_part.rotation(tree.component, k)};
        } else {
          for (Index c = 0; c < n_components; ++c) a.push_back(of_part.rotation(c, k));
        }
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
          const Node& node = tree.nodes[i];
          if (node.is_leaf()) continue;
          const auto part = [&](std::int32_t at) {
            const double weight = static_cast<double>(tree.nodes[static_cast<std::size_t>(at)].cover) + lambda;
            const double sum = sum_below(tree, at, a, lambda);
            return sum * sum / weight;
          };
          const double gain = part(node.left) + part(node.right) - part(static_cast<std::int32_t>(i));
          gains(k, node.feature) += std::max(0.0, gain);
        }
      }
    }
  }
}

Matrix<double> brute_force_gains(const Model& model, Index v) {
  const ViewModel& view = model.views[static_cast<std::size_t>(v)];
  Matrix<double> gains(model.n_components(), static_cast<Index>(view.feature_names.size()));
  for (const PartModel& part : view.parts) {
    add_brute_force_gains(part, model.n_components(), model.parameters.reg_lambda.at(v), gains);
  }
  return gains;
}

TEST(Importance, GainEqualsTheDefinition) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ModelShape shape;
    shape.components = 1 + static_cast<Index>(seed % 4);
    shape.features = {5, 3};
    shape.trees = seed % 2 == 0 ? Trees::joint : Trees::scalar;
    shape.max_depth = 4;
    shape.parts = seed % 3 == 0 ? 2 : 1;
    Model model = random_model(seed, shape);
    model.parameters.reg_lambda = std::vector<double>{0.5, 3.0};
    for (Index v = 0; v < 2; ++v) {
      const Matrix<double> expected = brute_force_gains(model, v);
      const Matrix<double> found = component_importances(model, v, ImportanceKind::gain);
      const std::vector<double> overall = feature_importances(model, v, ImportanceKind::gain);
      ASSERT_EQ(found.rows(), expected.rows());
      ASSERT_EQ(found.cols(), expected.cols());
      const double total = std::accumulate(expected.values().begin(), expected.values().end(), 0.0);
      for (Index j = 0; j < expected.cols(); ++j) {
        double over_components = 0;
        for (Index k = 0; k < expected.rows(); ++k) {
          const double row = std::accumulate(expected.row(k), expected.row(k) + expected.cols(), 0.0);
          EXPECT_NEAR(found(k, j), expected(k, j) / row, 1e-12);
          over_components += expected(k, j);
        }
        EXPECT_NEAR(overall[static_cast<std::size_t>(j)], over_components / total, 1e-12);
      }
    }
  }
}

TEST(Importance, GainOfAStumpIsTheDropInSquaredResidual) {
  // Ten rows, target -1 for the four left ones and +1 for the six right ones, lambda 0, learning
  // rate 1.
  ModelShape shape;
  shape.components = 1;
  shape.rounds = 2;
  shape.cross_fit = 0;
  Model model = random_model(1, shape);
  set_identity_rotation(model);
  model.parameters.reg_lambda = 0.0;
  Tree stump;
  stump.nodes.resize(3);
  stump.nodes[0] = {.feature = 2, .left = 1, .right = 2, .cover = 10};
  stump.nodes[1] = {.leaf = 0, .cover = 4};
  stump.nodes[2] = {.leaf = 1, .cover = 6};
  stump.leaf_values = {-1, 1};
  // And a second one on another feature whose sides differ half as much: a quarter of the gain.
  Tree half = stump;
  half.nodes[0].feature = 0;
  half.leaf_values = {-0.5, 0.5};
  model.views[0].parts[0].encoders = {{stump, half}};
  const Matrix<double> gain = component_importances(model, 0, ImportanceKind::gain);
  EXPECT_NEAR(gain(0, 2), 0.8, 1e-12);
  EXPECT_NEAR(gain(0, 0), 0.2, 1e-12);
  EXPECT_EQ(gain(0, 1), 0.0);
}

TEST(Importance, AllKindsSumToOne) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    ModelShape shape;
    shape.components = 3;
    shape.trees = seed % 2 == 0 ? Trees::joint : Trees::scalar;
    const Model model = random_model(seed, shape);
    for (const ImportanceKind kind : kKinds) {
      const Matrix<double> per_component = component_importances(model, 1, kind);
      const std::vector<double> overall = feature_importances(model, 1, kind);
      ASSERT_EQ(overall.size(), 2U);
      EXPECT_NEAR(overall[0] + overall[1], 1.0, 1e-12);
      for (Index k = 0; k < 3; ++k) EXPECT_NEAR(per_component(k, 0) + per_component(k, 1), 1.0, 1e-12);
    }
  }
}

TEST(Importance, WithoutSplitsAllIsZero) {
  ModelShape shape;
  shape.rounds = 0;
  const Model model = random_model(3, shape);
  for (const ImportanceKind kind : kKinds) {
    const Matrix<double> per_component = component_importances(model, 0, kind);
    EXPECT_EQ(per_component, Matrix<double>(2, 3));
    EXPECT_EQ(feature_importances(model, 0, kind), std::vector<double>(3, 0.0));
  }
}

TEST(Importance, SplitsThatGainNothingStillCountAsSplits) {
  Model model = random_model(4);
  for (Encoder& encoder : model.views[0].parts[0].encoders) {
    for (Tree& tree : encoder) std::fill(tree.leaf_values.begin(), tree.leaf_values.end(), 0.0F);
  }
  EXPECT_EQ(feature_importances(model, 0, ImportanceKind::gain), std::vector<double>(3, 0.0));
  const std::vector<double> splits = feature_importances(model, 0, ImportanceKind::splits);
  EXPECT_NEAR(std::accumulate(splits.begin(), splits.end(), 0.0), 1.0, 1e-12);
}

TEST(Importance, JointEqualsScalarForOneComponent) {
  ModelShape shape;
  shape.components = 1;
  const Model joint = random_model(5, shape);
  Model scalar = joint;
  scalar.parameters.trees = Trees::scalar;
  for (ViewModel& view : scalar.views) {
    for (Encoder& encoder : view.parts[0].encoders) {
      for (Tree& tree : encoder) tree.component = 0;
    }
  }
  for (const ImportanceKind kind : kKinds) {
    for (Index v = 0; v < 2; ++v) {
      const Matrix<double> expected = component_importances(joint, v, kind);
      const Matrix<double> found = component_importances(scalar, v, kind);
      for (Index j = 0; j < expected.cols(); ++j) EXPECT_NEAR(found(0, j), expected(0, j), 1e-12);
    }
  }
}

TEST(Importance, UnderTheIdentityAScalarTreeConcernsItsOwnComponentOnly) {
  ModelShape shape;
  shape.trees = Trees::scalar;
  shape.features = {4, 4};
  shape.cross_fit = 0;
  Model model = random_model(6, shape);
  set_identity_rotation(model);
  // Component 0 only ever tests features 0 and 1, component 1 the others.
  for (Tree& tree : model.views[0].parts[0].encoders[0]) {
    for (Node& node : tree.nodes) {
      if (!node.is_leaf()) node.feature = node.feature % 2 + 2 * tree.component;
    }
  }
  for (const ImportanceKind kind : kKinds) {
    const Matrix<double> found = component_importances(model, 0, kind);
    EXPECT_NEAR(found(0, 0) + found(0, 1), 1.0, 1e-12);
    EXPECT_NEAR(found(1, 2) + found(1, 3), 1.0, 1e-12);
  }
  // Exchanging the components by the rotation exchanges the rows.
  Model exchanged = model;
  exchanged.views[0].parts[0].rotation.values() = {0, 1, 1, 0};
  for (const ImportanceKind kind : kKinds) {
    const Matrix<double> before = component_importances(model, 0, kind);
    const Matrix<double> after = component_importances(exchanged, 0, kind);
    for (Index j = 0; j < 4; ++j) {
      EXPECT_EQ(after(0, j), before(1, j));
      EXPECT_EQ(after(1, j), before(0, j));
    }
  }
}

TEST(Importance, CountsFollowTheSquaredRotationForScalarTrees) {
  ModelShape shape;
  shape.trees = Trees::scalar;
  shape.cross_fit = 0;
  const Model model = random_model(7, shape);
  Matrix<double> splits(2, 3);
  Matrix<double> covers(2, 3);
  for (const Tree& tree : model.views[0].parts[0].encoders[0]) {
    for (const Node& node : tree.nodes) {
      if (node.is_leaf()) continue;
      for (Index k = 0; k < 2; ++k) {
        const double weight = model.views[0].parts[0].rotation(tree.component, k);
        splits(k, node.feature) += weight * weight;
        covers(k, node.feature) += weight * weight * static_cast<double>(node.cover);
      }
    }
  }
  const auto expect_proportional = [](const Matrix<double>& found, const Matrix<double>& expected) {
    for (Index k = 0; k < 2; ++k) {
      const double sum = std::accumulate(expected.row(k), expected.row(k) + 3, 0.0);
      for (Index j = 0; j < 3; ++j) EXPECT_NEAR(found(k, j), expected(k, j) / sum, 1e-12);
    }
  };
  expect_proportional(component_importances(model, 0, ImportanceKind::splits), splits);
  expect_proportional(component_importances(model, 0, ImportanceKind::cover), covers);
}

TEST(Importance, OfLinearCcaIsTheShareOfTheVariance) {
  ModelShape shape;
  shape.linear = 1;
  Model model = random_model(9, shape);
  model.views[0].linear.weights.values() = {1, 0, -2, 3, 0, 4};  // 3 features x 2 components
  model.views[0].deviation = {2, 1, 10};
  const Matrix<double> found = component_importances(model, 0, ImportanceKind::linear);
  EXPECT_NEAR(found(0, 0), 4.0 / 8, 1e-12);  // (1 x 2)^2 and (2 x 1)^2
  EXPECT_NEAR(found(0, 1), 4.0 / 8, 1e-12);
  EXPECT_EQ(found(0, 2), 0);
  EXPECT_NEAR(found(1, 1), 9.0 / 1609, 1e-12);
  EXPECT_NEAR(found(1, 2), 1600.0 / 1609, 1e-12);
  EXPECT_EQ(component_importances(model, 0, ImportanceKind::gain), found);
  EXPECT_EQ(component_importances(model, 0, ImportanceKind::trees), Matrix<double>(2, 3));
  EXPECT_NEAR(feature_importances(model, 0, ImportanceKind::gain)[0], 4.0 / (8 + 1609), 1e-12);
}

TEST(Importance, OfABlendIsBlended) {
  ModelShape shape;
  shape.parts = 2;
  shape.linear = 0.25;
  const Model model = random_model(10, shape);
  const Matrix<double> trees = component_importances(model, 0, ImportanceKind::trees);
  const Matrix<double> linear = component_importances(model, 0, ImportanceKind::linear);
  const Matrix<double> both = component_importances(model, 0, ImportanceKind::gain);
  EXPECT_NE(trees, linear);
  for (Index k = 0; k < 2; ++k) {
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(both(k, j), 0.75 * trees(k, j) + 0.25 * linear(k, j), 1e-12);
  }
  const std::vector<double> overall = feature_importances(model, 0, ImportanceKind::gain);
  const std::vector<double> of_trees = feature_importances(model, 0, ImportanceKind::trees);
  const std::vector<double> of_linear = feature_importances(model, 0, ImportanceKind::linear);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(overall[j], 0.75 * of_trees[j] + 0.25 * of_linear[j], 1e-12);
  // Where no tree was split, linear CCA has it all.
  shape.rounds = 0;
  const Model stumps = random_model(10, shape);
  EXPECT_EQ(component_importances(stumps, 0, ImportanceKind::trees), Matrix<double>(2, 3));
  const Matrix<double> alone = component_importances(stumps, 0, ImportanceKind::gain);
  const Matrix<double> expected = component_importances(stumps, 0, ImportanceKind::linear);
  for (Index j = 0; j < 3; ++j) EXPECT_NEAR(alone(1, j), expected(1, j), 1e-12);
}

TEST(Importance, AnAbsentViewIsAnError) {
  const Model model = random_model(8);
  EXPECT_THROW(component_importances(model, 2, ImportanceKind::gain), UsageError);
  EXPECT_THROW(feature_importances(model, -1, ImportanceKind::gain), UsageError);
}

TEST(ImportanceKind, FromItsName) {
  EXPECT_EQ(importance_kind("gain"), ImportanceKind::gain);
  EXPECT_EQ(importance_kind("trees"), ImportanceKind::trees);
  EXPECT_EQ(importance_kind("linear"), ImportanceKind::linear);
  EXPECT_EQ(importance_kind("cover"), ImportanceKind::cover);
  EXPECT_EQ(importance_kind("splits"), ImportanceKind::splits);
  try {
    importance_kind("gains");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "The kind of importance must be one of \"gain\", \"trees\", \"linear\", \"cover\", "
                 "\"splits\", not "
                 "\"gains\". Did you mean "
                 "\"gain\"?");
  }
}

}  // namespace
}  // namespace treecca

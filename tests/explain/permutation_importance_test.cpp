#include "treecca/permutation_importance.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "helpers/random_data.hpp"
#include "helpers/random_model.hpp"
#include "helpers/temporary_file.hpp"
#include "support/order.hpp"
#include "support/random.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"
#include "treecca/metrics.hpp"
#include "treecca/transform.hpp"

namespace treecca {
namespace {

using testing_helpers::ModelShape;
using testing_helpers::random_model;

std::vector<Matrix<float>> rows_of(const Model& model, Index n) {
  std::vector<Matrix<float>> rows;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const auto p = static_cast<Index>(model.views[v].feature_names.size());
    rows.push_back(testing::normal_matrix(n, p, static_cast<unsigned>(v) + 1));
    for (std::size_t i = 2; i < rows.back().values().size(); i += 9) {
      if (i % static_cast<std::size_t>(p) == 0) continue;  // no row may lack all: it would lack the view
      rows.back().values()[i] = std::numeric_limits<float>::quiet_NaN();
    }
  }
  return rows;
}

/// Every feature permuted in a copy of its table, which is transformed as a whole.
void expect_brute_force(const Model& model, const std::vector<Covariate>& covariates = {}) {
  constexpr Index kRows = 30, kPermutations = 3;
  constexpr std::uint64_t kSeed = 11;
  const std::vector<Matrix<float>> rows = rows_of(model, kRows);
  const std::vector<MatrixView> views(rows.begin(), rows.end());
  const Index m = static_cast<Index>(rows.size()), k = model.n_components();
  const PermutationImportances found = permutation_importances(
      model, views, {.n_permutations = kPermutations, .covariates = covariates, .random_state = kSeed, .n_jobs = 1});
  std::vector<Matrix<float>> variates;
  for (Index v = 0; v < m; ++v) variates.push_back(transform(model, v, views[v], 1, covariates));
  const auto mean_over_pairs = [&](const std::vector<Matrix<float>>& z, Index v, Index c) {
    const std::vector<double> pairs = pairwise_correlations(z);
    double sum = 0;
    for (Index w = 0; w < m; ++w) sum += w == v ? 0 : pairs[static_cast<std::size_t>((v * m + w) * k + c)];
    return sum / static_cast<double>(m - 1);
  };
  for (Index v = 0; v < m; ++v) {
    const auto at = static_cast<std::size_t>(v);
    for (Index j = 0; j < rows[at].cols(); ++j) {
      for (Index c = 0; c < k; ++c) {
        const double before = mean_over_pairs(variates, v, c);
        EXPECT_NEAR(found.correlations(v, c), before, 1e-6);
        double mean = 0, squares = 0;
        for (Index r = 0; r < kPermutations; ++r) {
          const std::vector<Index> order = random_order(
              kRows, {kSeed, Draw::permutation, {static_cast<std::uint64_t>(v), static_cast<std::uint64_t>(r)}});
          Matrix<float> permuted = rows[at];
          for (Index i = 0; i < kRows; ++i) permuted(i, j) = rows[at](order[static_cast<std::size_t>(i)], j);
          std::vector<Matrix<float>> changed = variates;
          changed[at] = transform(model, v, permuted, 1, covariates);
          const double drop = before - mean_over_pairs(changed, v, c);
          mean += drop / kPermutations;
          squares += drop * drop / kPermutations;
        }
        EXPECT_NEAR(found.drops[at](c, j), mean, 2e-5) << v << j << c;
        const double deviation = std::sqrt(std::max(0.0, squares - mean * mean) * kPermutations / (kPermutations - 1));
        EXPECT_NEAR(found.deviations[at](c, j), deviation, 1e-4) << v << j << c;
      }
    }
  }
}

TEST(PermutationImportance, IsThatOfWholeTables) {
  for (const Trees trees : {Trees::joint, Trees::scalar}) {
    for (const double linear : {0.0, 0.5, 1.0}) {
      ModelShape shape;
      shape.features = {4, 3, 2};
      shape.trees = trees;
      shape.parts = linear == 0 ? 1 : 2;
      shape.linear = linear;
      shape.base_margin = linear == 0;
      shape.described = true;
      Model model = random_model(7, shape);
      for (ViewModel& view : model.views) view.offset.clear();
      model.covariates.clear();
      for (ViewModel& view : model.views) view.covariate_effect = {};
      expect_brute_force(model);
    }
  }
}

TEST(PermutationImportance, NoiseOnNewSamplesHasNone) {
  const Index n = 800;
  Matrix<float> x = testing::normal_matrix(n, 4, 1), y = testing::normal_matrix(n, 3, 2);
  for (Index i = 0; i < n; ++i) y(i, 0) = x(i, 1) * x(i, 1) + 0.3F * y(i, 0);
  const MatrixView train_x(x.data(), n / 2, 4), train_y(y.data(), n / 2, 3);
  const MatrixView test_x(x.row(n / 2), n / 2, 4), test_y(y.row(n / 2), n / 2, 3);
  Parameters parameters;
  parameters.n_components = 1;
  parameters.n_estimators = 40;
  const Model model = fit({{"x", train_x, {}}, {"y", train_y, {}}}, parameters).model;
  const PermutationImportances found = permutation_importances(model, {test_x, test_y});
  EXPECT_GT(found.correlations(0, 0), 0.6);
  EXPECT_GT(found.drops[0](0, 1), 0.5);
  EXPECT_GT(found.drops[1](0, 0), 0.5);
  for (const Index j : {0, 2, 3}) EXPECT_LT(std::abs(found.drops[0](0, j)), 0.03);
  const auto with = [&](Index threads, std::uint64_t seed) {
    return permutation_importances(model, {test_x, test_y}, {.random_state = seed, .n_jobs = threads}).drops;
  };
  EXPECT_EQ(with(1, 5), with(3, 5));
  EXPECT_NE(with(1, 5), with(1, 6));
}

TEST(PermutationImportance, FeaturesThatAreNotUsedHaveExactlyNone) {
  ModelShape shape;
  shape.features = {40, 40};
  shape.rounds = 1;
  const Model model = random_model(2, shape);
  const std::vector<Matrix<float>> rows = rows_of(model, 20);
  const PermutationImportances found = permutation_importances(model, {rows[0], rows[1]});
  std::vector<bool> tested(40, false);
  for (const Encoder& encoder : model.views[0].parts[0].encoders) {
    for (const Tree& tree : encoder) {
      for (const Node& node : tree.nodes) {
        if (!node.is_leaf()) tested[static_cast<std::size_t>(node.feature)] = true;
      }
    }
  }
  for (Index j = 0; j < 40; ++j) {
    if (tested[static_cast<std::size_t>(j)]) continue;
    EXPECT_EQ(found.drops[0](0, j), 0);
    EXPECT_EQ(found.deviations[0](0, j), 0);
  }
}

TEST(PermutationImportance, RefusesWhatDoesNotFit) {
  const Model model = random_model(1);
  const std::vector<Matrix<float>> rows = rows_of(model, 10);
  const auto with = [&](const PermutationImportanceOptions& options) {
    return [&, options] { permutation_importances(model, {rows[0], rows[1]}, options); };
  };
  expect_error<UsageError>(with({.n_permutations = 0}), {"n_permutations", "1 to 10000", "0"});
  expect_error<UsageError>(with({.n_permutations = 10001}), {"n_permutations"});
  std::atomic<bool> stop{true};
  EXPECT_THROW(with({.stop = &stop})(), Interrupted);
  expect_error<DataError>([&] { permutation_importances(model, {rows[0]}); }, {"2 views, not 1"});
  expect_error<DataError>([&] { permutation_importances(model, {rows[1], rows[0]}); }, {"features"});
  const Matrix<float> fewer(9, rows[1].cols());
  expect_error<DataError>([&] { permutation_importances(model, {rows[0], fewer}); }, {"numbers of rows"});
  const Matrix<float> two_a(2, rows[0].cols()), two_b(2, rows[1].cols());
  expect_error<DataError>([&] { permutation_importances(model, {two_a, two_b}); }, {"at least 3 samples"});
  Model single = model;
  single.views.resize(1);
  expect_error<UsageError>([&] { permutation_importances(single, {rows[0]}); }, {"single view"});
}

}  // namespace
}  // namespace treecca

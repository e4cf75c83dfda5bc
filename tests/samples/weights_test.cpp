#include "samples/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "helpers/synthetic_views.hpp"
#include "objective/moments.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

TEST(MakeWeights, HaveMeanOneAndOnlyRatiosMatter) {
  const RowWeights weights = make_weights({1, 2, 3, 0}, 4, 1);
  EXPECT_NEAR(std::accumulate(weights.values.begin(), weights.values.end(), 0.0), 4, 1e-6);
  EXPECT_EQ(weights.values[3], 0);
  EXPECT_EQ(weights.units[1], 2 * weights.units[0] + (weights.units[1] - 2 * weights.units[0]));
  for (const double scale : {1e-300, 1e300}) {
    EXPECT_EQ(make_weights({1 * scale, 2 * scale, 3 * scale, 0}, 4, 1).values, weights.values);
  }
  EXPECT_TRUE(make_weights({}, 4, 1).values.empty());
  EXPECT_TRUE(make_weights({7, 7, 7, 7}, 4, 1).values.empty());
}

TEST(MakeWeights, RefusesWhatCannotBeAWeight) {
  EXPECT_THROW(make_weights({1, 2}, 4, 1), DataError);
  EXPECT_THROW(make_weights({1, -2, 1, 1}, 4, 1), DataError);
  EXPECT_THROW(make_weights({1, NAN, 1, 1}, 4, 1), DataError);
  EXPECT_THROW(make_weights({1, INFINITY, 1, 1}, 4, 1), DataError);
  EXPECT_THROW(make_weights({1, 0, 0, 0}, 4, 2), DataError);
}

TEST(Weights, OfMomentsAreRepetitions) {
  const Matrix<float> z = testing::normal_matrix(30, 2, 1);
  Matrix<float> repeated(45, 2);
  std::vector<float> weights(30, 1.0F);
  for (Index i = 0; i < 45; ++i) {
    const Index from = i < 30 ? i : i - 30;  // the first 15 rows twice
    for (Index k = 0; k < 2; ++k) repeated(i, k) = z(from, k);
  }
  for (Index i = 0; i < 15; ++i) weights[i] = 2.0F;
  const Moments weighted = moments_of({&z}, make_folds(30, 0, {}, 0), 1, weights);
  const Moments plain = moments_of({&repeated}, make_folds(45, 0, {}, 0), 1);
  EXPECT_NEAR((weighted.scatter[0] - plain.scatter[0]).norm(), 0, 1e-9);
  EXPECT_NEAR((weighted.mean[0] - plain.mean[0]).norm(), 0, 1e-9);
  EXPECT_EQ(weighted.count[0], 45);
}

/// Without cross-fitting, and with as many bins as values, a row of weight 2 is a row that is there twice.
TEST(Weights, OfAFitAreRepetitions) {
  const auto views = testing::hermite_views(120, 1, 1, 1);
  testing::TwoViews doubled{Matrix<float>(180, 2), Matrix<float>(180, 2)};
  std::vector<double> weights(120, 1.0);
  for (Index i = 0; i < 180; ++i) {
    const Index from = i < 120 ? i : i - 120;
    for (Index j = 0; j < 2; ++j) {
      doubled.a(i, j) = views.a(from, j);
      doubled.b(i, j) = views.b(from, j);
    }
  }
  for (Index i = 0; i < 60; ++i) weights[i] = 2.0;
  for (const char* trees : {"joint", "scalar"}) {
    Parameters parameters;
    set_from_text(parameters, "trees", trees);
    parameters.n_components = 1;
    parameters.cross_fit = 0;
    parameters.n_estimators = 15;
    parameters.init = Init::pca;
    parameters.colsample_bytree = 1.0;
    parameters.min_child_weight = 4.0;
    parameters.reg_lambda = 0.5;
    const FitResult repeated = fit(doubled.views(), parameters);
    // Weights are brought to mean 1, repetitions are not: what is measured in rows is 1.5 times as much.
    parameters.min_child_weight = 4.0 / 1.5;
    parameters.reg_lambda = 0.5 / 1.5;
    FitOptions options;
    options.sample_weight = weights;
    const FitResult weighted = fit(views.views(), parameters, options);
    EXPECT_NEAR(weighted.model.correlations.in_sample[0], repeated.model.correlations.in_sample[0], 0.02) << trees;
    EXPECT_NEAR(weighted.model.correlations.linear_in_sample[0], repeated.model.correlations.linear_in_sample[0], 1e-3);
    const Tree& tree = weighted.model.views[0].encoders[0].front();
    EXPECT_NEAR(tree.nodes[0].cover, 120, 0.5);
  }
}

TEST(Weights, EqualOnesChangeNothingAndZeroOnesRemoveTheirRows) {
  const auto views = testing::hermite_views(200, 1, 2, 2);
  Parameters parameters;
  parameters.n_components = 1;
  parameters.n_estimators = 30;
  FitOptions options;
  const Model plain = fit(views.views(), parameters).model;
  options.sample_weight.assign(200, 3.0);
  EXPECT_EQ(fit(views.views(), parameters, options).model, plain);
  // Half of the rows are nonsense without weight: what the others share must still be found.
  auto spoiled = testing::hermite_views(1000, 1, 2, 3);
  const Matrix<float> nonsense = testing::normal_matrix(1000, 1, 77);
  options.sample_weight.assign(1000, 1.0);
  for (Index i = 0; i < 1000; i += 2) {
    spoiled.b(i, 0) = 3 * nonsense(i, 0);
    options.sample_weight[i] = 0.0;
  }
  const double with = fit(spoiled.views(), parameters, options).model.correlations.out_of_fold[0];
  const double without = fit(spoiled.views(), parameters).model.correlations.out_of_fold[0];
  EXPECT_GT(with, 0.8);
  EXPECT_LT(without, with - 0.2);
}

TEST(Weights, ByteEqualForAnyNumberOfThreads) {
  const auto views = testing::hermite_views(300, 1, 2, 4);
  FitOptions options;
  for (Index i = 0; i < 300; ++i) options.sample_weight.push_back(static_cast<double>(i % 7) + 0.3);
  for (const char* trees : {"joint", "scalar"}) {
    Parameters parameters;
    set_from_text(parameters, "trees", trees);
    parameters.n_estimators = 10;
    parameters.n_jobs = 1;
    const std::string one = serialize_model(fit(views.views(), parameters, options).model, ModelFormat::json);
    parameters.n_jobs = 3;
    EXPECT_TRUE(serialize_model(fit(views.views(), parameters, options).model, ModelFormat::json) == one) << trees;
  }
}

TEST(Weights, OfMetricsAreRepetitions) {
  const Matrix<float> a = testing::normal_matrix(20, 1, 1);
  const Matrix<float> b = testing::normal_matrix(20, 1, 2);
  std::vector<float> weights(20, 1.0F);
  Matrix<float> a2(21, 1), b2(21, 1);
  for (Index i = 0; i < 21; ++i) a2(i, 0) = a(i % 20, 0), b2(i, 0) = b(i % 20, 0);
  weights[0] = 2;
  EXPECT_NEAR(component_correlations({a, b}, weights)[0], component_correlations({a2, b2})[0], 1e-9);
  EXPECT_THROW(component_correlations({a, b}, std::vector<float>(3, 1.0F)), DataError);
}

TEST(EffectiveSamples, CountGroupsOnceAndUnequalWeightsLess) {
  EXPECT_DOUBLE_EQ(effective_samples({}, {}, 12), 12);
  EXPECT_DOUBLE_EQ(effective_samples({}, {1, 1, 1, 2, 2, 2}, 6), 2);
  EXPECT_DOUBLE_EQ(effective_samples({}, {1, 1, 1, 2}, 4), 16.0 / 10);
  const RowWeights weights = make_weights({1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 12, 1);
  EXPECT_NEAR(effective_samples(weights, {}, 12), 2, 1e-6);
}

TEST(CheckWeightsInFolds, RefusesWeightInOneFoldAlone) {
  const std::vector<std::int64_t> groups{0, 0, 1, 1, 2, 2, 3, 3};
  const Folds folds = make_folds(8, 4, groups, 0);
  const RowWeights one = make_weights({1, 2, 0, 0, 0, 0, 0, 0}, 8, 1);
  EXPECT_THROW(check_weights_in_folds(one, folds), DataError);
  check_weights_in_folds(make_weights({1, 2, 1, 0, 0, 0, 0, 0}, 8, 1), folds);
  check_weights_in_folds(one, make_folds(8, 0, {}, 0));
  check_weights_in_folds({}, folds);
}

}  // namespace
}  // namespace treecca

// Sample weights through a whole fit.
#include <gtest/gtest.h>

#include "helpers/plain_parameters.hpp"
#include "helpers/synthetic_views.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

/// Without cross-fitting, and with as many bins as values, a row of weight 2 is a row that is there twice.
TEST(WeightedFit, WeightsAreRepetitions) {
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
    Parameters parameters = testing::plain_parameters();
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
    const Tree& tree = weighted.model.views[0].parts[0].encoders[0].front();
    EXPECT_NEAR(tree.nodes[0].cover, 120, 0.5);
  }
}

TEST(WeightedFit, EqualWeightsChangeNothingAndZeroWeightsRemoveTheirRows) {
  const auto views = testing::hermite_views(200, 1, 2, 2);
  Parameters parameters = testing::plain_parameters();
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

TEST(WeightedFit, ByteEqualForAnyNumberOfThreads) {
  const auto views = testing::hermite_views(300, 1, 2, 4);
  FitOptions options;
  for (Index i = 0; i < 300; ++i) options.sample_weight.push_back(static_cast<double>(i % 7) + 0.3);
  for (const char* trees : {"joint", "scalar"}) {
    Parameters parameters = testing::plain_parameters();
    set_from_text(parameters, "trees", trees);
    parameters.n_estimators = 10;
    parameters.n_jobs = 1;
    const std::string one = serialize_model(fit(views.views(), parameters, options).model, ModelFormat::json);
    parameters.n_jobs = 3;
    EXPECT_TRUE(serialize_model(fit(views.views(), parameters, options).model, ModelFormat::json) == one) << trees;
  }
}

}  // namespace
}  // namespace treecca

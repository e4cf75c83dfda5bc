// Whole fits with covariates: what they remove, and what survives.
#include <gtest/gtest.h>

#include <cmath>

#include "helpers/random_data.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"
#include "treecca/export.hpp"
#include "treecca/fit.hpp"
#include "treecca/metrics.hpp"
#include "treecca/permutation_test.hpp"
#include "treecca/ssl.hpp"

namespace treecca {
namespace {

/// Both views depend on age, one by its square; `real`: one feature of each also shares a relation of its own.
struct Confounded {
  explicit Confounded(double real, unsigned seed = 1, Index n = 240)
      : a(testing::normal_matrix(n, 4, 10 * seed)), b(testing::normal_matrix(n, 4, 10 * seed + 1)), rows(n) {
    const Matrix<float> latent = testing::normal_matrix(n, 2, 10 * seed + 2);
    Covariate age{"age", {}};
    for (Index i = 0; i < n; ++i) {
      const float u = latent(i, 0);
      a(i, 0) = 2 * u + 0.5F * a(i, 0);
      b(i, 0) = u * u + 2 * u + 0.5F * b(i, 0);
      a(i, 1) += static_cast<float>(real) * latent(i, 1);
      b(i, 1) += static_cast<float>(real) * latent(i, 1);
      age.values.push_back(50 + 10 * static_cast<double>(u));
    }
    options.covariates = {age};
  }
  std::vector<View> views() const { return {{"a", a, {}}, {"b", b, {}}}; }
  FitResult fitted(bool adjusted, Parameters parameters = {}) const {
    return fit(views(), parameters, adjusted ? options : FitOptions{});
  }
  Matrix<float> a, b;
  Index rows;
  FitOptions options;
};

Parameters one_component() {
  Parameters parameters;
  parameters.n_components = 1;
  return parameters;
}

TEST(Covariates, ARelationThroughAgeAloneIsRemovedAndARealOneSurvives) {
  double through_age = 0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Confounded confounded(0, seed);
    EXPECT_GT(confounded.fitted(false, one_component()).model.correlations.out_of_fold[0], 0.6);
    const Model model = confounded.fitted(true, one_component()).model;
    through_age += model.correlations.out_of_fold[0] / 5;
    EXPECT_FALSE(model.found()[0]);
    EXPECT_GT(model.correlations.linear_unadjusted[0], 0.5);
  }
  EXPECT_LT(std::abs(through_age), 0.15);  // its standard error is 0.05
  const Model real = Confounded(2).fitted(true, one_component()).model;
  EXPECT_GT(real.correlations.out_of_fold[0], 0.6);  // 4 / 5 is the correlation of the two features
  EXPECT_TRUE(real.found()[0]);
}

/// For every kind of fit: transform of the training rows gives their variates, which covariates do not explain.
TEST(Covariates, TransformSubtractsTheirEffect) {
  const Confounded confounded(2);
  for (const char* kind : {"auto", "linear", "plain", "one part"}) {
    Parameters parameters;
    parameters.n_estimators = 20;
    if (std::string(kind) == "linear") parameters.linear = 1.0;
    if (std::string(kind) == "plain") {
      parameters = Parameters::of_preset(Preset::plain);
      parameters.n_estimators = 20;
    }
    if (std::string(kind) == "one part") parameters.n_repeats = 0;
    const FitResult result = confounded.fitted(true, parameters);
    const Model loaded = parse_model(serialize_model(result.model, ModelFormat::json));
    EXPECT_EQ(loaded, result.model) << kind;
    for (Index v = 0; v < 2; ++v) {
      const Matrix<float> again =
          transform(loaded, v, v == 0 ? confounded.a : confounded.b, 1, confounded.options.covariates);
      double difference = 0, product = 0, square = 0, age_square = 0;
      for (Index i = 0; i < confounded.rows; ++i) {
        const double z = result.variates[static_cast<std::size_t>(v)](i, 0);
        const double age = confounded.options.covariates[0].values[static_cast<std::size_t>(i)] - 50;
        difference = std::max(difference, std::abs(again(i, 0) - z));
        product += z * age;
        square += z * z;
        age_square += age * age;
      }
      EXPECT_LT(difference, 1e-4) << kind;
      EXPECT_LT(std::abs(product) / std::sqrt(square * age_square), 0.2) << kind;
    }
    EXPECT_THROW(transform(loaded, 0, confounded.a), UsageError) << kind;
    EXPECT_THROW(export_view(loaded, 0, ExportFormat::onnx), UsageError) << kind;
  }
}

TEST(Covariates, PermutationTestAdjustsPermutedDataToo) {
  PermutationOptions options;
  options.n_permutations = 39;
  const Confounded confounded(0, 3, 120);
  EXPECT_LT(permutation_test(confounded.views(), one_component(), options).p_values[0], 0.05);
  options.fit.covariates = confounded.options.covariates;
  EXPECT_GT(permutation_test(confounded.views(), one_component(), options).p_values[0], 0.05);
  const Confounded real(2, 3, 120);
  options.fit.covariates = real.options.covariates;
  EXPECT_LT(permutation_test(real.views(), one_component(), options).p_values[0], 0.05);
}

TEST(Covariates, ThreadsDoNotMatterAndOneTableHasNone) {
  const Confounded confounded(1, 4, 100);
  Parameters parameters;
  parameters.n_estimators = 10;
  parameters.n_jobs = 1;
  const Model one = confounded.fitted(true, parameters).model;
  parameters.n_jobs = 2;
  EXPECT_EQ(one.views, confounded.fitted(true, parameters).model.views);
  SslOptions ssl;
  ssl.covariates = confounded.options.covariates;
  EXPECT_THROW(fit_ssl({"a", confounded.a, {}}, ssl_parameters(Preset::automatic), ssl), UsageError);
}

}  // namespace
}  // namespace treecca

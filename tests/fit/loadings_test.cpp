#include "fit/loadings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "helpers/random_data.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

/// By the definition, in one pass over copies.
double correlation(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& weight) {
  double n = 0, mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) continue;
    n += weight[i];
    mx += weight[i] * x[i];
    my += weight[i] * y[i];
  }
  mx /= n;
  my /= n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) continue;
    xx += weight[i] * (x[i] - mx) * (x[i] - mx);
    yy += weight[i] * (y[i] - my) * (y[i] - my);
    xy += weight[i] * (x[i] - mx) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

std::vector<double> column(const Matrix<float>& matrix, Index j) {
  std::vector<double> values;
  for (Index i = 0; i < matrix.rows(); ++i) values.push_back(matrix(i, j));
  return values;
}

struct Fitted {
  Fitted() : a(testing::normal_matrix(120, 3, 1)), b(testing::normal_matrix(120, 4, 2)) {
    for (Index i = 0; i < 120; ++i) {
      b(i, 1) = a(i, 0) + 0.5F * b(i, 1);
      if (i % 7 == 0) a(i, 0) = std::numeric_limits<float>::quiet_NaN();
      a(i, 2) = 1;  // constant
      options.sample_weight.push_back(i % 3 == 0 ? 2 : 1);
    }
    Parameters parameters;
    parameters.n_components = 2;
    parameters.n_estimators = 20;
    result = fit({{"a", a, {}}, {"b", b, {}}}, parameters, options);
  }
  Matrix<float> a, b;
  FitOptions options;
  FitResult result;
};

TEST(Loadings, AreWeightedCorrelationsOfPresentValuesWithOutOfFoldVariates) {
  const Fitted fitted;
  const Model& model = fitted.result.model;
  for (Index c = 0; c < 2; ++c) {
    const std::vector<double> own = column(fitted.result.out_of_fold[0], c);
    const std::vector<double> other = column(fitted.result.out_of_fold[1], c);
    for (Index j = 0; j < 2; ++j) {
      const std::vector<double> x = column(fitted.a, j);
      const std::vector<double>& weights = fitted.options.sample_weight;
      EXPECT_NEAR(model.views[0].loadings.own(j, c), correlation(x, own, weights), 6e-5);
      EXPECT_NEAR(model.views[0].loadings.cross(j, c), correlation(x, other, weights), 6e-5);
    }
    EXPECT_EQ(model.views[0].loadings.own(2, c), 0);  // constant
    EXPECT_EQ(model.views[0].loadings.own_errors(2, c), 0);
  }
  EXPECT_GT(std::abs(model.views[1].loadings.own(1, 0)), 0.8);
  EXPECT_GT(model.views[1].loadings.own(1, 0) * model.views[1].loadings.cross(1, 0), 0);
  // Out-of-fold variates have the signs and the order of the shipped ones.
  for (std::size_t v = 0; v < 2; ++v) {
    const std::vector<double> ones(120, 1.0);
    EXPECT_GT(correlation(column(fitted.result.out_of_fold[v], 0), column(fitted.result.variates[v], 0), ones), 0.5);
  }
}

/// The jackknife: each sample, or group, left out in turn. Errors below those of normal samples are not believed.
TEST(Loadings, StandardErrorsAreThoseOfTheJackknifeButNotBelowThoseOfNormalSamples) {
  const Index n = 200, groups = 40;
  const Matrix<float> noise = testing::normal_matrix(n, 2, 3), shared = testing::normal_matrix(groups, 1, 4);
  Matrix<float> x(n, 1), z(n, 1);
  SampleOptions grouped;
  for (Index i = 0; i < n; ++i) {
    const std::int64_t group = i % groups;
    grouped.groups.push_back(group);
    x(i, 0) = 2 * shared(group, 0) + noise(i, 0);
    z(i, 0) = 2 * shared(group, 0) + noise(i, 1);
  }
  Model model;
  model.views.resize(1);
  model.views[0].mean = {0.0};
  model.views[0].deviation = {1.0};
  for (const bool by_group : {false, true}) {
    const Samples samples = by_group ? Samples(n, grouped) : Samples(n);
    const Loadings loadings = loadings_of({{"x", x, {"x"}}}, model, {z}, true, samples, Threads(2))[0];
    const Index units = by_group ? groups : n;
    double mean = 0, squares = 0;
    for (Index left_out = 0; left_out < units; ++left_out) {
      std::vector<double> weights(static_cast<std::size_t>(n), 1.0);
      for (Index i = 0; i < n; ++i) {
        if ((by_group ? i % groups : i) == left_out) weights[static_cast<std::size_t>(i)] = 0;
      }
      const double r = correlation(column(x, 0), column(z, 0), weights);
      mean += r / static_cast<double>(units);
      squares += r * r / static_cast<double>(units);
    }
    const double jackknife = std::sqrt(static_cast<double>(units - 1) * (squares - mean * mean));
    const double r = loadings.own(0, 0);
    const double expected = std::max(jackknife, (1 - r * r) / std::sqrt(static_cast<double>(n)));
    EXPECT_NEAR(loadings.own_errors(0, 0), expected, 0.1 * expected) << by_group;
    EXPECT_TRUE(loadings.cross.empty());  // one view
  }
}

TEST(Loadings, ThreadsDoNotMatterAndWithoutFoldsThereAreNoCrossLoadings) {
  const Fitted fitted;
  Parameters parameters;
  parameters.preset = Preset::plain;
  parameters.n_estimators = 5;
  parameters.cross_fit = 0;
  const Model model = fit({{"a", fitted.a, {}}, {"b", fitted.b, {}}}, parameters).model;
  EXPECT_EQ(model.views[0].loadings.own.rows(), 3);
  EXPECT_TRUE(model.views[0].loadings.cross.empty());
  const auto with = [&](int threads) {
    return loadings_of({{"a", fitted.a, {}}, {"b", fitted.b, {}}}, fitted.result.model, fitted.result.out_of_fold, true,
                       Samples(120), Threads(threads));
  };
  EXPECT_EQ(with(1), with(3));
}

}  // namespace
}  // namespace treecca

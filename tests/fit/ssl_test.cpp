#include "treecca/ssl.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <numeric>

#include "helpers/oracles.hpp"
#include "support/random.hpp"
#include "train/augment.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr Index kLatents = 2;

/// The paper's sign-interaction data: every feature is a latent with a sign of its own, so that only sizes survive a
/// flip of signs and no linear encoder sees them.
struct SignData {
  Matrix<float> x;
  Matrix<double> sizes;  // N x kLatents: |Z|

  explicit SignData(Index n, Index p = 8) : x(n, p), sizes(n, kLatents) {
    const RandomKey latent(11, Draw::start, {1});
    const RandomKey sign(11, Draw::start, {2});
    for (Index i = 0; i < n; ++i) {
      for (Index l = 0; l < kLatents; ++l) {
        sizes(i, l) = std::fabs(latent.normal(static_cast<std::uint64_t>(i * kLatents + l)));
      }
      for (Index j = 0; j < p; ++j) {
        const double s = (sign.bits(static_cast<std::uint64_t>(i * p + j)) & 1U) != 0 ? 1 : -1;
        x(i, j) = static_cast<float>(s * sizes(i, j % kLatents));
      }
    }
  }
};

SslOptions flips() {
  SslOptions options;
  options.augmentation = {.sign_flip = true, .noise = 0.2};
  return options;
}

Parameters quick(Index rounds = 40) {
  Parameters parameters = ssl_parameters();
  parameters.n_components = kLatents;
  parameters.n_estimators = rounds;
  parameters.random_state = 1;
  return parameters;
}

/// Share of the variance of a column that two columns explain together.
double explained(const Matrix<double>& y, Index column, const Matrix<float>& z) {
  Eigen::MatrixXd a(z.rows(), z.cols() + 1);
  Eigen::VectorXd b(z.rows());
  for (Index i = 0; i < z.rows(); ++i) {
    for (Index c = 0; c < z.cols(); ++c) a(i, c) = z(i, c);
    a(i, z.cols()) = 1;
    b(i) = y(i, column);
  }
  const Eigen::VectorXd solution = testing::solve_symmetric(a.transpose() * a, a.transpose() * b);
  const double residual = (a * solution - b).squaredNorm();
  return 1 - residual / (b.array() - b.mean()).matrix().squaredNorm();
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(FitSsl, FindsWhatSurvivesAndLinearEncodersDoNot) {
  const SignData data(800);
  const FitResult result = fit_ssl({"x", data.x}, quick(), flips());
  ASSERT_EQ(result.variates.size(), 1U);
  for (Index l = 0; l < kLatents; ++l) EXPECT_GT(explained(data.sizes, l, result.variates[0]), 0.7) << l;
  EXPECT_GT(sum(result.model.correlations.in_sample), 1.6);
  EXPECT_LT(sum(result.model.correlations.linear_in_sample), 0.5);
  EXPECT_TRUE(result.model.correlations.out_of_fold.empty());
}

TEST(FitSsl, TransformGivesTheVariatesOfTheFitAndTheModelSurvivesItsFile) {
  const SignData data(300);
  const FitResult result = fit_ssl({"x", data.x}, quick(15), flips());
  EXPECT_EQ(transform(result.model, 0, data.x), result.variates[0]);
  check_model(result.model);
  EXPECT_EQ(parse_model(serialize_model(result.model, ModelFormat::ubjson)), result.model);
  for (Index c = 0; c < kLatents; ++c) {
    double mean = 0;
    for (Index i = 0; i < 300; ++i) mean += result.variates[0](i, c) / 300.0;
    EXPECT_NEAR(mean, 0, 1e-5);
  }
}

TEST(FitSsl, IsTheSameForAnyNumberOfThreads) {
  const SignData data(300);
  Parameters parameters = quick(8);
  parameters.subsample = 0.8;
  parameters.cross_fit = 3;
  std::string first;
  for (const Index threads : {1, 2, 4}) {
    parameters.n_jobs = threads;
    Model model = fit_ssl({"x", data.x}, parameters, flips()).model;
    model.parameters.n_jobs = -1;
    const std::string bytes = serialize_model(model, ModelFormat::json);
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes, first) << threads;
  }
}

TEST(FitSsl, OwnDisturbancesTakeThePlaceOfTheBuiltIn) {
  const SignData data(200);
  const Parameters parameters = quick(5);
  SslOptions own;
  const Augmenter augmenter(data.x, flips().augmentation, parameters.random_state, 1);
  own.augment = [&](Index round, int copy, Matrix<float>& out) { augmenter.draw(round, copy, out); };
  EXPECT_EQ(fit_ssl({"x", data.x}, parameters, own).model, fit_ssl({"x", data.x}, parameters, flips()).model);
}

TEST(FitSsl, CrossFittingTellsWhenNothingSurvives) {
  const SignData data(600);
  SslOptions destroyed;
  destroyed.augmentation = {.noise = 30};
  Parameters kept_start = quick(20);
  kept_start.init = Init::pca_scaled;
  kept_start.init_fade = 0;
  Parameters paper = ssl_parameters(Preset::paper);
  paper.n_components = 2;
  paper.n_estimators = 20;
  for (Parameters parameters : {quick(20), kept_start, paper}) {  // a start that both copies share is no relation
    parameters.cross_fit = 5;
    const FitResult result = fit_ssl({"x", data.x}, parameters, destroyed);
    const double standard_error = 1 / std::sqrt(600.0);
    ASSERT_FALSE(result.model.correlations.out_of_fold.empty());
    for (const double r : result.model.correlations.out_of_fold) EXPECT_LT(std::fabs(r), 4 * standard_error);
    EXPECT_LT(std::fabs(result.model.history.tcc.back()), 2 * 4 * standard_error);
    EXPECT_EQ(result.model.views[0].parts[0].encoders.size(), 5U);
  }
}

TEST(FitSsl, CrossFittedCorrelationsHoldForNewRows) {
  const SignData data(500);
  Parameters parameters = quick(30);
  parameters.cross_fit = 4;
  const FitResult result = fit_ssl({"x", data.x}, parameters, flips());
  EXPECT_GT(sum(result.model.correlations.out_of_fold), 1.4);
  EXPECT_LT(sum(result.model.correlations.out_of_fold), sum(result.model.correlations.in_sample) + 0.05);
}

TEST(FitSsl, ThePapersVariantLearnsFromOneCopy) {
  const SignData data(600);
  Parameters parameters = ssl_parameters(Preset::paper);
  EXPECT_EQ(parameters.n_estimators, 1500);
  parameters.n_components = kLatents;
  parameters.n_estimators = 200;
  SslOptions options = flips();
  options.rows = SslRows::symmetrised;
  const FitResult result = fit_ssl({"x", data.x}, parameters, options);
  EXPECT_GT(explained(data.sizes, 0, result.variates[0]) + explained(data.sizes, 1, result.variates[0]), 0.8);
  EXPECT_TRUE(result.model.views[0].base_margin.empty());
}

TEST(FitSsl, RefusesWhatMakesNoSenseForOneEncoder) {
  const SignData data(100);
  Parameters parameters = quick(3);
  parameters.early_stopping_rounds = 5;
  EXPECT_THROW(fit_ssl({"x", data.x}, parameters, flips()), UsageError);
  parameters = quick(3);
  parameters.schedule = Schedule::gauss_seidel;
  EXPECT_THROW(fit_ssl({"x", data.x}, parameters, flips()), UsageError);
  for (const PerView<Index>& screen : {PerView<Index>{}, PerView<Index>(5)}) {
    parameters = quick(3);
    parameters.screen = screen;
    EXPECT_THROW(fit_ssl({"x", data.x}, parameters, flips()), UsageError);
  }
  EXPECT_THROW(fit_ssl({"x", data.x}, quick(3), {}), UsageError);
  EXPECT_THROW(fit_ssl({"x", SignData(9).x}, quick(3), flips()), DataError);
  EXPECT_THROW(fit_ssl({"x", Matrix<float>(50, 3, 1.0F)}, quick(3), flips()), DataError);
  SslOptions groups = flips();
  groups.groups = {1, 2};
  EXPECT_THROW(fit_ssl({"x", data.x}, quick(3), groups), DataError);
  std::atomic<bool> stop{true};
  SslOptions stopped = flips();
  stopped.stop = &stop;
  EXPECT_THROW(fit_ssl({"x", data.x}, quick(3), stopped), Interrupted);
}

TEST(Ssl, WarnsOfColumnsWithoutAnyValue) {
  SignData data(100);
  for (Index i = 0; i < data.x.rows(); ++i) data.x(i, 2) = std::nanf("");
  Parameters parameters = ssl_parameters();
  parameters.n_estimators = 2;
  const FitResult result = fit_ssl({"table", data.x}, parameters, flips());
  EXPECT_EQ(result.warnings.at(0), "View \"table\" has columns without any value: \"f2\".");
}

}  // namespace
}  // namespace treecca

#include "fit/influence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

/// A fit with these out-of-fold variates, whose components were all found.
FitResult fitted(std::vector<Matrix<float>> variates) {
  FitResult result;
  Model& model = result.model;
  const auto m = variates.size();
  const auto k = static_cast<std::size_t>(variates[0].cols());
  model.parameters.n_components = variates[0].cols();
  model.n_samples = static_cast<std::uint64_t>(variates[0].rows());
  model.effective_samples = static_cast<double>(model.n_samples);
  for (std::size_t v = 0; v < m; ++v) model.views.emplace_back().name = std::string(1, static_cast<char>('a' + v));
  model.correlations.pairwise.assign(m * m * k, 0.9);
  model.correlations.pairwise_noise_thresholds.assign(m * m * k, 0.1);
  model.correlations.out_of_fold.assign(k, 0.9);
  model.correlations.noise_thresholds.assign(k, 0.1);
  result.out_of_fold = std::move(variates);
  return result;
}

Matrix<float> with_value(Matrix<float> z, Index row, Index component, float value) {
  z(row, component) = value;
  return z;
}

TEST(DecisiveSamples, NoneAmongOrdinaryRows) {
  const Matrix<float> z = testing::normal_matrix(30, 2, 1);
  EXPECT_EQ(decisive_samples(fitted({z, z}), Samples(30)), "");
  FitResult nothing = fitted({z, z});
  nothing.out_of_fold.clear();
  EXPECT_EQ(decisive_samples(nothing, Samples(30)), "");
}

TEST(DecisiveSamples, AnOutlierInBothViewsIsNamed) {
  const Matrix<float> a = with_value(testing::normal_matrix(200, 2, 1), 17, 1, 500);
  Matrix<float> b = with_value(testing::normal_matrix(200, 2, 2), 17, 1, 300);
  for (Index i = 0; i < 200; ++i) b(i, 0) = a(i, 0);
  EXPECT_EQ(
      decisive_samples(fitted({a, b}), Samples(200)),
      "Component 2 depends on one sample, 18 (counted from 1), which contributes 100% of its covariance. Check it in "
      "all views. If the values are wrong, leave it out; if they are right, mention this when you report the "
      "correlation.");
  const Matrix<float> both_a = with_value(a, 17, 0, 400);
  const Matrix<float> both_b = with_value(b, 17, 0, 400);
  EXPECT_NE(decisive_samples(fitted({both_a, both_b}), Samples(200)).find("of its covariance (likewise component"),
            std::string::npos);
  SampleOptions about;
  for (int i = 0; i < 200; ++i) about.names.push_back("s" + std::to_string(i));
  EXPECT_TRUE(decisive_samples(fitted({a, b}), Samples(200, about))
                  .starts_with("Component 2 depends on one sample, \"s17\", which contributes"));
  FitResult not_found = fitted({a, b});
  for (double& threshold : not_found.model.correlations.pairwise_noise_thresholds) threshold = 1;
  EXPECT_EQ(decisive_samples(not_found, Samples(200)), "");
  // In one view alone it makes no correlation.
  EXPECT_EQ(
      decisive_samples(fitted({testing::normal_matrix(200, 2, 1), testing::normal_matrix(200, 2, 1)}), Samples(200)),
      "");
}

TEST(DecisiveSamples, AFewTogether) {
  Matrix<float> a = testing::normal_matrix(300, 1, 1);
  Matrix<float> b = testing::normal_matrix(300, 1, 2);
  const Matrix<float> other = testing::normal_matrix(300, 1, 3);
  for (const Index i : {5, 50, 250}) a(i, 0) = b(i, 0) = 100;
  const std::string text = decisive_samples(fitted({a, other, b}), Samples(300));
  EXPECT_TRUE(
      text.starts_with("Component 1 of views \"a\" and \"c\" depends on 2 samples, 6 and 51 (counted from 1), "
                       "which contribute 67% of its covariance. Check them"))
      << text;
}

TEST(DecisiveSamples, OfAllProcesses) {
  const Matrix<float> a = with_value(testing::normal_matrix(60, 1, 1), 41, 0, 500);
  const Matrix<float> b = with_value(testing::normal_matrix(60, 1, 2), 41, 0, 300);
  const std::string expected = decisive_samples(fitted({a, b}), Samples(60));
  EXPECT_NE(expected, "");
  testing::run_all_workers(3, [&](Communicator& communicator) {
    SampleOptions about;
    about.communicator = &communicator;
    std::vector<Matrix<float>> own(2, Matrix<float>(20, 1));
    for (Index i = 0; i < 20; ++i) {
      own[0](i, 0) = a(20 * communicator.rank() + i, 0);
      own[1](i, 0) = b(20 * communicator.rank() + i, 0);
    }
    EXPECT_EQ(decisive_samples(fitted(own), Samples(20, about)), expected);
  });
}

}  // namespace
}  // namespace treecca

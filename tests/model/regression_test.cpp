#include <gtest/gtest.h>

#include <cmath>

#include "helpers/synthetic_views.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

/// Least squares without an intercept: both columns are centred.
double slope(const Matrix<float>& from, const Matrix<float>& to, Index column) {
  double product = 0;
  double square = 0;
  for (Index i = 0; i < from.rows(); ++i) {
    product += static_cast<double>(from(i, column)) * to(i, column);
    square += static_cast<double>(from(i, column)) * from(i, column);
  }
  return product / square;
}

FitResult small_fit(bool rotate, Index cross_fit) {
  const auto views = testing::linear_views(300, 4, 6, 2, 0.7, 1);
  Parameters parameters;
  parameters.n_estimators = 40;
  parameters.rotate = rotate;
  parameters.cross_fit = cross_fit;
  return fit(views.views(), parameters);
}

TEST(Regression, IsLeastSquaresOfTheVariatesThatTheCorrelationsAreOf) {
  for (const Index folds : {Index{0}, Index{4}}) {
    const FitResult unrotated = small_fit(false, folds);
    const auto& variates = folds == 0 ? unrotated.variates : unrotated.out_of_fold;
    const std::vector<double> forth = regression(unrotated.model, 0, 1);
    const std::vector<double> back = regression(unrotated.model, 1, 0);
    for (Index c = 0; c < 2; ++c) {
      const auto at = static_cast<std::size_t>(c);
      EXPECT_NEAR(forth[at], slope(variates[0], variates[1], c), 0.01);
      EXPECT_NEAR(back[at], slope(variates[1], variates[0], c), 0.01);
      EXPECT_NEAR(forth[at] * back[at], std::pow(unrotated.model.correlations.pairwise[2 + at], 2), 1e-9);
    }
    EXPECT_GT(std::abs(forth[0] - back[0]), 1e-3);  // the variances differ
  }
}

TEST(Regression, OfRotatedVariatesIsTheCorrelation) {
  const FitResult result = small_fit(true, 4);
  const std::vector<double> slopes = regression(result.model, 0, 1);
  for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(slopes[c], result.model.correlations.pairwise[2 + c]);
  EXPECT_EQ(regression(result.model, 1, 1), (std::vector<double>{1, 1}));
}

TEST(Regression, ViewNumbersAreChecked) {
  const Model model = small_fit(true, 0).model;
  expect_error<UsageError>([&] { regression(model, 0, 2); }, {"views 0 to 1; 0 and 2"});
  expect_error<UsageError>([&] { regression(model, -1, 0); }, {"views 0 to 1; -1 and 0"});
}

}  // namespace
}  // namespace treecca

#include "linear/cca.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "helpers/eigen_matrices.hpp"
#include "helpers/oracles.hpp"
#include "helpers/random_data.hpp"
#include "linear/textbook_cca.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Folds by the fold of every row; empty, or one fold: none is held out.
LinearBaseline baseline(const std::vector<MatrixView>& views, Index k, const std::vector<int>& fold_of_row, int folds,
                        std::uint64_t seed, Threads threads,
                        const std::vector<std::vector<MatrixView>>& views_of_fold = {}) {
  const Samples samples(views[0].rows());
  const Folds split = folds > 1 ? Folds::assigned(samples, folds, true, fold_of_row) : Folds::all_rows(samples);
  return linear_baseline(views, split, k, seed, threads, views_of_fold);
}

TEST(LinearBaseline, FindsTheKnownCorrelationsOfGaussianViews) {
  const std::vector<double> rho = {0.95, 0.7, 0.4};
  const auto data = gaussian_views(20000, 6, rho, 1);
  const LinearBaseline fit = baseline(as_views(data), 4, folds_of(20000, 5), 5, 0, 2);
  ASSERT_EQ(fit.out_of_fold.size(), 4u);
  ASSERT_EQ(fit.in_sample.size(), 4u);
  EXPECT_LE(fit.shrinkage, 0.01);
  for (std::size_t c = 0; c < rho.size(); ++c) {
    EXPECT_NEAR(fit.out_of_fold[c], rho[c], 0.02);
    EXPECT_NEAR(fit.in_sample[c], rho[c], 0.02);
  }
  EXPECT_NEAR(fit.out_of_fold[3], 0, 0.03);
}

TEST(LinearBaseline, EveryFoldMayHaveViewsOfItsOwn) {
  const auto data = gaussian_views(400, 4, {0.9}, 2);
  const std::vector<MatrixView> views = as_views(data);
  const std::vector<int> fold_of_row = folds_of(400, 2);
  const LinearBaseline all = baseline(views, 1, fold_of_row, 2, 0, 1);
  const LinearBaseline same = baseline(views, 1, fold_of_row, 2, 0, 1, {views, views});
  EXPECT_EQ(same.out_of_fold, all.out_of_fold);
  const Matrix<float> noise = testing::normal_matrix(400, 2, 9);
  const std::vector<MatrixView> blind{views[0], noise};
  const LinearBaseline half = baseline(views, 1, fold_of_row, 2, 0, 1, {views, blind});
  EXPECT_EQ(half.in_sample, all.in_sample);
  EXPECT_LT(half.out_of_fold[0], all.out_of_fold[0] - 0.2);
  EXPECT_GT(half.out_of_fold[0], 0.2);
}

TEST(LinearBaseline, InSampleEqualsTheTextbook) {
  const auto data = gaussian_views(500, 5, {0.9, 0.6, 0.3}, 5);
  const LinearBaseline fit = baseline(as_views(data), 3, {}, 0, 0, 1);
  EXPECT_TRUE(fit.out_of_fold.empty());
  EXPECT_EQ(fit.shrinkage, 0);
  const MatrixXd x = standardised(data[0]);
  const MatrixXd y = standardised(data[1]);
  const Textbook cca = textbook_cca(x, y, 0, 3);
  for (Index c = 0; c < 3; ++c) {
    const VectorXd a = (x * cca.first.col(c)).normalized();
    const VectorXd b = (y * cca.second.col(c)).normalized();
    EXPECT_NEAR(fit.in_sample[static_cast<std::size_t>(c)], a.dot(b), 1e-8);
  }
}

TEST(LinearBaseline, OutOfFoldEqualsFittingAndPredictingRowByRow) {
  const Index n = 150;
  const int folds = 4;
  const auto data = gaussian_views(n, 12, {0.9, 0.6}, 7);
  const std::vector<int> fold_of_row = folds_of(n, folds);
  const LinearBaseline fit = baseline(as_views(data), 1, fold_of_row, folds, 0, 2);
  const MatrixXd x = standardised(data[0]);
  const MatrixXd y = standardised(data[1]);
  double cross = 0;
  double first = 0;
  double second = 0;
  for (int f = 0; f < folds; ++f) {
    std::vector<Index> own;
    std::vector<Index> rest;
    for (Index i = 0; i < n; ++i) {
      (fold_of_row[static_cast<std::size_t>(i)] == f ? own : rest).push_back(i);
    }
    const MatrixXd x_rest = x(rest, Eigen::all);
    const MatrixXd y_rest = y(rest, Eigen::all);
    const Textbook cca = textbook_cca(x_rest, y_rest, fit.shrinkage, 1);
    const double x_scale = centred(x_rest * cca.first).norm() / std::sqrt(rest.size() - 1.0);
    const double y_scale = centred(y_rest * cca.second).norm() / std::sqrt(rest.size() - 1.0);
    const VectorXd a = centred(x(own, Eigen::all) * cca.first) / x_scale;
    const VectorXd b = centred(y(own, Eigen::all) * cca.second) / y_scale;
    cross += a.dot(b);
    first += a.squaredNorm();
    second += b.squaredNorm();
  }
  EXPECT_NEAR(fit.out_of_fold[0], cross / std::sqrt(first * second), 1e-8);
}

/// Three views that share one signal, p columns each: in sample, against the generalised
/// eigenproblem of all covariances against those within views, ridge as reported.
void expect_textbook_mcca(Index n, Index p, double tolerance) {
  const MatrixXd common = random_normal(n, 1, 20);
  std::vector<Matrix<float>> data;
  MatrixXd all(n, 3 * p);
  for (Index v = 0; v < 3; ++v) {
    MatrixXd x = random_normal(n, p, 21 + static_cast<std::uint64_t>(v));
    x.col(0) += 2 * common;
    data.push_back(to_matrix<float>(x * random_normal(p, p, 31 + static_cast<std::uint64_t>(v))));
    all.middleCols(v * p, p) = standardised(data.back());
  }
  const LinearBaseline fit = baseline(as_views(data), 1, {}, 0, 0, 1);

  const MatrixXd s = covariance_of(all);
  MatrixXd within = fit.shrinkage * MatrixXd::Identity(3 * p, 3 * p);  // variances are 1
  for (Index v = 0; v < 3; ++v) {
    within.block(v * p, v * p, p, p) += (1 - fit.shrinkage) * s.block(v * p, v * p, p, p);
  }
  MatrixXd between = s;
  for (Index v = 0; v < 3; ++v) between.block(v * p, v * p, p, p).setZero();
  const VectorXd leading = testing::generalised_eigenproblem(between, within).vectors.col(3 * p - 1);
  std::vector<VectorXd> variates;
  for (Index v = 0; v < 3; ++v) {
    variates.push_back((all.middleCols(v * p, p) * leading.segment(v * p, p)).normalized());
  }
  const double total = variates[0].dot(variates[1]) + variates[0].dot(variates[2]) + variates[1].dot(variates[2]);
  EXPECT_NEAR(fit.in_sample[0], total / 3, tolerance);
}

TEST(LinearBaseline, ThreeViewsEqualTheTextbookOfMcca) {
  expect_textbook_mcca(400, 4, 1e-8);     // without shrinkage
  expect_textbook_mcca(60, 10, 1e-8);     // with shrinkage
  expect_textbook_mcca(1000, 180, 1e-6);  // by iteration
}

TEST(LinearBaseline, IndependentViewsHaveNothingOutOfFold) {
  const Index n = 1000;
  for (const int m : {2, 3}) {
    std::vector<Matrix<float>> data;
    for (int v = 0; v < m; ++v) {
      data.push_back(to_matrix<float>(random_normal(n, 20, 40 + static_cast<std::uint64_t>(v))));
    }
    const LinearBaseline fit = baseline(as_views(data), 3, folds_of(n, 5), 5, 0, 2);
    EXPECT_GT(fit.in_sample[0], 0.15);
    ASSERT_EQ(fit.out_of_fold.size(), 3U);
    for (const double value : fit.out_of_fold) EXPECT_LT(std::abs(value), 0.1);
  }
}

TEST(LinearBaseline, AFoldThatIsShiftedIsNotACorrelation) {
  const Index n = 600;
  std::vector<Matrix<float>> data = {to_matrix<float>(random_normal(n, 4, 50)),
                                     to_matrix<float>(random_normal(n, 4, 51))};
  const std::vector<int> fold_of_row = folds_of(n, 3);
  for (Matrix<float>& x : data) {
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < 4; ++j) {
        x(i, j) += 10.0f * static_cast<float>(fold_of_row[static_cast<std::size_t>(i)]);
      }
    }
  }
  const LinearBaseline fit = baseline(as_views(data), 1, fold_of_row, 3, 0, 1);
  EXPECT_GT(fit.in_sample[0], 0.9);
  EXPECT_LT(std::abs(fit.out_of_fold[0]), 0.15);
}

TEST(LinearBaseline, StrongSignalInWideViewsWithFewRows) {
  const Index n = 120;
  const MatrixXd common = random_normal(n, 2, 60);
  std::vector<Matrix<float>> data;
  for (const Index p : {300, 500}) {
    data.push_back(to_matrix<float>(common * random_normal(2, p, 61 + static_cast<std::uint64_t>(p)) +
                                    random_normal(n, p, 62 + static_cast<std::uint64_t>(p))));
  }
  const LinearBaseline fit = baseline(as_views(data), 2, folds_of(n, 5), 5, 0, 2);
  EXPECT_GT(fit.out_of_fold[0], 0.95);
  EXPECT_GT(fit.out_of_fold[1], 0.9);
  EXPECT_GT(fit.shrinkage, 0);
}

TEST(LinearBaseline, MoreComponentsThanDimensionsAreZero) {
  auto data = gaussian_views(300, 2, {0.9, 0.5}, 80);
  data.push_back(to_matrix<float>(random_normal(300, 3, 85)));
  for (const std::size_t m : {2, 3}) {
    std::vector<MatrixView> views(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(m));
    const LinearBaseline fit = baseline(views, 5, folds_of(300, 3), 3, 0, 1);
    ASSERT_EQ(fit.in_sample.size(), 5u);
    ASSERT_EQ(fit.out_of_fold.size(), 5u);
    for (int c = m == 2 ? 2 : 3; c < 5; ++c) {
      EXPECT_EQ(fit.in_sample[c], 0);
      EXPECT_EQ(fit.out_of_fold[c], 0);
    }
  }
}

TEST(LinearBaseline, DegenerateViewsGiveNumbers) {
  const Index n = 60;
  const float missing = std::numeric_limits<float>::quiet_NaN();
  const Matrix<float> good = to_matrix<float>(random_normal(n, 3, 90));
  MatrixXd repeated(n, 5);
  for (Index j = 0; j < 5; ++j) repeated.col(j) = to_eigen(good).col(0) * (1.0 + static_cast<double>(j));
  Matrix<float> gaps = good;
  for (Index i = 0; i < n; i += 3) gaps(i, i % 2) = missing;
  const std::vector<Matrix<float>> odd = {Matrix<float>(n, 2, 4.0f),
                                          Matrix<float>(n, 80, 4.0f),
                                          Matrix<float>(n, 2, missing),
                                          to_matrix<float>(repeated),
                                          gaps,
                                          to_matrix<float>(1e-12 * to_eigen(good)),
                                          to_matrix<float>(1e12 * to_eigen(good))};
  for (const Matrix<float>& view : odd) {
    for (const std::vector<MatrixView>& views :
         {std::vector<MatrixView>{good, view}, std::vector<MatrixView>{view, good, good}}) {
      for (const bool with_folds : {false, true}) {
        const LinearBaseline fit =
            baseline(views, 4, with_folds ? folds_of(n, 5) : std::vector<int>{}, with_folds ? 5 : 0, 0, 1);
        for (const auto& values : {fit.in_sample, fit.out_of_fold}) {
          for (const double value : values) {
            EXPECT_TRUE(value >= -1 && value <= 1) << value;
          }
        }
      }
    }
  }
  const LinearBaseline constant = baseline({good, odd[0]}, 2, folds_of(n, 5), 5, 0, 1);
  EXPECT_EQ(sum(constant.in_sample), 0);
  EXPECT_EQ(sum(constant.out_of_fold), 0);
  const LinearBaseline equal = baseline({good, odd[6]}, 3, folds_of(n, 5), 5, 0, 1);
  EXPECT_NEAR(sum(equal.out_of_fold), 3, 1e-4);
}

TEST(LinearBaseline, EmptyFoldsAndVeryFewRows) {
  const Matrix<float> x = to_matrix<float>(random_normal(4, 3, 95));
  const Matrix<float> y = to_matrix<float>(random_normal(4, 3, 96));
  const LinearBaseline fit = baseline({x, y}, 2, {0, 0, 2, 2}, 3, 0, 1);
  ASSERT_EQ(fit.out_of_fold.size(), 2U);
  for (const double value : fit.out_of_fold) EXPECT_TRUE(std::abs(value) <= 1);
  const LinearBaseline one_fold = baseline({x, y}, 2, {0, 0, 0, 0}, 1, 0, 1);
  EXPECT_TRUE(one_fold.out_of_fold.empty());
  EXPECT_EQ(one_fold.shrinkage, 0.1);
}

TEST(LinearBaseline, EqualBitsForAnyNumberOfThreads) {
  for (const Index p : {6, 300}) {
    const auto data = gaussian_views(400, p, {0.9, 0.6}, 100);
    const LinearBaseline one = baseline(as_views(data), 3, folds_of(400, 5), 5, 3, 1);
    for (const int threads : {2, 4}) {
      const LinearBaseline more = baseline(as_views(data), 3, folds_of(400, 5), 5, 3, threads);
      EXPECT_EQ(one.out_of_fold, more.out_of_fold);
      EXPECT_EQ(one.in_sample, more.in_sample);
      EXPECT_EQ(one.shrinkage, more.shrinkage);
    }
  }
}

}  // namespace
}  // namespace treecca

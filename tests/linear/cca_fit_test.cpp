// Tests src/linear/cca.hpp as a result of its own: maps and parts. The baseline is tested in cca_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "helpers/folds.hpp"
#include "helpers/thread_workers.hpp"
#include "linear/cca.hpp"
#include "linear/linear_map.hpp"
#include "linear/textbook_cca.hpp"
#include "support/parallel.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Every fourth row left out, the others in `folds` folds.
std::vector<int> part_of(Index n, int folds) {
  std::vector<int> of_row = folds_of(n, folds);
  for (Index i = 0; i < n; i += 4) of_row[static_cast<std::size_t>(i)] = -1;
  return of_row;
}

LinearFit fit_part(const std::vector<Matrix<float>>& data, Index k, int folds, Threads threads = 1) {
  const Samples samples(data[0].rows());
  const LinearViews views(as_views(data), samples, 1, threads);
  const Folds part = Folds::assigned(samples, folds, true, part_of(data[0].rows(), folds));
  return fit_linear_cca(views, part, k, 1, threads);
}

MatrixXd variates(const LinearFit& fit, const std::vector<Matrix<float>>& data, std::size_t v) {
  return to_eigen(linear_scores(fit.maps[v], data[v], 1));
}

double correlation(const VectorXd& a, const VectorXd& b) {
  return centred(a).col(0).normalized().dot(centred(b).col(0).normalized());
}

std::vector<Index> rows_where(const std::vector<int>& of_row, const std::function<bool(int)>& wanted) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < of_row.size(); ++i) {
    if (wanted(of_row[i])) rows.push_back(static_cast<Index>(i));
  }
  return rows;
}

void expect_near(const LinearFit& a, const LinearFit& b, double tolerance) {
  EXPECT_EQ(a.shrinkage, b.shrinkage);
  for (std::size_t v = 0; v < a.maps.size(); ++v) {
    const MatrixXd first = to_eigen(a.maps[v].weights);
    EXPECT_LT((first - to_eigen(b.maps[v].weights)).norm(), tolerance * first.norm());
  }
}

TEST(LinearFit, EqualsTheTextbookOnTheRowsOfThePart) {
  const Index n = 120;
  const auto data = gaussian_views(n, 9, {0.9, 0.6}, 1);
  const std::vector<int> of_row = part_of(n, 3);
  const MatrixXd x = standardised(data[0]);  // over all rows
  const MatrixXd y = standardised(data[1]);
  // The shrinkage: each fold by the textbook on the others, covariances pooled. One component: nothing to rotate.
  double best = 0;
  double shrinkage = -1;
  for (const double tried : {0.0, 0.01, 0.1, 0.3, 0.6, 0.9}) {
    double cross = 0, first = 0, second = 0;
    for (int f = 0; f < 3; ++f) {
      const auto own = rows_where(of_row, [&](int fold) { return fold == f; });
      const auto rest = rows_where(of_row, [&](int fold) { return fold >= 0 && fold != f; });
      const Textbook cca = textbook_cca(x(rest, Eigen::all), y(rest, Eigen::all), tried, 1);
      const double scale_a = std::sqrt(covariance_of(x(rest, Eigen::all) * cca.first)(0, 0));
      const double scale_b = std::sqrt(covariance_of(y(rest, Eigen::all) * cca.second)(0, 0));
      const VectorXd a = centred(x(own, Eigen::all) * cca.first) / scale_a;
      const VectorXd b = centred(y(own, Eigen::all) * cca.second) / scale_b;
      cross += a.dot(b);
      first += a.squaredNorm();
      second += b.squaredNorm();
    }
    if (cross / std::sqrt(first * second) > best) {
      best = cross / std::sqrt(first * second);
      shrinkage = tried;
    }
  }
  const LinearFit fit = fit_part(data, 1, 3);
  EXPECT_EQ(fit.shrinkage, shrinkage);
  const auto part = rows_where(of_row, [](int fold) { return fold >= 0; });
  const Textbook cca = textbook_cca(x(part, Eigen::all), y(part, Eigen::all), shrinkage, 1);
  const MatrixXd a = variates(fit, data, 0);
  const MatrixXd b = variates(fit, data, 1);
  EXPECT_NEAR(covariance_of(a(part, Eigen::all))(0, 0), 1, 1e-6);
  EXPECT_NEAR(covariance_of(b(part, Eigen::all))(0, 0), 1, 1e-6);
  EXPECT_NEAR(std::abs(correlation(a, x * cca.first)), 1, 1e-8);  // of all rows, also those left out
  EXPECT_NEAR(std::abs(correlation(b, y * cca.second)), 1, 1e-8);
  EXPECT_GT(correlation(a, b), 0.8);
}

TEST(LinearFit, VariatesOfTheRowsFittedAreDecorrelatedAndOrdered) {
  auto data = gaussian_views(300, 30, {0.9, 0.7, 0.5}, 5);
  data.push_back(to_matrix<float>(to_eigen(data[0]).leftCols(12) + random_normal(300, 12, 6)));
  for (Index i = 0; i < 300; i += 7) data[1](i, i % 30) = std::numeric_limits<float>::quiet_NaN();
  const LinearFit fit = fit_part(data, 3, 3);
  const auto part = rows_where(part_of(300, 3), [](int fold) { return fold >= 0; });
  double before = 1;
  for (Index c = 0; c < 3; ++c) {
    double mean = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const MatrixXd own = variates(fit, data, i)(part, Eigen::all);
      EXPECT_TRUE(covariance_of(own).isIdentity(1e-5));
      for (std::size_t j = 0; j < i; ++j) {
        mean += correlation(own.col(c), variates(fit, data, j)(part, Eigen::all).col(c)) / 3;
      }
    }
    EXPECT_LE(mean, before);
    before = mean;
  }
  EXPECT_GT(before, 0);
}

/// View 1 with its rows exchanged in pairs, where `left_out` says whether those of the part or the others.
std::vector<Matrix<float>> exchanged(std::vector<Matrix<float>> data, const std::vector<int>& of_row, bool left_out) {
  const auto rows = rows_where(of_row, [&](int fold) { return (fold < 0) == left_out; });
  for (std::size_t r = 0; r + 1 < rows.size(); r += 2) {
    std::swap_ranges(data[1].row(rows[r]), data[1].row(rows[r]) + data[1].cols(), data[1].row(rows[r + 1]));
  }
  return data;
}

TEST(LinearFit, DoesNotKnowHowRowsLeftOutArePaired) {
  for (const Index p : {6, 150}) {  // as it is; by principal axes
    const auto data = gaussian_views(200, p, {0.9}, 9);
    const LinearFit fit = fit_part(data, 2, 3);
    expect_near(fit, fit_part(exchanged(data, part_of(200, 3), true), 2, 3), 1e-6);
    const LinearFit other = fit_part(exchanged(data, part_of(200, 3), false), 2, 3);
    EXPECT_GT((to_eigen(fit.maps[0].weights) - to_eigen(other.maps[0].weights)).norm(), 0.1);
  }
}

TEST(LinearFit, FewOfManyFeaturesWithEnoughRows) {
  const Index n = 3000;
  const Index p = 600;
  const auto make = [&](Index rows, std::uint64_t seed) {
    const MatrixXd x = random_normal(rows, p, seed);
    MatrixXd y = random_normal(rows, p, seed + 1);
    for (const Index j : {10, 200, 399}) y.col(j) = 0.95 * x.col(j + 100) + std::sqrt(1 - 0.95 * 0.95) * y.col(j);
    return std::vector<Matrix<float>>{to_matrix<float>(x), to_matrix<float>(y)};
  };
  const LinearFit fit = fit_part(make(n, 11), 3, 3, 2);
  const auto fresh = make(1000, 13);
  for (Index c = 0; c < 3; ++c) {
    EXPECT_GT(correlation(variates(fit, fresh, 0).col(c), variates(fit, fresh, 1).col(c)), 0.8);
  }
}

TEST(LinearFit, WeightsCountAsRepeatedRows) {
  const Index n = 200;
  const auto data = gaussian_views(n, 4, {0.9, 0.5}, 15);
  std::vector<double> weights;
  std::vector<Index> rows;
  const std::vector<int> of_row = part_of(n, 3);
  std::vector<int> of_copy;
  for (Index i = 0; i < n; ++i) {
    weights.push_back(static_cast<double>(1 + i % 3));
    for (Index copy = 0; copy <= i % 3; ++copy) {
      rows.push_back(i);
      of_copy.push_back(of_row[static_cast<std::size_t>(i)]);
    }
  }
  std::vector<Matrix<float>> repeated;
  for (const auto& x : data) repeated.push_back(to_matrix<float>(to_eigen(x)(rows, Eigen::all)));
  const Samples weighted(n, testing::with_weights(weights));
  const Samples longer(static_cast<Index>(rows.size()));
  const LinearFit a =
      fit_linear_cca(LinearViews(as_views(data), weighted, 1, 1), Folds::assigned(weighted, 3, true, of_row), 2, 1, 1);
  const LinearFit b =
      fit_linear_cca(LinearViews(as_views(repeated), longer, 1, 1), Folds::assigned(longer, 3, true, of_copy), 2, 1, 1);
  ASSERT_EQ(a.shrinkage, 0);  // with shrinkage it matters that columns are standardised without weights
  ASSERT_EQ(b.shrinkage, 0);
  for (std::size_t v = 0; v < 2; ++v) {
    for (Index c = 0; c < 2; ++c) {
      EXPECT_NEAR(correlation(variates(a, data, v).col(c), variates(b, data, v).col(c)), 1, 1e-8);
    }
  }
  const LinearFit plain = fit_part(data, 2, 3);
  EXPECT_LT(correlation(variates(a, data, 0).col(1), variates(plain, data, 0).col(1)), 1 - 1e-4);
}

TEST(LinearFit, MapsWithoutFoldsPredictWhatTheBaselineReports) {
  const Index n = 240;
  const auto data = gaussian_views(n, 20, {0.9, 0.6}, 21);
  const Samples samples(n);
  const Folds folds = Folds::assigned(samples, 4, true, folds_of(n, 4));
  const auto fits = fit_linear_cca_without_folds(LinearViews(as_views(data), samples, 1, 1), folds, 2, 1, 2);
  ASSERT_EQ(fits.size(), 4U);
  MatrixXd sums = MatrixXd::Zero(2, 3);  // per component: cross products, squares
  for (int f = 0; f < 4; ++f) {
    const auto own = rows_where(folds.of_row, [&](int fold) { return fold == f; });
    const MatrixXd a = centred(variates(fits[static_cast<std::size_t>(f)], data, 0)(own, Eigen::all));
    const MatrixXd b = centred(variates(fits[static_cast<std::size_t>(f)], data, 1)(own, Eigen::all));
    for (Index c = 0; c < 2; ++c) {
      sums.row(c) += Eigen::RowVector3d(a.col(c).dot(b.col(c)), a.col(c).squaredNorm(), b.col(c).squaredNorm());
    }
  }
  std::vector<double> pooled;
  for (Index c = 0; c < 2; ++c) pooled.push_back(sums(c, 0) / std::sqrt(sums(c, 1) * sums(c, 2)));
  std::sort(pooled.begin(), pooled.end(), std::greater<>());
  const LinearBaseline baseline = linear_baseline(as_views(data), folds, 2, 1, 1);
  for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(pooled[c], baseline.out_of_fold[c], 1e-6);
}

TEST(LinearFit, MoreComponentsThanDimensionsAreZero) {
  auto data = gaussian_views(300, 2, {0.9, 0.5}, 23);
  for (Index i = 0; i < 300; ++i) data[1](i, 1) = 4;  // one of two columns is constant
  data.push_back(Matrix<float>(300, 3, 1.0f));        // all are
  const LinearFit fit = fit_part(data, 4, 3);
  for (std::size_t v = 0; v < 3; ++v) {
    const MatrixXd weights = to_eigen(fit.maps[v].weights);
    ASSERT_EQ(weights.cols(), 4);
    EXPECT_TRUE(weights.allFinite());
    for (Index c = 2 - static_cast<Index>(v); c < 4; ++c) EXPECT_TRUE(weights.col(c).isZero(0)) << v << " " << c;
  }
  EXPECT_GT(to_eigen(fit.maps[1].weights).col(0).norm(), 0);
}

TEST(LinearFit, EqualBitsForAnyNumberOfThreadsAndInJobs) {
  for (const Index p : {6, 140, 300}) {
    auto data = gaussian_views(420, p, {0.9, 0.6}, 25);
    const LinearFit one = fit_part(data, 3, 3, 1);
    const LinearFit four = fit_part(data, 3, 3, 4);
    EXPECT_EQ(one.shrinkage, four.shrinkage);
    EXPECT_EQ(one.maps, four.maps);

    const Samples samples(420);
    const LinearViews views(as_views(data), samples, 1, 1);
    const Folds part = Folds::assigned(samples, 3, true, part_of(420, 3));
    std::vector<LinearFit> jobs(3);
    parallel_for(3, 3, [&](Index j) { jobs[static_cast<std::size_t>(j)] = fit_linear_cca(views, part, 3, 1, 1); });
    for (const LinearFit& job : jobs) EXPECT_EQ(job.maps, one.maps);
  }
}

TEST(LinearFit, RowsInSeveralProcessesGiveTheSameMaps) {
  const Index n = 180;
  const auto data = gaussian_views(n, 12, {0.9}, 27);
  const LinearFit alone = fit_part(data, 2, 3);
  const std::vector<int> of_row = part_of(n, 3);
  testing::run_all_workers(2, [&](Communicator& communicator) {
    const Index begin = communicator.rank() == 0 ? 0 : 70;
    const Index end = communicator.rank() == 0 ? 70 : n;
    std::vector<MatrixView> own;
    for (const auto& x : data) own.emplace_back(x.row(begin), end - begin, x.cols());
    SampleOptions about;
    about.communicator = &communicator;
    const Samples samples(end - begin, about);
    const LinearViews views(own, samples, 1, 1);
    const Folds part = Folds::assigned(samples, 3, true, {of_row.begin() + begin, of_row.begin() + end});
    expect_near(alone, fit_linear_cca(views, part, 2, 1, 1), 1e-8);
  });
}

}  // namespace
}  // namespace treecca

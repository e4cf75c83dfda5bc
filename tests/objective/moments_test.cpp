#include "objective/moments.hpp"

#include <gtest/gtest.h>

#include "helpers/folds.hpp"
#include "helpers/missing_views.hpp"
#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"

namespace treecca {
namespace {

TEST(Moments, OneFoldIsTheTextbookCovariance) {
  const Matrix<float> a = testing::normal_matrix(5000, 2, 1);
  const Matrix<float> b = testing::normal_matrix(5000, 2, 2);
  const Moments moments = moments_of({&a, &b}, testing::folds_of(5000, 0, 0), 1);
  Eigen::MatrixXd z(5000, 4);
  for (Index i = 0; i < 5000; ++i) z.row(i) << a(i, 0), a(i, 1), b(i, 0), b(i, 1);
  const Eigen::MatrixXd centred = z.rowwise() - z.colwise().mean();
  const Eigen::MatrixXd expected = centred.transpose() * centred / 4999.0;
  EXPECT_LT((moments.covariance() - expected).norm(), 1e-12);
}

TEST(Moments, AreTakenAroundTheMeanOfEachFold) {
  // The same numbers plus a large offset per fold: nothing may change.
  const Matrix<float> plain = testing::normal_matrix(999, 3, 1);
  const Folds folds = testing::folds_of(999, 3, 7);
  Matrix<float> shifted = plain;
  for (Index i = 0; i < 999; ++i) {
    for (Index k = 0; k < 3; ++k) shifted(i, k) += 1024.0F * static_cast<float>(folds.of_row[i]);
  }
  const Eigen::MatrixXd expected = moments_of({&plain}, folds, 1).covariance();
  EXPECT_LT((moments_of({&shifted}, folds, 1).covariance() - expected).norm(), 1e-4);
}

TEST(Moments, LeavingOneFoldOutIsTheSameAsNotHavingIt) {
  const Matrix<float> z = testing::normal_matrix(900, 2, 5);
  const Folds folds = testing::folds_of(900, 3, 1);
  // The other rows alone, in their two folds.
  std::vector<int> two;
  for (const int fold : folds.of_row) two.push_back(fold == 1 ? -1 : fold / 2);
  const Folds without = Folds::assigned(*folds.samples, 2, true, two);
  const Eigen::MatrixXd expected = moments_of({&z}, without, 1).covariance();
  EXPECT_LT((moments_of({&z}, folds, 1).covariance_without(1) - expected).norm(), 1e-12);
}

TEST(Moments, DoNotDependOnThreads) {
  const Matrix<float> z = testing::normal_matrix(50000, 4, 5);
  const Folds folds = testing::folds_of(50000, 3, 1);
  const Moments one = moments_of({&z}, folds, 1);
  const Moments four = moments_of({&z}, folds, 4);
  for (int f = 0; f < 3; ++f) {
    EXPECT_EQ(one.scatter[f], four.scatter[f]);
    EXPECT_EQ(one.mean[f], four.mean[f]);
  }
}

TEST(Moments, WeightsAreRepetitions) {
  const Matrix<float> z = testing::normal_matrix(30, 2, 1);
  Matrix<float> repeated(45, 2);
  std::vector<double> weights(30, 1.0);
  for (Index i = 0; i < 45; ++i) {
    const Index from = i < 30 ? i : i - 30;  // the first 15 rows twice
    for (Index k = 0; k < 2; ++k) repeated(i, k) = z(from, k);
  }
  for (Index i = 0; i < 15; ++i) weights[i] = 2.0;
  const Moments weighted = moments_of({&z}, testing::folds_of(30, 0, 0, testing::with_weights(weights)), 1);
  const Moments plain = moments_of({&repeated}, testing::folds_of(45, 0, 0), 1);
  // Weights are brought to mean 1, repetitions are not.
  EXPECT_NEAR((1.5 * weighted.scatter[0] - plain.scatter[0]).norm(), 0, 1e-5);
  EXPECT_NEAR((weighted.mean[0] - plain.mean[0]).norm(), 0, 1e-6);
  EXPECT_NEAR(weighted.count[0], 30, 1e-5);
}

TEST(Moments, RowsThatAreLeftOutDoNotCount) {
  const Matrix<float> z = testing::normal_matrix(90, 2, 5);
  Matrix<float> rest(60, 2);
  std::vector<bool> left_out(90, false);
  std::fill_n(left_out.begin(), 30, true);
  for (Index i = 0; i < 60; ++i) {
    for (Index k = 0; k < 2; ++k) rest(i, k) = z(30 + i, k);
  }
  const Samples samples(90);
  const Folds folds = make_folds(samples, 0, 0, left_out);
  const Moments without = moments_of({&z}, folds, 1);
  EXPECT_EQ(without.covariance(), moments_of({&rest}, testing::folds_of(60), 1).covariance());
  Matrix<float> centred = z;
  centre_within_folds(centred, without, 0, 0, folds, 1);
  EXPECT_EQ(centred(29, 1), 0);
  EXPECT_NEAR(centred(30, 1), z(30, 1) - without.mean[0](1), 1e-6);
}

TEST(Moments, SymmetrisedOnesForgetWhichViewIsFirst) {
  const Matrix<float> a = testing::normal_matrix(200, 2, 1);
  const Matrix<float> b = testing::normal_matrix(200, 2, 2);
  const Folds folds = testing::folds_of(200);
  const Moments one = symmetrised(moments_of({&a, &b}, folds, 1));
  const Moments other = symmetrised(moments_of({&b, &a}, folds, 1));
  EXPECT_LT((one.covariance() - other.covariance()).norm(), 1e-12);
  EXPECT_LT((one.mean[0] - other.mean[0]).norm(), 1e-12);
  const Eigen::MatrixXd plain = moments_of({&a, &b}, folds, 1).covariance();
  EXPECT_NEAR(one.covariance()(0, 0), (plain(0, 0) + plain(2, 2)) / 2, 1e-12);
  EXPECT_NEAR(one.covariance()(0, 3), (plain(0, 3) + plain(2, 1)) / 2, 1e-12);
}

TEST(EyLoss, TwoViewsByHand) {
  // V_1 = 4, V_2 = 9, C = 5: -2 (5 + 5) + 13^2.
  const Eigen::MatrixXd covariance = (Eigen::MatrixXd(2, 2) << 4, 5, 5, 9).finished();
  EXPECT_DOUBLE_EQ(ey_loss(covariance, 2), -20.0 + 169.0);
}

/// Rows that two views share, of one fold or (-1) of all, and their scatter by the textbook.
struct PlainPair {
  std::vector<Index> rows;
  Eigen::MatrixXd scatter;  // 2K x 2K

  PlainPair(const Matrix<float>& a, const Matrix<float>& b, Index v, Index w, const Folds& folds, int fold) {
    for (Index i = 0; i < a.rows(); ++i) {
      if (folds.of_row[static_cast<std::size_t>(i)] != fold || testing::lacks(v, i) || testing::lacks(w, i)) continue;
      rows.push_back(i);
    }
    Eigen::MatrixXd z(static_cast<Index>(rows.size()), 2 * a.cols());
    for (Index i = 0; i < z.rows(); ++i) {
      for (Index k = 0; k < a.cols(); ++k) {
        z(i, k) = a(rows[static_cast<std::size_t>(i)], k);
        z(i, a.cols() + k) = b(rows[static_cast<std::size_t>(i)], k);
      }
    }
    const Eigen::MatrixXd centred = z.rowwise() - z.colwise().mean();
    scatter = centred.transpose() * centred;
  }
};

TEST(Moments, WhereRowsLackViewsEveryPairCountsTheRowsThatHaveBoth) {
  constexpr Index kRows = 120, kViews = 3, k = 2;
  const Samples& samples = testing::kept_samples(testing::with_gaps(Samples(kRows), kViews));
  const Folds folds = make_folds(samples, 3, 1);
  std::vector<Matrix<float>> z;
  for (std::uint64_t v = 0; v < kViews; ++v) {
    z.push_back(testing::normal_matrix(kRows, k, 1 + v));
    for (Index i = 0; i < kRows; ++i) {
      if (testing::lacks(static_cast<Index>(v), i)) z.back()(i, 0) = 1e6F;  // never looked at
    }
  }
  const Moments moments = moments_of({&z[0], &z[1], &z[2]}, folds, 2);
  EXPECT_FALSE(moments.complete());
  const Eigen::MatrixXd covariance = moments.covariance();
  for (Index v = 0; v < kViews; ++v) {
    for (Index w = 0; w < kViews; ++w) {
      Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(k, k);
      double degrees = 0;
      for (int f = 0; f < 3; ++f) {
        const PlainPair pair(z[static_cast<std::size_t>(v)], z[static_cast<std::size_t>(w)], v, w, folds, f);
        const Eigen::MatrixXd cross = pair.scatter.topRightCorner(k, k);
        EXPECT_LT((moments.scatter[f].block(v * k, w * k, k, k) - cross).norm(), 1e-5);
        EXPECT_LT((moments.within[f].block(v * k, w * k, k, k) - pair.scatter.topLeftCorner(k, k)).norm(), 1e-5);
        EXPECT_EQ(moments.pair_count[f](v, w), static_cast<double>(pair.rows.size()));
        sum += cross;
        degrees += static_cast<double>(pair.rows.size()) - 1;
      }
      EXPECT_LT((covariance.block(v * k, w * k, k, k) - sum / degrees).norm(), 1e-7);
    }
  }
  Matrix<float> centred = z[1];
  centre_within_folds(centred, moments, 1, k, folds, 1);
  std::vector<double> sums(3, 0.0);
  for (Index i = 0; i < kRows; ++i) {
    if (testing::lacks(1, i)) {
      EXPECT_EQ(centred(i, 0), 0.0F);
    }
    sums[static_cast<std::size_t>(folds.of_row[static_cast<std::size_t>(i)])] += centred(i, 0);
  }
  for (const double sum : sums) EXPECT_NEAR(sum, 0, 1e-4);
}

TEST(Moments, WhereRowsLackViewsAreThoseOfAllProcesses) {
  constexpr Index kRows = 120;
  const Samples& samples = testing::kept_samples(testing::with_gaps(Samples(kRows), 2));
  const Matrix<float> a = testing::normal_matrix(kRows, 2, 1);
  const Matrix<float> b = testing::normal_matrix(kRows, 2, 2);
  const Moments whole = moments_of({&a, &b}, make_folds(samples, 3, 1), 1);
  testing::run_all_workers(2, [&](Communicator& communicator) {
    SampleOptions options;
    options.communicator = &communicator;
    const Samples part = testing::with_gaps(Samples(60, options), 2);
    Matrix<float> own_a(60, 2), own_b(60, 2);
    for (Index i = 0; i < 60; ++i) {
      for (Index c = 0; c < 2; ++c) {
        own_a(i, c) = a(part.number(i), c);
        own_b(i, c) = b(part.number(i), c);
      }
    }
    const Moments together = moments_of({&own_a, &own_b}, make_folds(part, 3, 1), 1);
    EXPECT_LT((together.covariance() - whole.covariance()).norm(), 1e-9);
    EXPECT_LT((together.within[1] - whole.within[1]).norm(), 1e-6);
  });
}

}  // namespace
}  // namespace treecca

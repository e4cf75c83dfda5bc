#include "objective/honest.hpp"

#include <gtest/gtest.h>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

TEST(HonestCorrelations, OfNoiseHaveNoBiasWhileInSampleOnesDo) {
  double honest = 0;
  double in_sample = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Matrix<float> a = testing::normal_matrix(60, 4, 2 * seed);
    const Matrix<float> b = testing::normal_matrix(60, 4, 2 * seed + 1);
    const Moments moments = moments_of({&a, &b}, make_folds(60, 5, {}, seed), 1);
    honest += out_of_fold_correlations(moments, 2).tcc() / 40;
    in_sample += in_sample_correlations(moments, 2).tcc() / 40;
  }
  EXPECT_LT(std::abs(honest), 0.1);
  EXPECT_GT(in_sample, 0.7);
}

TEST(HonestCorrelations, FindAPlantedSignalInWhateverBasis) {
  const Matrix<float> shared = testing::normal_matrix(3000, 2, 1);
  Matrix<float> a = testing::normal_matrix(3000, 2, 2);
  Matrix<float> b = testing::normal_matrix(3000, 2, 3);
  for (Index i = 0; i < 3000; ++i) {
    a(i, 0) = shared(i, 0) + 0.5F * shared(i, 1) + 0.5F * a(i, 0);  // mixed within the view
    a(i, 1) = shared(i, 1) + 0.5F * a(i, 1);
    b(i, 0) = shared(i, 1) + 0.5F * b(i, 0);
    b(i, 1) = shared(i, 0) + 0.5F * b(i, 1);
  }
  const Moments moments = moments_of({&a, &b}, make_folds(3000, 5, {}, 0), 1);
  EXPECT_NEAR(out_of_fold_correlations(moments, 2).tcc(), in_sample_correlations(moments, 2).tcc(), 0.01);
  EXPECT_GT(out_of_fold_correlations(moments, 2).tcc(), 1.5);
  EXPECT_LT(in_sample_correlations(moments, 2, false).tcc(), 1.3);
}

}  // namespace
}  // namespace treecca

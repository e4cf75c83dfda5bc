#include "train/trained.hpp"

#include <gtest/gtest.h>

#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"

namespace treecca {
namespace {

constexpr Index kRows = 60;

/// Two views, three folds, two components; every third row is left out when asked.
struct Example {
  explicit Example(bool leave_out) : samples(kRows) {
    std::vector<bool> left_out(leave_out ? kRows : 0, false);
    for (std::size_t i = 0; i < left_out.size(); i += 3) left_out[i] = true;
    folds = make_folds(samples, 3, 1, left_out);
    trained.base_margins.resize(2);
    trained.parameters = testing::plain_parameters();
    for (Index v = 0; v < 2; ++v) {
      for (int f = 0; f < 3; ++f) {
        trained.encoders.push_back({v, f, testing::normal_matrix(kRows, 2, static_cast<unsigned>(10 * v + f)), {}});
      }
    }
    std::vector<Matrix<float>> own(2, Matrix<float>(kRows, 2));
    for (Index v = 0; v < 2; ++v) {
      for (Index i = 0; i < kRows; ++i) {
        for (Index c = 0; c < 2; ++c) own[static_cast<std::size_t>(v)](i, c) = seen_by_own_fold(v, i, c);
      }
    }
    trained.moments = moments_of({&own[0], &own[1]}, folds, 1);
  }
  /// 0 for rows that are left out.
  float seen_by_own_fold(Index view, Index row, Index component) const {
    const int fold = folds.of_row[static_cast<std::size_t>(row)];
    return fold < 0 ? 0.0F : trained.encoders[static_cast<std::size_t>(3 * view + fold)].embedding(row, component);
  }

  Samples samples;
  Folds folds;
  Trained trained;
};

TEST(Trained, OutOfFoldRowsComeFromTheEncoderOfTheirFoldAndAreCentredThere) {
  for (const bool leave_out : {false, true}) {
    const Example example(leave_out);
    for (Index v = 0; v < 2; ++v) {
      const Matrix<float> z = example.trained.out_of_fold(v, example.folds, 2);
      for (int f = 0; f < 3; ++f) {
        for (Index c = 0; c < 2; ++c) {
          double mean = 0;
          double count = 0;
          for (Index i = 0; i < kRows; ++i) {
            if (example.folds.of_row[static_cast<std::size_t>(i)] != f) continue;
            mean += example.seen_by_own_fold(v, i, c);
            ++count;
          }
          ASSERT_GT(count, 10);
          for (Index i = 0; i < kRows; ++i) {
            const int fold = example.folds.of_row[static_cast<std::size_t>(i)];
            if (fold >= 0 && fold != f) continue;
            ASSERT_NEAR(z(i, c), fold < 0 ? 0.0 : example.seen_by_own_fold(v, i, c) - mean / count, 1e-6);
          }
        }
      }
    }
  }
}

TEST(Trained, InSampleRowsAreTheMeanOfAllEncoders) {
  const Example example(true);
  const Matrix<float> z = example.trained.in_sample(1, 2);
  for (Index i = 0; i < kRows; ++i) {
    for (Index c = 0; c < 2; ++c) {
      double sum = 0;
      for (std::size_t f = 0; f < 3; ++f) sum += example.trained.encoders[3 + f].embedding(i, c);
      ASSERT_NEAR(z(i, c), sum / 3, 1e-6);
    }
  }
}

/// Covariances of one component of two views with this correlation, in three folds.
FoldCovariances with_correlation(const std::vector<double>& of_fold) {
  FoldCovariances covariances;
  for (const double r : of_fold) covariances.push_back({1, r, r, 1});
  return covariances;
}

TEST(Trained, AChosenRoundIsJudgedByTheRoundThatOtherFoldsChoose) {
  Trained trained;
  trained.base_margins.resize(2);
  trained.parameters.n_components = 1;
  // Without fold 0 the second round is best, without fold 1 the first, without fold 2 the first.
  trained.by_round = {with_correlation({0.8, 0.1, 0.3}), with_correlation({0.1, 0.6, 0.3})};
  EXPECT_NEAR(trained.out_of_fold_correlations(true).per_component[0], (0.1 + 0.1 + 0.3) / 3, 1e-12);
  trained.unrotated_by_round = {with_correlation({0.5, 0.5, 0.5}), with_correlation({0.2, 0.2, 0.2})};
  EXPECT_NEAR(trained.out_of_fold_correlations(false).per_component[0], (0.2 + 0.5 + 0.5) / 3, 1e-12);
  EXPECT_NEAR(trained.out_of_fold_correlations(true).per_component[0], (0.1 + 0.1 + 0.3) / 3, 1e-12);
}

TEST(Trained, OneTableHasTheMomentsOfTwoCopies) {
  Trained trained;
  trained.base_margins.resize(1);
  EXPECT_EQ(trained.moment_views(), 1);
  trained.copies = Matrix<float>(4, 1);
  EXPECT_EQ(trained.moment_views(), 2);
}

}  // namespace
}  // namespace treecca

#include "train/augmented_copies.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "helpers/folds.hpp"
#include "helpers/random_data.hpp"

namespace treecca {
namespace {

constexpr Index kRows = 30;

/// Copy c of round r of a table: every value plus 100 r + 10 c.
Redraw shifted(const Matrix<float>& table, SslRows rows) {
  return {[&table](Index round, int copy, Matrix<float>& out) {
            ASSERT_EQ(out.rows(), kRows);
            for (std::size_t i = 0; i < out.values().size(); ++i) {
              out.values()[i] = table.values()[i] + static_cast<float>(100 * round + 10 * copy);
            }
          },
          rows};
}

class AugmentedCopiesTest : public ::testing::TestWithParam<SslRows> {
 protected:
  Matrix<float> table_ = testing::normal_matrix(kRows, 3, 1);
  View view_{"table", table_, {"a", "b", "c"}};
  Redraw redraw_ = shifted(table_, GetParam());
  StageClock clock_;
};

TEST_P(AugmentedCopiesTest, HoldTheCopiesOfTheLastRound) {
  AugmentedCopies copies(view_, redraw_, 255, testing::folds_of(kRows), 1, clock_);
  const auto expect_round = [&](float round) {
    ASSERT_EQ(copies.rows().rows(), 2 * kRows);
    for (Index i = 0; i < kRows; ++i) {
      for (Index j = 0; j < 3; ++j) {
        ASSERT_EQ(copies.rows()(i, j), table_(i, j) + 100 * round);
        ASSERT_EQ(copies.rows()(kRows + i, j), table_(i, j) + (100 * round + 10));
      }
    }
  };
  expect_round(0);
  copies.draw(4, clock_);
  expect_round(4);
}

TEST_P(AugmentedCopiesTest, EnginesLearnFromBothCopiesOrFromTheFirst) {
  const Folds folds = testing::folds_of(kRows, 3, 1);
  const AugmentedCopies copies(view_, redraw_, 255, folds, 1, clock_);
  const bool stacked = GetParam() == SslRows::stacked;
  const Index learned = stacked ? 2 * kRows : kRows;
  EXPECT_EQ(copies.stacked(), stacked);
  ASSERT_EQ(copies.learned().size(), 1U);
  EXPECT_EQ(copies.learned()[0].feature_names, view_.feature_names);
  EXPECT_EQ(copies.learned()[0].values.rows(), learned);
  EXPECT_EQ(copies.bins()[0].rows(), learned);
  const Folds& own = copies.learned_folds();
  ASSERT_EQ(own.rows(), learned);
  EXPECT_EQ(own.samples->here(), learned);
  EXPECT_EQ(own.count, 3);
  EXPECT_TRUE(own.held_out);
  for (Index i = 0; i < learned; ++i) {  // a held-out row must not be learned from as the other copy
    EXPECT_EQ(own.of_row[static_cast<std::size_t>(i)], folds.of_row[static_cast<std::size_t>(i % kRows)]);
  }
}

TEST_P(AugmentedCopiesTest, LaterCopiesKeepTheCuts) {
  AugmentedCopies copies(view_, redraw_, 8, testing::folds_of(kRows), 1, clock_);
  const float threshold = copies.bins()[0].threshold(0, 2);
  copies.draw(1, clock_);  // all values are now above all cuts
  EXPECT_EQ(copies.bins()[0].threshold(0, 2), threshold);
  const int last = copies.bins()[0].n_bins(0) - 1;
  for (Index i = 0; i < copies.bins()[0].rows(); ++i) EXPECT_EQ(copies.bins()[0].column(0)[i], last);
}

TEST_P(AugmentedCopiesTest, ErrorsOfTheAugmentationPass) {
  const Redraw broken{[](Index, int, Matrix<float>&) { throw std::runtime_error("no"); }, GetParam()};
  const Folds folds = testing::folds_of(kRows);
  EXPECT_THROW(AugmentedCopies(view_, broken, 8, folds, 1, clock_), std::runtime_error);
}

TEST_P(AugmentedCopiesTest, GradientsAreStackedOrAveraged) {
  const Folds folds = testing::folds_of(kRows);
  const AugmentedCopies copies(view_, redraw_, 255, folds, 1, clock_);
  const Matrix<float> first = testing::normal_matrix(kRows, 2, 5);
  const Matrix<float> second = testing::normal_matrix(kRows, 2, 6);
  const Matrix<float> learned = copies.learned_gradient(first, second);
  ASSERT_EQ(learned.rows(), copies.learned_folds().rows());
  for (Index i = 0; i < kRows; ++i) {
    for (Index c = 0; c < 2; ++c) {
      if (GetParam() == SslRows::stacked) {
        EXPECT_EQ(learned(i, c), first(i, c));
        EXPECT_EQ(learned(kRows + i, c), second(i, c));
      } else {
        EXPECT_FLOAT_EQ(learned(i, c), (first(i, c) + second(i, c)) / 2);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, AugmentedCopiesTest, ::testing::Values(SslRows::stacked, SslRows::symmetrised));

}  // namespace
}  // namespace treecca

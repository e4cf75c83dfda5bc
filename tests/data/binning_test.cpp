#include "data/binning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<ValueCount> distinct(const std::vector<float>& sorted) {
  std::vector<ValueCount> values{{7, 7}};  // of another feature
  distinct_values(sorted, values);
  return values;
}

std::vector<float> bin_cuts(const std::vector<float>& sorted, Index max_bin) {
  return cuts_between(distinct(sorted), max_bin);
}

TEST(BinCuts, FewDistinctValuesKeepABinEach) {
  EXPECT_EQ(bin_cuts({1, 1, 2, 4, 4}, 255), (std::vector<float>{1.5F, 3.0F}));
  EXPECT_TRUE(bin_cuts({7, 7, 7}, 255).empty());
  EXPECT_TRUE(bin_cuts({}, 255).empty());
}

TEST(BinCuts, NeighbouringFloatsAreStillParted) {
  const float low = 1.0F;
  const float high = std::nextafter(low, 2.0F);
  const auto cuts = bin_cuts({low, high}, 255);
  ASSERT_EQ(cuts.size(), 1U);
  EXPECT_GT(cuts[0], low);
  EXPECT_LE(cuts[0], high);
}

TEST(BinCuts, ExtremesDoNotOverflow) {
  const float most = std::numeric_limits<float>::max() / 2;
  const auto cuts = bin_cuts({-most, most}, 255);
  ASSERT_EQ(cuts.size(), 1U);
  EXPECT_TRUE(std::isfinite(cuts[0]));
}

TEST(BinCuts, ManyValuesSpreadEvenlyAroundAHeavyOne) {
  std::vector<float> sorted(5000, 0.0F);  // half of all rows
  for (int i = 0; i < 5000; ++i) sorted.push_back(1.0F + static_cast<float>(i));
  const auto cuts = bin_cuts(sorted, 11);
  ASSERT_EQ(cuts.size(), 10U);
  EXPECT_LT(cuts[0], 1.0F);  // the heavy value alone
  for (std::size_t c = 1; c < cuts.size(); ++c) {
    EXPECT_NEAR(cuts[c] - (c == 1 ? 1.0F : cuts[c - 1]), 500.0F, 2.0F);
  }
}

TEST(BinnedView, CodesAndThresholdsAgreeWithTheRawValues) {
  for (const Index max_bin : {2, 7, 255}) {
    Matrix<float> x = testing::normal_matrix(1000, 3, 5);
    for (Index i = 0; i < x.rows(); i += 7) x(i, 1) = kNaN;
    const BinnedView binned(View{"x", x}, max_bin, 1);
    for (Index j = 0; j < x.cols(); ++j) {
      ASSERT_LE(binned.n_bins(j), max_bin);
      for (Index i = 0; i < x.rows(); ++i) {
        const int code = binned.column(j)[i];
        if (std::isnan(x(i, j))) {
          ASSERT_EQ(code, binned.missing_code(j));
          continue;
        }
        for (int bin = 0; bin < binned.n_bins(j); ++bin) {
          ASSERT_EQ(code <= bin, x(i, j) < binned.threshold(j, bin));
        }
      }
      for (int bin = 0; bin < binned.n_bins(j); ++bin) {
        EXPECT_EQ(binned.bin_of_threshold(j, binned.threshold(j, bin)), bin);
      }
    }
  }
}

/// Columns as they come: skewed, with ties, zeros of both signs, gaps, or one value; more than are read together.
Matrix<double> mixed_columns(Index rows) {
  Matrix<double> x(rows, 19);
  const Matrix<float> smooth = testing::normal_matrix(rows, 19, 11);
  const Matrix<float> gridded = testing::gridded_matrix(rows, 19, 12, 0.2);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < 19; ++j) {
      x(i, j) = std::vector<double>{smooth(i, j), std::exp(3.0 * smooth(i, j)), gridded(i, j), -0.0,
                                    1e-40 * smooth(i, j)}[static_cast<std::size_t>(j % 5)];
      if (j == 3 && i % 3 == 0) x(i, j) = 0.0;
      if (j == 16) x(i, j) = kNaN;
    }
  }
  return x;
}

TEST(BinnedView, IsTheObviousComputationInAnyLayout) {
  for (const Index rows : {1, 2, 30, 199, 3000}) {
    const Matrix<double> x = mixed_columns(rows);
    Matrix<float> single(rows, 19);
    Matrix<float> by_columns(19, rows);
    Matrix<double> wide(rows, 40, std::numeric_limits<double>::infinity());  // every second column, rows from the last
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < 19; ++j) {
        single(i, j) = by_columns(j, i) = static_cast<float>(x(i, j));
        wide(rows - 1 - i, 2 * j) = x(i, j);
      }
    }
    const MatrixView layouts[] = {x, single, MatrixView(by_columns.data(), rows, 19, 1, rows),
                                  MatrixView(wide.row(rows - 1), rows, 19, -40, 2)};
    for (const MatrixView& values : layouts) {
      for (const int threads : {1, 3}) {
        const BinnedView binned(View{"x", values}, 255, threads);
        for (Index j = 0; j < 19; ++j) {
          std::vector<float> sorted;
          for (Index i = 0; i < rows; ++i) {
            if (!std::isnan(single(i, j))) sorted.push_back(single(i, j) == 0 ? 0.0F : single(i, j));
          }
          std::sort(sorted.begin(), sorted.end());
          const std::vector<float> cuts = bin_cuts(sorted, 255);
          ASSERT_EQ(binned.n_bins(j), static_cast<int>(cuts.size()) + 1);
          for (std::size_t b = 0; b < cuts.size(); ++b) ASSERT_EQ(binned.threshold(j, static_cast<int>(b)), cuts[b]);
          for (Index i = 0; i < rows; ++i) {
            const auto above = std::upper_bound(cuts.begin(), cuts.end(), single(i, j)) - cuts.begin();
            const auto code = std::isnan(single(i, j)) ? binned.missing_code(j) : static_cast<int>(above);
            ASSERT_EQ(int{binned.column(j)[i]}, code) << rows << " rows, feature " << j << ", row " << i;
          }
        }
      }
    }
  }
}

TEST(BinnedView, RecodesOtherRowsByTheSameCuts) {
  const Matrix<float> first = testing::normal_matrix(200, 3, 1);
  Matrix<float> second = testing::normal_matrix(200, 3, 2);
  second(5, 1) = kNaN;
  second(6, 2) = 1e6F;
  BinnedView bins({"v", first}, 16, 1);
  std::vector<float> thresholds;
  for (int b = 0; b < bins.n_bins(1); ++b) thresholds.push_back(bins.threshold(1, b));
  bins.recode({"v", second}, 2);
  for (int b = 0; b < bins.n_bins(1); ++b) EXPECT_EQ(bins.threshold(1, b), thresholds[static_cast<std::size_t>(b)]);
  for (Index i = 0; i < 200; ++i) {
    const int code = bins.column(1)[i];
    if (i == 5) {
      EXPECT_EQ(code, bins.missing_code(1));
      continue;
    }
    EXPECT_LT(second(i, 1), bins.threshold(1, code));
    if (code > 0) {
      EXPECT_GE(second(i, 1), bins.threshold(1, code - 1));
    }
  }
  EXPECT_EQ(bins.column(2)[6], bins.n_bins(2) - 1);
  second(0, 0) = std::numeric_limits<float>::infinity();
  EXPECT_THROW(bins.recode({"v", second}, 1), DataError);
}

TEST(BinnedView, DoesNotDependOnThreads) {
  const Matrix<float> x = testing::normal_matrix(500, 9, 8);
  const BinnedView one(View{"x", x}, 64, 1);
  const BinnedView four(View{"x", x}, 64, 4);
  for (Index j = 0; j < x.cols(); ++j) {
    EXPECT_TRUE(std::equal(one.column(j), one.column(j) + x.rows(), four.column(j)));
  }
}

TEST(BinnedView, ConstantAndMissingColumns) {
  Matrix<float> x(20, 3, 3.0F);
  for (Index i = 0; i < 20; ++i) x(i, 1) = kNaN;
  EXPECT_EQ(BinnedView(View{"x", x}, 255, 1).n_bins(0), 1);
  EXPECT_EQ(BinnedView(View{"x", x}, 255, 1).n_bins(1), 1);
  EXPECT_TRUE(BinnedView(View{"x", x}, 255, 1).is_constant());  // one value, and none at all
  x(7, 0) = kNaN;  // now rows that lack the value can be told from those that have it
  const BinnedView parted(View{"x", x}, 255, 1);
  EXPECT_TRUE(parted.varies(0));
  EXPECT_FALSE(parted.varies(1));
  x(7, 2) = kNaN;  // that row lacks the whole view: it is no row of it
  EXPECT_TRUE(BinnedView(View{"x", x}, 255, 1).is_constant());
  const Matrix<float> constant(20, 2, 3.0F);
  EXPECT_TRUE(BinnedView(View{"x", constant}, 255, 1).is_constant());
}

TEST(BinnedView, NamesTheInfiniteCell) {
  Matrix<float> x = testing::normal_matrix(20, 2, 1);
  x(4, 1) = -std::numeric_limits<float>::infinity();
  try {
    BinnedView(View{"rna", x, {"a", "TP53"}}, 255, 2);
    FAIL();
  } catch (const DataError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("rna"), std::string::npos);
    EXPECT_NE(message.find("row 5"), std::string::npos);
    EXPECT_NE(message.find("TP53"), std::string::npos);
  }
}

TEST(SummaryOf, KeepsEndsAndRowsAndIsOffByAtMostAPoint) {
  std::vector<float> sorted = testing::normal_matrix(20000, 1, 5).values();
  for (float& x : sorted) x = std::exp(2 * x);
  std::sort(sorted.begin(), sorted.end());
  const std::vector<ValueCount> all = distinct(sorted);
  const std::vector<ValueCount> summary = summary_of(all, {1000, 2000});
  EXPECT_LE(summary.size(), 2000U);
  EXPECT_EQ(summary.front().value, all.front().value);
  EXPECT_EQ(summary.back().value, all.back().value);
  const auto rows = [](const std::vector<ValueCount>& values, float below) {
    double count = 0;
    for (const ValueCount& one : values) count += one.value < below ? one.count : 0;
    return count;
  };
  EXPECT_EQ(rows(summary, INFINITY), 20000);
  // A point holds about its share of the rows, 1 / 1000 of a measure that is three quarters rows; never twice as much.
  for (const ValueCount& one : all) {
    EXPECT_NEAR(rows(summary, one.value), rows(all, one.value), 2 * 20000.0 / 1000 / 0.75);
    if (one.value > 10) break;
  }
  EXPECT_EQ(summary_of(all, {1000, 20000}), all);  // few enough
}

TEST(SketchSize, IsBoundedOnBothSides) {
  EXPECT_EQ(sketch_size(10, 2, 255).exact, 1 << 20);
  EXPECT_EQ(sketch_size(10, 2, 255).points, 8 * 255);
  EXPECT_EQ(sketch_size(600000, 16, 255).points, 4 * 255);
  EXPECT_EQ(sketch_size(600000, 16, 255).exact, 8 * 255);
  EXPECT_EQ(sketch_size(1000, 4, 255).exact, (1 << 29) / 8 / 4 / 1000);
}

TEST(BinnedView, OfRowsInSeveralProcessesHasTheBinsOfAll) {
  Matrix<float> all = testing::gridded_matrix(3000, 3, 2, 0.1);
  const Matrix<float> smooth = testing::normal_matrix(3000, 1, 3);
  for (Index i = 0; i < 3000; ++i) {
    all(i, 1) = smooth(i, 0);
    all(i, 2) = i < 1000 ? NAN : 4.0F;  // varies for those alone who know of the others
  }
  const BinnedView one(View{"x", all}, 100, 1);
  const std::vector<Index> begin{0, 1000, 1000, 1300, 3000};
  testing::run_all_workers(4, [&](Communicator& communicator) {
    const Index first = begin[static_cast<std::size_t>(communicator.rank())];
    const Index rows = begin[static_cast<std::size_t>(communicator.rank()) + 1] - first;
    const MatrixView here(all.row(first), rows, 3);
    SampleOptions about;
    about.communicator = &communicator;
    const BinnedView some(View{"x", here}, 100, 1, Samples(rows, about));
    for (Index j = 0; j < 3; ++j) {
      EXPECT_EQ(some.varies(j), one.varies(j));
      ASSERT_EQ(some.n_bins(j), one.n_bins(j));
      for (int b = 0; b < one.n_bins(j); ++b) EXPECT_EQ(some.threshold(j, b), one.threshold(j, b));
      for (Index i = 0; i < rows; ++i) EXPECT_EQ(some.column(j)[i], one.column(j)[first + i]);
    }
  });
}

}  // namespace
}  // namespace treecca

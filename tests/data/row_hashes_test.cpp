#include "data/row_hashes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"
#include "linalg/row_products.hpp"

namespace treecca {
namespace {

TEST(RowHashes, TellRowsApartByEveryValue) {
  Matrix<float> a = testing::normal_matrix(50, 3, 1);
  const Matrix<float> b = testing::normal_matrix(50, 2, 2);
  const std::vector<std::uint64_t> hashes = row_hashes({a, b}, 1);
  EXPECT_EQ(std::set<std::uint64_t>(hashes.begin(), hashes.end()).size(), 50U);
  EXPECT_LT(*std::max_element(hashes.begin(), hashes.end()), kRowHashes);
  EXPECT_EQ(row_hashes({a, b}, 2), hashes);
  EXPECT_NE(row_hashes({b, a}, 1), hashes);
  std::swap(a(7, 0), a(7, 1));
  a(8, 2) = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::uint64_t> changed = row_hashes({a, b}, 1);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(changed[i] == hashes[i], i != 7 && i != 8) << i;
}

TEST(RowHashes, AreThoseOfSinglePrecision) {
  const Matrix<float> single = testing::normal_matrix(20, 3, 1);
  Matrix<double> wide = to_doubles(single);
  EXPECT_EQ(row_hashes({wide}, 1), row_hashes({single}, 1));
  wide(3, 0) += 1e-12;  // as a number that was written with more digits
  EXPECT_EQ(row_hashes({wide}, 1), row_hashes({single}, 1));
  Matrix<float> zero(1, 1), negative(1, 1);
  negative(0, 0) = -0.0F;
  EXPECT_EQ(row_hashes({negative}, 1), row_hashes({zero}, 1));
  // Offsets change what trees see, not who a row is.
  EXPECT_EQ(row_hashes({MatrixView(single).less({5, 5, 5})}, 1), row_hashes({single}, 1));
}

TEST(RowHashes, TheLowestAreASampleOfTheRows) {
  const Matrix<float> a = testing::normal_matrix(300, 2, 1);
  std::vector<std::uint64_t> all = row_hashes({a}, 1);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(lowest_row_hashes({a}, Samples(300), 1000, 1), all);
  all.resize(40);
  EXPECT_EQ(lowest_row_hashes({a}, Samples(300), 40, 1), all);
}

TEST(RowHashes, TablesWhoseRowsRepeatHaveNone) {
  Matrix<float> coarse(300, 2);
  for (Index i = 0; i < 300; ++i) coarse(i, 0) = static_cast<float>(i % 7);
  EXPECT_TRUE(lowest_row_hashes({coarse}, Samples(300), 1000, 1).empty());
  for (Index i = 0; i < 280; ++i) coarse(i, 1) = static_cast<float>(i);
  EXPECT_EQ(lowest_row_hashes({coarse}, Samples(300), 1000, 1).size(), 286U);
}

TEST(RowHashes, OfAllProcesses) {
  const Matrix<float> a = testing::normal_matrix(90, 2, 1);
  const std::vector<std::uint64_t> expected = lowest_row_hashes({a}, Samples(90), 25, 1);
  testing::run_all_workers(3, [&](Communicator& communicator) {
    SampleOptions about;
    about.communicator = &communicator;
    const MatrixView own(a.data() + 60 * communicator.rank(), 30, 2);
    EXPECT_EQ(lowest_row_hashes({own}, Samples(30, about), 25, 1), expected);
  });
}

}  // namespace
}  // namespace treecca

#include "data/row_orders.hpp"

#include <gtest/gtest.h>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

TEST(RowOrders, ViewsAreReorderedAndSamplesStay) {
  const Matrix<float> a = testing::normal_matrix(12, 2, 1);
  Matrix<double> b(12, 2);
  for (Index i = 0; i < 12; ++i) {
    b(i, 0) = 1.7e9 + static_cast<double>(i);  // needs its offset
    b(i, 1) = static_cast<double>(i % 5);
  }
  SampleOptions options;
  options.sample_weight = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  const Dataset data = check_dataset({{"a", a, {}}, {"b", b, {}}}, options);
  std::vector<Index> order{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  const ReorderedDataset reordered(data, {{}, order});
  const std::vector<View>& views = reordered.data().views;
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < 2; ++j) {
      EXPECT_EQ(views[0].values(i, j), a(i, j));
      EXPECT_EQ(views[1].values.value(i, j), b(11 - i, j));
      EXPECT_EQ(views[1].values(i, j), data.views[1].values(11 - i, j));
    }
    EXPECT_EQ(reordered.data().samples.weight(i), data.samples.weight(i));
  }
  EXPECT_EQ(views[1].feature_names, data.views[1].feature_names);
  EXPECT_EQ(in_order(a, order)(0, 1), a(11, 1));
}

/// Reordered codes are those that binning the reordered rows gives.
TEST(RowOrders, BinsAreThoseOfTheReorderedRows) {
  const Matrix<float> a = testing::normal_matrix(50, 3, 1);
  std::vector<Index> order;
  for (Index i = 0; i < 50; ++i) order.push_back((i * 7 + 3) % 50);
  const View view{"a", a, {}};
  const BinnedView reordered = BinnedView(view, 16, Threads(1)).in_order(order);
  const Matrix<float> moved = in_order(a, order);
  const BinnedView expected({"a", moved, {}}, 16, Threads(1));
  for (Index j = 0; j < 3; ++j) {
    ASSERT_EQ(reordered.n_bins(j), expected.n_bins(j));
    EXPECT_TRUE(std::equal(expected.column(j), expected.column(j) + 50, reordered.column(j)));
  }
}

}  // namespace
}  // namespace treecca

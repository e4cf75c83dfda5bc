#include "linear/linear_views.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "helpers/eigen_matrices.hpp"
#include "linalg/decompose.hpp"
#include "linear/linear_map.hpp"
#include "linear/textbook_cca.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

MatrixXd all_rows_of(const LinearViews& views) {
  std::vector<RowIndex> rows(static_cast<std::size_t>(views.samples().here()));
  std::iota(rows.begin(), rows.end(), RowIndex{0});
  return product(views.stacked(rows), MatrixXd::Identity(views.dimensions(), views.dimensions()), 1);
}

TEST(LinearViews, WideViewsAreReducedToTheirPrincipalComponents) {
  const Index n = 60;
  const Matrix<float> wide = to_matrix<float>(random_normal(n, 100, 3));
  const Matrix<float> small = to_matrix<float>(random_normal(n, 4, 4));
  const Matrix<float> constant(n, 50, 1.0f);
  const Samples samples(n);
  const LinearViews views({wide, small, constant}, samples, 0, 1);
  EXPECT_EQ(views.offset(), (std::vector<Index>{0, 20, 24, 25}));
  const MatrixXd stack = all_rows_of(views);
  const Eigen::VectorXd singular = singular_values(standardised(wide)).s;
  const Eigen::VectorXd variances = singular.array().square() / 59.0;
  EXPECT_TRUE(covariance_of(stack.leftCols(20)).isApprox(MatrixXd(variances.head(20).asDiagonal()), 1e-8));
  EXPECT_TRUE(stack.middleCols(20, 4).isApprox(standardised(small), 1e-10));
  EXPECT_TRUE(stack.col(24).isZero(0));
}

TEST(LinearViews, WideViewsStayWholeWithEnoughRowsAndRoom) {
  const auto kept = kept_dimensions;
  EXPECT_EQ(kept({10, 500}, 1500), (std::vector<Index>{10, 500}));
  EXPECT_EQ(kept({10, 500}, 1499), (std::vector<Index>{10, 400}));  // more than a third of the rows
  EXPECT_EQ(kept({200, 20}, 300), (std::vector<Index>{100, 20}));   // so is this
  EXPECT_EQ(kept({1500, 1500}, 5000), (std::vector<Index>{1500, 1500}));
  EXPECT_EQ(kept({1660, 1500, 3}, 5000), (std::vector<Index>{400, 1500, 3}));  // room for the narrower one alone
  EXPECT_EQ(kept({5000, 500, 4000}, 100000), (std::vector<Index>{400, 500, 400}));
  EXPECT_EQ(kept({3, 2}, 2), (std::vector<Index>{1, 1}));
}

TEST(LinearViews, MapsOfFeaturesReproduceTheStack) {
  const Index n = 90;
  Matrix<float> wide = to_matrix<float>(random_normal(n, 70, 5).array() * 3 + 100);
  Matrix<float> small = to_matrix<float>(random_normal(n, 6, 6));
  for (Index i = 0; i < n; ++i) small(i, 2) = 7;
  for (Index i = 0; i < n; i += 4) wide(i, i % 70) = small(i, 3) = std::numeric_limits<float>::quiet_NaN();
  const Samples samples(n);
  const LinearViews views({wide, small}, samples, 0, 1);
  const MatrixXd stack = all_rows_of(views);
  for (int v = 0; v < 2; ++v) {
    const Index at = views.offset()[static_cast<std::size_t>(v)];
    const Index d = views.offset()[static_cast<std::size_t>(v) + 1] - at;
    const MatrixXd directions = random_normal(d, 3, 8);
    const LinearMap map = views.map_of_features(v, directions);
    const Matrix<double> scores = linear_scores(map, v == 0 ? wide : small, 1);
    EXPECT_TRUE(to_eigen(scores).isApprox(stack.middleCols(at, d) * directions, 1e-10));
  }
  for (Index c = 0; c < 3; ++c) EXPECT_EQ(views.map_of_features(1, random_normal(6, 3, 8)).weights(2, c), 0);
}

}  // namespace
}  // namespace treecca

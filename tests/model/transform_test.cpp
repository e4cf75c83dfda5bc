#include <gtest/gtest.h>

#include <algorithm>

#include "helpers/random_data.hpp"
#include "helpers/random_model.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

/// The columns of `x` in another order.
Matrix<float> with_columns(const Matrix<float>& x, const std::vector<Index>& order) {
  Matrix<float> result(x.rows(), static_cast<Index>(order.size()));
  for (Index i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) result(i, static_cast<Index>(j)) = x(i, order[j]);
  }
  return result;
}

class TransformTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing_helpers::ModelShape shape;
    shape.features = {3, 2};
    shape.rounds = 10;
    model_ = testing_helpers::random_model(7, shape);
    model_.views[0].name = "rna";
    model_.views[0].feature_names = {"a", "b", "c"};
    expected_ = transform(model_, 0, x_);
  }
  Matrix<float> transformed(const Matrix<float>& x, std::vector<std::string> names) const {
    return transform(model_, {View{"rna", x, std::move(names)}}).front();
  }
  Matrix<float> x_ = testing::normal_matrix(50, 3, 1);
  Model model_;
  Matrix<float> expected_;
};

TEST_F(TransformTest, ColumnsAreMatchedByName) {
  EXPECT_EQ(transformed(x_, {}), expected_);
  EXPECT_EQ(transformed(x_, {"a", "b", "c"}), expected_);
  EXPECT_EQ(transformed(x_, {"f0", "f1", "f2"}), expected_);
  EXPECT_EQ(transformed(with_columns(x_, {2, 0, 1}), {"c", "a", "b"}), expected_);
  EXPECT_EQ(transformed(with_columns(x_, {1, 1, 0, 2}), {"new", "b", "a", "c"}), expected_);
  EXPECT_NE(with_columns(x_, {2, 0, 1}), x_);
}

TEST_F(TransformTest, WhatCannotBeMatchedIsNamed) {
  expect_error<DataError>([&] { transformed(x_, {"a", "b", "x"}); }, {"rna", "\"c\""});
  expect_error<DataError>([&] { transformed(x_, {"a", "b"}); }, {"2 feature names", "3 columns"});
  expect_error<DataError>([&] { transform(model_, {View{"nobody", x_, {}}}); }, {"nobody", "rna"});
}

TEST_F(TransformTest, ViewNumbersAreChecked) {
  for (const Index view : {Index{-1}, Index{2}, Index{1000}}) {
    expect_error<UsageError>([&] { transform(model_, view, x_); }, {std::to_string(view)});
  }
}

}  // namespace
}  // namespace treecca

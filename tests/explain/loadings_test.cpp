#include "treecca/loadings.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "treecca/error.hpp"

namespace treecca {
namespace {

TEST(LoadingsOfAModel, ExplainedVarianceIsTheMeanSquare) {
  Model model;
  model.views.resize(1);
  model.views[0].loadings.own = Matrix<double>(2, 1);
  model.views[0].loadings.own.values() = {0.6, -0.8};
  EXPECT_DOUBLE_EQ(explained_variance(model, 0).at(0), 0.5);
  EXPECT_TRUE(redundancy(model, 0).empty());
  EXPECT_THROW(explained_variance(model, 1), UsageError);
}

TEST(LoadingsOfAModel, IntervalsAreFishers) {
  const Interval usual = confidence_interval(0.5, 0.075);  // (1 - r^2) / sqrt(100)
  EXPECT_NEAR(usual.low, std::tanh(std::atanh(0.5) - 0.1959964), 1e-9);
  EXPECT_NEAR(usual.high, std::tanh(std::atanh(0.5) + 0.1959964), 1e-9);
  const Interval certain = confidence_interval(0.3, 0);
  EXPECT_EQ(certain.low, 0.3);
  EXPECT_EQ(certain.high, 0.3);
  const Interval whole = confidence_interval(-1, 0.1);
  EXPECT_GE(whole.low, -1);
  EXPECT_LE(whole.high, 1);
}

}  // namespace
}  // namespace treecca

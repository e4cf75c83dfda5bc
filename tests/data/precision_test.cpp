#include "data/precision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "helpers/random_data.hpp"
#include "helpers/thread_workers.hpp"
#include "helpers/workspace.hpp"
#include "treecca/error.hpp"
#include "treecca/export.hpp"
#include "treecca/fit.hpp"
#include "treecca/metrics.hpp"
#include "treecca/model.hpp"
#include "treecca/shape.hpp"

namespace treecca {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Matrix<double> columns(const std::vector<std::vector<double>>& of_column) {
  Matrix<double> values(static_cast<Index>(of_column[0].size()), static_cast<Index>(of_column.size()));
  for (Index j = 0; j < values.cols(); ++j) {
    for (Index i = 0; i < values.rows(); ++i)
      values(i, j) = of_column[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
  }
  return values;
}

TEST(ColumnOffsets, AreTheLowestValuesOfColumnsFarFromZero) {
  const Matrix<double> values = columns({{1e8 + 0.5, 1e8 + 0.25, kNan, 1e8 + 1},     // 1e8 plus something
                                         {-1e8 - 0.5, -1e8 - 0.25, -1e8, -1e8 - 1},  // below zero
                                         {0.1, 0.2, 0.3, 0.4},                       // inexact, but near zero
                                         {16777000, 16777001, 16777002, 16777003},   // integers that floats hold
                                         {1e8 + 0.5, 1e8 + 0.5, kNan, 1e8 + 0.5},    // one value
                                         {1e8 + 0.5, 0, 1e8, 1}});                   // a wide range
  EXPECT_EQ(column_offsets(values, {}), (std::vector<double>{1e8 + 0.25, -1e8 - 1, 0, 0, 0, 0}));
  EXPECT_TRUE(column_offsets(columns({{0.1, 0.2}, {3, 4}}), {}).empty());
  Matrix<float> floats(2, 1);
  floats.values() = {1e8F, 1.0001e8F};  // nothing more is known of them
  EXPECT_TRUE(column_offsets(floats, {}).empty());
}

TEST(ColumnOffsets, AreThoseOfAllProcesses) {
  testing::run_all_workers(3, [](Communicator& communicator) {
    const double own = 1e9 + 0.1 + communicator.rank();
    EXPECT_EQ(column_offsets(columns({{own}}), Peers(&communicator)), (std::vector<double>{1e9 + 0.1}));
  });
}

TEST(BlurredColumns, AreThoseWhoseDifferentValuesBecomeEqual) {
  std::vector<double> stamps, near, with_zero;
  for (int i = 0; i < 50; ++i) {
    stamps.push_back(1.6e9 + i);
    near.push_back(0.1 * i);
    with_zero.push_back(i == 7 ? 0.0 : 1.6e9 + i);
  }
  const Matrix<double> values = columns({stamps, near, with_zero});
  EXPECT_EQ(blurred_columns(values, {}), (std::vector<Index>{0, 2}));
  EXPECT_EQ(blurred_columns(MatrixView(values).less(column_offsets(values, {})), {}), (std::vector<Index>{2}));
}

/// The first feature of each view shares a signal with the other; `offset` is added to it.
struct Shifted {
  Matrix<double> a, b;

  explicit Shifted(double offset, unsigned seed = 1) : a(300, 3), b(300, 3) {
    const Matrix<float> z = testing::normal_matrix(300, 1, seed);
    const Matrix<float> noise = testing::normal_matrix(300, 6, seed + 1);
    for (Index i = 0; i < 300; ++i) {
      for (Index j = 0; j < 3; ++j) {
        a(i, j) = noise(i, j);
        b(i, j) = noise(i, 3 + j);
      }
      a(i, 0) = offset + z(i, 0) + 0.1 * noise(i, 0);
      b(i, 0) = std::abs(z(i, 0)) + z(i, 0) + 0.1 * noise(i, 3);
    }
  }
  std::vector<View> views() const { return {{"a", a}, {"b", b}}; }
};

Parameters quick(const char* linear) {
  return parameters_from_texts({{"n_components", "1"}, {"n_repeats", "1"}, {"n_estimators", "20"}, {"linear", linear}});
}

TEST(Precision, AnOffsetChangesNothing) {
  const Shifted near(0), far(1e8);
  for (const char* linear : {"0", "0.5", "1"}) {
    const FitResult expected = fit(near.views(), quick(linear));
    const FitResult result = fit(far.views(), quick(linear));
    EXPECT_TRUE(expected.model.views[0].offset.empty());
    ASSERT_EQ(result.model.views[0].offset.size(), 3U);
    EXPECT_NEAR(result.model.views[0].offset[0], 1e8, 10);
    EXPECT_EQ(result.model.views[0].offset[1], 0);
    EXPECT_TRUE(result.model.views[1].offset.empty());
    EXPECT_GT(result.model.correlations.out_of_fold[0], 0.8) << linear;
    EXPECT_NEAR(result.model.correlations.out_of_fold[0], expected.model.correlations.out_of_fold[0], 0.01) << linear;
    EXPECT_TRUE(result.warnings == expected.warnings) << linear;
  }
}

TEST(Precision, TheModelKeepsTheOffset) {
  const Shifted far(1e8);
  const FitResult result = fit(far.views(), quick("0.5"));
  const Workspace space;
  save_model(result.model, space.file("m.json"));
  const Model model = load_model(space.file("m.json"));
  EXPECT_EQ(model, result.model);
  const Matrix<float> z = transform(model, 0, far.a);
  for (Index i = 0; i < z.rows(); ++i) ASSERT_NEAR(z(i, 0), result.variates[0](i, 0), 1e-5);

  Matrix<double> reversed(far.a.rows(), 4);  // another order, and a column more
  for (Index i = 0; i < reversed.rows(); ++i) {
    for (Index j = 0; j < 3; ++j) reversed(i, 3 - j) = far.a(i, j);
  }
  EXPECT_EQ(transform(model, {View{"a", reversed, {"more", "f2", "f1", "f0"}}})[0], z);

  const ShapeCurve curve = shape_curve(model, 0, 0);
  ASSERT_FALSE(curve.thresholds.empty());
  EXPECT_GT(curve.thresholds.front(), 1e8 - 10);
  EXPECT_LT(curve.thresholds.back(), 1e8 + 10);
  EXPECT_LT(shape_curve(model, 0, 1).thresholds.back(), 10);
}

TEST(Precision, ExportRefusesThresholdsThatDoNotFit) {
  const Model model = fit(Shifted(1e8).views(), quick("0")).model;
  for (const ExportFormat format : {ExportFormat::xgboost, ExportFormat::treelite, ExportFormat::onnx}) {
    try {
      export_view(model, 0, format);
      FAIL();
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("feature \"f0\" are too far from zero"), std::string::npos)
          << error.what();
    }
    EXPECT_FALSE(export_view(model, 1, format).empty());
  }
}

TEST(Precision, WhatIsBlurredNeverthelessIsNamed) {
  Shifted far(1e8);
  far.a(3, 0) = 0;
  const FitResult result = fit(far.views(), quick("0"));
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_EQ(
      result.warnings[0],
      "View \"a\": trees use single precision, in which many different values of \"f0\" are equal. Subtract a constant "
      "from it, or mark far-out values such as 0 or -999 as missing.");
}

}  // namespace
}  // namespace treecca

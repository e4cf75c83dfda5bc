#include "treecca/shape.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "helpers/random_model.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

/// y = x0^2 and noise features: the variate of x must be a parabola along x0 and flat along the others.
FitResult parabola(Index depth, const char* preset = "plain") {
  const Matrix<float> x = testing::normal_matrix(1500, 3, 1);
  Matrix<float> y = testing::normal_matrix(1500, 2, 2);
  for (Index i = 0; i < 1500; ++i) y(i, 0) = x(i, 0) * x(i, 0) + 0.1F * y(i, 0);
  Parameters parameters = testing::plain_parameters();
  set_from_text(parameters, "preset", preset);
  parameters.n_components = 1;
  parameters.max_depth = depth;
  parameters.n_estimators = 60;
  return fit({{"x", x}, {"y", y}}, parameters);
}

TEST(ShapeCurve, ShowsTheRelationThatWasPlanted) {
  const Model model = parabola(3).model;
  const ShapeCurve curve = shape_curve(model, 0, 0);
  ASSERT_GT(curve.thresholds.size(), 10U);
  ASSERT_EQ(curve.values.rows(), static_cast<Index>(curve.thresholds.size()) + 1);
  EXPECT_TRUE(std::is_sorted(curve.thresholds.begin(), curve.thresholds.end()));
  const auto at = [&](double x) {
    const auto step = std::upper_bound(curve.thresholds.begin(), curve.thresholds.end(), x) - curve.thresholds.begin();
    return curve.values(step, 0);
  };
  const double sign = at(2) > at(0) ? 1 : -1;
  EXPECT_GT(sign * (at(2) - at(0)), 1.0);
  EXPECT_GT(sign * (at(-2) - at(0)), 1.0);
  EXPECT_NEAR(at(1), at(-1), 0.3);
  const ShapeCurve noise = shape_curve(model, 0, 2);
  for (Index i = 0; i < noise.values.rows(); ++i) EXPECT_NEAR(noise.values(i, 0), noise.values(0, 0), 0.3);
}

/// With trees of depth one the variate is a sum of functions of single features: curves must add up to it.
TEST(ShapeCurve, OfStumpsAddUpToTheVariate) {
  const FitResult result = parabola(1);
  const Model& model = result.model;
  const Matrix<float> rows = testing::normal_matrix(20, 3, 9);
  const Matrix<float> variates = transform(model, 0, rows);
  std::vector<ShapeCurve> curves;
  for (Index j = 0; j < 3; ++j) curves.push_back(shape_curve(model, 0, j, 100000));
  for (Index i = 0; i < 20; ++i) {
    double difference = 0;  // from row 0: constants cancel
    for (Index j = 0; j < 3; ++j) {
      const auto value = [&](Index row) {
        const auto& t = curves[j].thresholds;
        return t.empty() ? 0.0 : curves[j].values(std::upper_bound(t.begin(), t.end(), rows(row, j)) - t.begin(), 0);
      };
      difference += value(i) - value(0);
    }
    EXPECT_NEAR(variates(i, 0) - variates(0, 0), difference, 1e-4);
  }
}

TEST(ShapeCurve, IncludesTheBaseMargin) {
  Model model = parabola(3, "paper").model;
  const ShapeCurve with = shape_curve(model, 0, 0);
  const double slope = model.views[0].base_margin.weights(0, 0);
  ASSERT_NE(slope, 0);
  const double rotation = model.views[0].parts[0].rotation(0, 0);
  model.views[0].base_margin = {};
  const ShapeCurve without = shape_curve(model, 0, 0);
  EXPECT_EQ(with.slopes, std::vector<double>{slope * rotation});
  EXPECT_EQ(without.slopes, std::vector<double>{0});
  const Index last = with.values.rows() - 1;
  const double rise = (with.values(last, 0) - without.values(last, 0)) - (with.values(0, 0) - without.values(0, 0));
  const double margin =
      (with.thresholds.back() - with.thresholds.front()) / static_cast<double>(with.thresholds.size());
  EXPECT_NEAR(rise, slope * (with.thresholds.back() - with.thresholds.front() + 2 * margin), 1e-9);
}

TEST(ShapeCurve, OfPartsIsTheSumOfTheirs) {
  testing_helpers::ModelShape shape;
  shape.parts = 2;
  shape.max_depth = 1;
  const Model model = testing_helpers::random_model(5, shape);
  const ShapeCurve whole = shape_curve(model, 0, 1, 100000);
  std::vector<double> missing(2, 0.0);
  for (std::size_t p = 0; p < 2; ++p) {
    Model part = model;
    for (ViewModel& view : part.views) view.parts = {view.parts[p]};
    const ShapeCurve own = shape_curve(part, 0, 1, 100000);
    for (std::size_t c = 0; c < 2; ++c) missing[c] += own.missing[c];
  }
  for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(whole.missing[c], missing[c], 1e-9);
}

TEST(ShapeCurve, OfLinearCcaIsALineOverTheDataAndFlatWhereTheValueIsMissing) {
  testing_helpers::ModelShape shape;
  shape.linear = 1;
  Model model = testing_helpers::random_model(6, shape);
  model.views[0].linear.mean[1] = 10;
  model.views[0].deviation[1] = 2;
  const ShapeCurve curve = shape_curve(model, 0, 1);
  ASSERT_EQ(curve.thresholds.size(), 9U);
  EXPECT_NEAR(curve.thresholds.front(), 6, 1e-9);  // two standard deviations either way
  EXPECT_NEAR(curve.thresholds.back(), 14, 1e-9);
  const double slope = model.views[0].linear.weights(1, 0);
  for (Index i = 1; i + 1 < curve.values.rows(); ++i) {
    const double middle =
        (curve.thresholds[static_cast<std::size_t>(i - 1)] + curve.thresholds[static_cast<std::size_t>(i)]) / 2;
    EXPECT_NEAR(curve.values(i, 0), slope * (middle - 10), 1e-9);
  }
  ASSERT_EQ(curve.at.size(), 10U);
  for (Index i = 0; i < curve.values.rows(); ++i) {  // also in the outer steps
    for (Index c = 0; c < 2; ++c) {
      EXPECT_EQ(curve.slopes[static_cast<std::size_t>(c)], model.views[0].linear.weights(1, c));
      EXPECT_NEAR(curve.values(i, c),
                  curve.slopes[static_cast<std::size_t>(c)] * (curve.at[static_cast<std::size_t>(i)] - 10), 1e-9);
    }
  }
  EXPECT_EQ(curve.missing, (std::vector<double>{0, 0}));
  for (Index c = 0; c < 2; ++c) model.views[0].linear.weights(1, c) = 0;  // not used: no steps
  EXPECT_TRUE(shape_curve(model, 0, 1).thresholds.empty());
}

TEST(ShapeCurve, AFeatureThatNoTreeTestsHasNoSteps) {
  Model model = parabola(2).model;
  model.views[0].feature_names.push_back("unused");
  const ShapeCurve curve = shape_curve(model, 0, 3);
  EXPECT_TRUE(curve.thresholds.empty());
  EXPECT_EQ(curve.values.rows(), 0);
  EXPECT_EQ(curve.missing.size(), 1U);
}

TEST(ShapeCurve, RefusesWhatTheModelDoesNotHave) {
  const Model model = parabola(1).model;
  EXPECT_THROW(shape_curve(model, 2, 0), UsageError);
  EXPECT_THROW(shape_curve(model, 0, 3), UsageError);
  EXPECT_THROW(shape_curve(model, 0, -1), UsageError);
  EXPECT_THROW(shape_curve(model, 0, 0, 0), UsageError);
  EXPECT_LE(shape_curve(model, 0, 0, 5).thresholds.size(), 5U);
}

}  // namespace
}  // namespace treecca

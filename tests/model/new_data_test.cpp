#include "treecca/new_data.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

Matrix<float> rows_of(const Matrix<float>& x, Index begin, Index end) {
  Matrix<float> part(end - begin, x.cols());
  for (Index i = begin; i < end; ++i) {
    for (Index j = 0; j < x.cols(); ++j) part(i - begin, j) = x(i, j);
  }
  return part;
}

Model fitted(const Matrix<float>& a, const Matrix<float>& b) {
  Parameters parameters = testing::plain_parameters();
  parameters.n_estimators = 2;
  parameters.n_components = 1;
  return parse_model(serialize_model(fit({{"a", a, {}}, {"b", b, {}}}, parameters).model, ModelFormat::json));
}

class NewData : public ::testing::Test {
 protected:
  SeenSamples seen(Index begin, Index end) const {
    const Matrix<float> a = rows_of(a_, begin, end);
    const Matrix<float> b = rows_of(b_, begin, end);
    return seen_samples(model_, {a, b});
  }
  std::string far(Matrix<float> values, double factor, double shift = 0, Index columns = 40) const {
    for (Index i = 0; i < values.rows(); ++i) {
      for (Index j = 0; j < columns; ++j) values(i, j) = static_cast<float>(values(i, j) * factor + shift);
    }
    return far_from_training(model_, 0, values);
  }
  // The first 200 rows are those of the fit.
  const Matrix<float> a_ = testing::normal_matrix(400, 40, 1);
  const Matrix<float> b_ = testing::normal_matrix(400, 3, 2);
  const Model model_ = fitted(rows_of(a_, 0, 200), rows_of(b_, 0, 200));
};

TEST_F(NewData, SamplesOfTheFitAreRecognised) {
  EXPECT_EQ(model_.row_hashes.size(), 200U);
  EXPECT_EQ(seen(200, 400).share, 0);
  EXPECT_TRUE(seen(200, 400).warning.empty());
  EXPECT_EQ(seen(50, 150).share, 1);
  EXPECT_TRUE(seen(50, 150).in_sample());
  EXPECT_EQ(seen(170, 270).share, 0.3);
  EXPECT_FALSE(seen(170, 270).in_sample());
  EXPECT_EQ(seen(170, 270).warning,
            "30 of these 100 samples were among the samples of the fit, so the correlations are too high. "
            "Score other samples, or report the out-of-fold correlations of the fit.");
  EXPECT_EQ(seen(198, 398).share, 0.01);
  EXPECT_TRUE(seen(198, 398).warning.empty());  // not worth a word
}

/// A sample of the samples is enough.
TEST(NewDataOfMany, SamplesOfTheFitAreCountedApproximately) {
  const Matrix<float> a = testing::normal_matrix(6000, 3, 1);
  const Matrix<float> b = testing::normal_matrix(6000, 3, 2);
  const Model model = fitted(rows_of(a, 0, 4000), rows_of(b, 0, 4000));
  EXPECT_EQ(model.row_hashes.size(), kMaxRowHashes);
  const Matrix<float> new_a = rows_of(a, 3000, 5000);
  const Matrix<float> new_b = rows_of(b, 3000, 5000);
  const SeenSamples seen = seen_samples(model, {new_a, new_b});
  EXPECT_NEAR(seen.share, 0.5, 0.1);
  EXPECT_TRUE(seen.warning.starts_with("About ")) << seen.warning;
}

TEST_F(NewData, ViewsMustFit) {
  const Matrix<float> few = rows_of(b_, 0, 9);
  expect_error<DataError>([&] { seen_samples(model_, {a_}); }, {"2 views, not 1"});
  expect_error<DataError>([&] { seen_samples(model_, {b_, a_}); }, {"\"a\"", "40 features", "3 columns"});
  expect_error<DataError>([&] { seen_samples(model_, {a_, few}); }, {"different numbers of rows"});
  expect_error<UsageError>([&] { far_from_training(model_, 2, a_); }, {"2"});
  expect_error<DataError>([&] { far_from_training(model_, 1, a_); }, {"\"b\"", "3 features"});
}

TEST_F(NewData, OtherUnitsAreNoticed) {
  const Matrix<float> many = rows_of(a_, 200, 400);
  EXPECT_EQ(far(many, 1), "");
  EXPECT_EQ(far(many, 2, 2), "");  // another population
  for (const std::string& text : {far(many, 1000), far(many, 0.001), far(many, 1, 6)}) {
    EXPECT_TRUE(text.starts_with("View \"a\": 40 of 40 features are far from the values of the fit: \"f")) << text;
  }
  EXPECT_TRUE(far(many, 1, 1000, 1).starts_with("View \"a\": 1 of 40 features is far from")) << far(many, 1, 1000, 1);
  EXPECT_NE(far(many, 1, 1000, 1).find("\"f0\" has the mean 999.9 and the standard deviation 1.01"), std::string::npos)
      << far(many, 1, 1000, 1);
  EXPECT_EQ(far(many, std::numeric_limits<double>::quiet_NaN()),
            "View \"a\": 200 of 200 samples have no value, so they have no variates.");
}

TEST_F(NewData, AFewRowsMayBeUnusual) {
  const Matrix<float> one = rows_of(a_, 200, 201);
  EXPECT_EQ(far(one, 1), "");
  EXPECT_EQ(far(one, 1, 100, 1), "");  // one odd value among 40
  EXPECT_NE(far(one, 1, 100), "");
  EXPECT_EQ(far(rows_of(a_, 0, 0), 1), "");
}

TEST_F(NewData, OldModelsKnowNothingOfTheirData) {
  Model old = model_;
  old.row_hashes.clear();
  for (ViewModel& view : old.views) {
    view.mean.clear();
    view.deviation.clear();
  }
  check_model(old);
  old = parse_model(serialize_model(old, ModelFormat::ubjson));
  EXPECT_EQ(seen_samples(old, {a_, b_}).share, 0);
  EXPECT_EQ(far_from_training(old, 0, testing::normal_matrix(50, 40, 3)), "");
}

/// Values are compared less the offset that the model subtracts.
TEST_F(NewData, CorrelationsFarBelowThoseOfTheFit) {
  Model model = model_;
  model.correlations.out_of_fold = {0.9};
  model.correlations.noise_thresholds = {0.2};
  model.correlations.pairwise.assign(4, 0.9);
  model.correlations.pairwise_noise_thresholds.assign(4, 0.2);
  model.correlations.standard_errors = {0.03};
  EXPECT_EQ(
      far_below_fit(model, {0.05}, 100),
      "The correlations are far below those of the fit: the components above noise add up to 0.05, out-of-fold at "
      "the fit to 0.90. Check that the rows of the views belong together, and that columns, units and preprocessing "
      "are the same as in the fit.");
  EXPECT_EQ(far_below_fit(model, {0.7}, 10000), "");  // lower, but not by much
  EXPECT_EQ(far_below_fit(model, {0.4}, 25), "");     // may be chance
  EXPECT_EQ(far_below_fit(model, {0.95}, 100), "");
  model.correlations.noise_thresholds = {1.0};
  model.correlations.pairwise_noise_thresholds.assign(4, 1.0);
  EXPECT_EQ(far_below_fit(model, {0.05}, 100), "");  // was not found either
}

TEST(NewDataFarFromZero, AreComparedWithTheirOffset) {
  Matrix<double> a(200, 1);
  const Matrix<float> noise = testing::normal_matrix(200, 1, 1);
  for (Index i = 0; i < 200; ++i) a(i, 0) = 1.6e9 + noise(i, 0);
  Parameters parameters = testing::plain_parameters();
  parameters.n_estimators = 2;
  parameters.n_components = 1;
  const Matrix<float> b = testing::normal_matrix(200, 1, 2);
  const Model model = fit({{"a", a, {}}, {"b", b, {}}}, parameters).model;
  ASSERT_FALSE(model.views[0].offset.empty());
  EXPECT_EQ(far_from_training(model, 0, a), "");
  EXPECT_EQ(seen_samples(model, {a, b}).share, 1);
  for (double& value : a.values()) value += 100;
  EXPECT_NE(far_from_training(model, 0, a), "");
}

}  // namespace
}  // namespace treecca

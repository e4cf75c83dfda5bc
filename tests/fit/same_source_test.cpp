#include "fit/same_source.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

/// Two views of two features, whose first ones are x and y; out-of-fold variates z of both, all components found.
struct Case {
  Matrix<float> a = testing::normal_matrix(200, 2, 1);
  Matrix<float> b = testing::normal_matrix(200, 2, 2);
  Matrix<float> z = testing::normal_matrix(200, 2, 3);
  double correlation = 0.99;

  FitResult result() const {
    FitResult result;
    result.model.parameters.n_components = 2;
    result.model.effective_samples = 200;
    result.model.correlations.out_of_fold.assign(2, correlation);
    result.model.correlations.noise_thresholds.assign(2, 0.1);
    result.model.correlations.pairwise.assign(8, correlation);
    result.model.correlations.pairwise_noise_thresholds.assign(8, 0.1);
    result.model.views.resize(2);
    result.out_of_fold = {z, z};
    return result;
  }
  Dataset data() const { return check_dataset({{"left", a, {"u", "v"}}, {"right", b, {"s", "t"}}}); }
};

/// Feature u is the first variate, t a function of it.
template <class Function>
Case copied(Function&& function) {
  Case one;
  for (Index i = 0; i < 200; ++i) {
    one.a(i, 0) = one.z(i, 0);
    one.b(i, 1) = function(one.z(i, 0));
  }
  return one;
}

TEST(NearCopies, RoundedAndTransformed) {
  const Case rounded = copied([](float x) { return std::round(4 * x); });
  EXPECT_EQ(near_copies(rounded.result(), rounded.data()).substr(0, 63),
            "Feature \"u\" of view \"left\" and feature \"t\" of view \"right\" near");
  const Case exponential = copied([](float x) { return std::exp(x); });
  EXPECT_NE(near_copies(exponential.result(), exponential.data()), "");
}

TEST(NearCopies, SilentOtherwise) {
  const Case scaled = copied([](float x) { return 3 * x + 7; });  // named before the fit
  EXPECT_EQ(near_copies(scaled.result(), scaled.data()), "");
  const Case square = copied([](float x) { return x * x; });  // determined one way only
  EXPECT_EQ(near_copies(square.result(), square.data()), "");
  Case low = copied([](float x) { return std::round(4 * x); });
  low.correlation = 0.8;
  EXPECT_EQ(near_copies(low.result(), low.data()), "");
  EXPECT_EQ(near_copies(Case().result(), Case().data()), "");
}

/// A mark for missing values, or a limit of detection, in the same samples of both views.
TEST(SharedPlaceholders, TheSameSamplesHaveOneValue) {
  Case one;
  EXPECT_EQ(shared_placeholders(one.result(), one.data()), "");
  for (Index i = 0; i < 200; i += 20) {
    one.a(i, 1) = -999;
    one.b(i, 0) = -99;
  }
  EXPECT_EQ(
      shared_placeholders(one.result(), one.data()),
      "The 10 samples that have -999 in feature \"v\" of view \"left\" have -99 in feature \"s\" of view "
      "\"right\". If this means missing in both, mark it (command line: --na) and leave these samples out: gaps in "
      "the same samples make a correlation by themselves.");
  for (Index i = 0; i < 200; i += 20) one.b(i, 0) = std::nanf("");
  EXPECT_NE(shared_placeholders(one.result(), one.data()).find("lack a value in feature \"s\""), std::string::npos);
  one.b(0, 0) = 0.5F;  // another sample
  EXPECT_EQ(shared_placeholders(one.result(), one.data()), "");
}

/// Classes and counts are one value of many samples by nature.
TEST(SharedPlaceholders, SilentOtherwise) {
  Case classes;
  for (Index i = 0; i < 200; ++i) {
    classes.a(i, 0) = static_cast<float>(i % 4);
    classes.b(i, 0) = static_cast<float>(i % 4 == 1);
  }
  EXPECT_EQ(shared_placeholders(classes.result(), classes.data()), "");
  const Case copy = copied([](float x) { return std::round(4 * x); });  // named as near copies
  Case rounded = copy;
  for (Index i = 0; i < 200; ++i) rounded.a(i, 0) = std::round(4 * rounded.a(i, 0));
  EXPECT_EQ(shared_placeholders(rounded.result(), rounded.data()), "");
  Case nothing;
  for (Index i = 0; i < 200; i += 20) nothing.a(i, 1) = nothing.b(i, 0) = -999;
  nothing.correlation = 0.05;  // not found
  EXPECT_EQ(shared_placeholders(nothing.result(), nothing.data()), "");
}

TEST(DependentComponents, SquareOfTheFirst) {
  Case one;
  EXPECT_EQ(dependent_components(one.result(), Samples(200)), "");
  for (Index i = 0; i < 200; ++i) one.z(i, 1) = one.z(i, 0) * one.z(i, 0) - 1;
  EXPECT_TRUE(dependent_components(one.result(), Samples(200))
                  .starts_with("Some components are nearly functions of earlier ones: component 2 of component 1 (9"))
      << dependent_components(one.result(), Samples(200));
  FitResult in_one_view = one.result();
  in_one_view.out_of_fold[1] = testing::normal_matrix(200, 2, 5);
  EXPECT_EQ(dependent_components(in_one_view, Samples(200)), "");
  FitResult not_found = one.result();
  not_found.model.correlations.noise_thresholds.assign(2, 1.0);
  not_found.model.correlations.pairwise_noise_thresholds.assign(8, 1.0);
  EXPECT_EQ(dependent_components(not_found, Samples(200)), "");
}

}  // namespace
}  // namespace treecca

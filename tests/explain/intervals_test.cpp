#include "treecca/intervals.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace treecca {
namespace {

Model model_of(Index repeats, Index cross_fit) {
  Model model;
  model.views.resize(2);
  model.parameters.n_components = 1;
  model.parameters.n_repeats = repeats;
  model.parameters.cross_fit = cross_fit;
  model.independent_samples = 100;
  model.effective_samples = 21;
  model.correlations.out_of_fold = {0.6};
  model.correlations.standard_errors = {0.08};
  model.correlations.pairwise = {1, 0.6, 0.6, 1};
  model.correlations.pairwise_standard_errors = {0, 0.08, 0.08, 0};
  return model;
}

TEST(CorrelationIntervals, AreWiderThanStandardErrorsByWhatFoldsShare) {
  constexpr double kT20 = 2.0859634472658364;  // 0.975 point of Student's t with 20 degrees of freedom
  const CorrelationIntervals parts = correlation_intervals(model_of(3, 3));  // five parts in a repeat
  const double reach = kT20 * 1.5 * 0.08 / (1 - 0.36);
  ASSERT_EQ(parts.per_component.size(), 1U);
  EXPECT_NEAR(parts.per_component[0].low, std::tanh(std::atanh(0.6) - reach), 1e-9);
  EXPECT_NEAR(parts.per_component[0].high, std::tanh(std::atanh(0.6) + reach), 1e-9);
  ASSERT_EQ(parts.pairwise.size(), 4U);
  EXPECT_EQ(parts.pairwise[1].low, parts.per_component[0].low);
  EXPECT_EQ(parts.pairwise[2].high, parts.per_component[0].high);
  EXPECT_EQ(parts.pairwise[0].low, 0);
  const CorrelationIntervals ten = correlation_intervals(model_of(0, 10));
  EXPECT_NEAR(ten.per_component[0].low, std::tanh(std::atanh(0.6) - kT20 * std::sqrt(1 + 10.0 / 9) * 0.08 / (1 - 0.36)),
              1e-9);
  Model groups = model_of(3, 3);
  groups.independent_samples = 4;  // four parts
  EXPECT_LT(correlation_intervals(groups).per_component[0].low, parts.per_component[0].low);
}

TEST(CorrelationIntervals, AreNotKnownWithoutFoldsAndForOneTable) {
  Model in_sample = model_of(0, 0);
  in_sample.correlations.out_of_fold.clear();
  in_sample.correlations.standard_errors.clear();
  in_sample.correlations.pairwise_standard_errors.clear();
  EXPECT_TRUE(correlation_intervals(in_sample).per_component.empty());
  EXPECT_TRUE(correlation_intervals(in_sample).pairwise.empty());
  Model table = model_of(0, 5);
  table.views.resize(1);
  EXPECT_TRUE(correlation_intervals(table).per_component.empty());
}

TEST(CorrelationIntervals, StayWithinOneForAnyModel) {
  Model model = model_of(3, 3);
  model.effective_samples = 0;
  for (const double r : {-1.0, 0.0, 1.0}) {
    for (const double error : {0.0, 1e-300, 5.0}) {
      model.correlations.out_of_fold = {r};
      model.correlations.standard_errors = {error};
      const Interval interval = correlation_intervals(model).per_component[0];
      EXPECT_LE(interval.low, interval.high);
      EXPECT_GE(interval.low, -1);
      EXPECT_LE(interval.high, 1);
    }
  }
}

}  // namespace
}  // namespace treecca

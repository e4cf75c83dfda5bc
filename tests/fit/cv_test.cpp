#include "treecca/cv.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "helpers/synthetic_views.hpp"
#include "treecca/error.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;

/// One cross-fit.
Texts quick() { return {{"preset", "plain"}, {"n_components", "2"}, {"n_estimators", "30"}}; }

TEST(ParameterGrid, IsEveryCombinationTheLastAxisFastest) {
  const auto grid = parameter_grid(quick(), {{"n_components", {"1", "3"}}, {"max_depth", {"2", "3,5"}}});
  ASSERT_EQ(grid.size(), 4U);
  EXPECT_EQ(grid[0].n_components, 1);
  EXPECT_EQ(grid[1].n_components, 1);
  EXPECT_EQ(grid[1].max_depth.values, (std::vector<Index>{3, 5}));
  EXPECT_EQ(grid[2].n_components, 3);
  EXPECT_EQ(grid[3].n_estimators, 30);
  EXPECT_EQ(parameter_grid(quick(), {}).size(), 1U);
  EXPECT_THROW(parameter_grid(quick(), {{"nope", {"1"}}}), UsageError);
  EXPECT_THROW(parameter_grid(quick(), {{"max_depth", {"deep"}}}), UsageError);
  EXPECT_THROW(parameter_grid(quick(), {{"max_depth", {}}}), UsageError);
  EXPECT_THROW(parameter_grid(quick(), {{"max_depth", {"1"}}, {"max_depth", {"2"}}}), UsageError);
}

TEST(ParameterGrid, WhatWasGivenWinsOverAPresetAmongTheValues) {
  const auto grid = parameter_grid({{"cross_fit", "5"}, {"n_estimators", "7"}}, {{"preset", {"plain", "paper"}}});
  ASSERT_EQ(grid.size(), 2U);
  for (const Parameters& setting : grid) {
    EXPECT_EQ(setting.cross_fit, 5);
    EXPECT_EQ(setting.n_estimators, 7);
  }
  EXPECT_EQ(grid[1].objective, Objective::ey);
  EXPECT_EQ(parameter_grid({{"max_depth", "5"}}, {{"max_depth", {"2"}}})[0].max_depth.at(0), 2);
}

TEST(CrossValidate, GivesTheFiguresOfSeparateFits) {
  const auto views = testing::hermite_views(300, 2, 3, 1);
  std::vector<std::size_t> told;
  CvOptions options;
  options.on_setting = [&](std::size_t number, const CvResult&) { told.push_back(number); };
  const auto settings = parameter_grid(quick(), {{"max_bin", {"255", "16"}}, {"early_stopping_rounds", {"0", "5"}}});
  const auto results = cross_validate(views.views(), settings, options);
  ASSERT_EQ(results.size(), 4U);
  EXPECT_EQ(told, (std::vector<std::size_t>{0, 1, 2, 3}));
  for (std::size_t s = 0; s < 4; ++s) {
    const Model model = fit(views.views(), settings[s]).model;
    EXPECT_EQ(results[s].correlations, model.correlations.out_of_fold);
    EXPECT_EQ(results[s].standard_errors, model.correlations.standard_errors);
    EXPECT_EQ(results[s].curve, model.history.tcc);
    EXPECT_EQ(results[s].rounds, model.history.round);
    EXPECT_EQ(results[s].linear_weight, 0);
    EXPECT_DOUBLE_EQ(results[s].tcc, total_correlation(model.correlations.out_of_fold));
    const auto& curve = results[s].curve;
    EXPECT_EQ(curve[results[s].best_round - 1], *std::max_element(curve.begin() + 19, curve.end()));
    EXPECT_GT(results[s].parameters.min_child_weight.at(0), 0);  // "auto" is resolved
  }
}

/// Of noise, the order by out-of-fold correlations is not that of the rotation.
TEST(CrossValidate, CorrelationsAndTheirErrorsAreInTheOrderOfFit) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    const auto views = testing::independent_views(150, 4, seed);
    const Parameters parameters =
        parameters_from_texts({{"preset", "plain"}, {"n_components", "4"}, {"n_estimators", "15"}});
    const CvResult result = cross_validate(views.views(), {parameters})[0];
    const Model model = fit(views.views(), parameters).model;
    EXPECT_EQ(result.correlations, model.correlations.out_of_fold);
    EXPECT_EQ(result.standard_errors, model.correlations.standard_errors);
  }
}

TEST(CrossValidate, OfPartsGivesTheFiguresOfFitToo) {
  const auto views = testing::linear_views(60, 4, 3, 1, 0.8, 3);
  const Texts few{{"n_components", "1"}, {"n_repeats", "1"}, {"n_estimators", "20"}};
  const auto settings = parameter_grid(few, {{"linear", {"auto", "0", "1"}}});
  const auto results = cross_validate(views.views(), settings);
  for (std::size_t s = 0; s < 3; ++s) {
    const Model model = fit(views.views(), settings[s]).model;
    EXPECT_EQ(results[s].correlations, model.correlations.out_of_fold) << s;
    EXPECT_EQ(results[s].standard_errors, model.correlations.standard_errors) << s;
    EXPECT_EQ(results[s].linear_weight, *model.parameters.linear.value) << s;
    EXPECT_EQ(results[s].rounds, model.history.round) << s;
    EXPECT_EQ(results[s].curve, model.history.tcc) << s;
    EXPECT_EQ(results[s].parameters.linear, *model.parameters.linear.value) << s;
  }
  EXPECT_EQ(results[2].best_round, 0U);  // no trees, no rounds
}

TEST(CrossValidate, FindsTheNumberOfComponents) {
  const auto views = testing::hermite_views(800, 2, 3, 2);
  const auto results = cross_validate(views.views(), parameter_grid(quick(), {{"n_components", {"1", "2", "4"}}}));
  EXPECT_GT(results[1].tcc, results[0].tcc + 0.5);
  EXPECT_LT(results[2].tcc, results[1].tcc + 0.2);
  EXPECT_EQ(best_setting(results), 1U);
}

TEST(CrossValidate, TheBestRoundHasNoInitialValuesLeft) {
  // Trees that hardly learn: the initial values alone, one strong linear relation, are the best there is.
  const auto views = testing::linear_views(200, 1, 1, 1, 0.9, 4);
  for (const char* fade : {"6", "10"}) {  // more than half of the rounds: half of them
    const Texts slow{{"preset", "plain"},
                     {"n_components", "1"},
                     {"n_estimators", "12"},
                     {"init_fade", fade},
                     {"learning_rate", "0.001"}};
    const CvResult result = cross_validate(views.views(), {parameters_from_texts(slow)})[0];
    ASSERT_EQ(result.curve.size(), 12U);
    const auto best = std::max_element(result.curve.begin() + 5, result.curve.end());  // from round 6 on
    EXPECT_EQ(result.best_round, static_cast<std::uint64_t>(best - result.curve.begin()) + 1);
    EXPECT_GT(*std::max_element(result.curve.begin(), result.curve.begin() + 5), *best);
  }
}

TEST(CrossValidate, TheStandardErrorCountsIndependentSamples) {
  const auto views = testing::hermite_views(200, 1, 1, 3);
  CvOptions options;
  for (int i = 0; i < 200; ++i) options.fit.groups.push_back(i / 4);
  Parameters parameters = parameters_from_texts(quick());
  parameters.n_components = 1;
  const CvResult grouped = cross_validate(views.views(), {parameters}, options)[0];
  const Model model = fit(views.views(), parameters, options.fit).model;
  EXPECT_EQ(grouped.standard_errors, model.correlations.standard_errors);
  ASSERT_EQ(grouped.found, 1);
  EXPECT_DOUBLE_EQ(grouped.standard_error, grouped.standard_errors[0]);
  EXPECT_DOUBLE_EQ(grouped.found_tcc, grouped.correlations[0]);
}

TEST(CrossValidate, RefusesBeforeTheFirstFit) {
  const auto views = testing::hermite_views(100, 1, 1, 3);
  EXPECT_THROW(cross_validate(views.views(), {}), UsageError);
  std::size_t fitted = 0;
  CvOptions options;
  options.on_setting = [&](std::size_t, const CvResult&) { ++fitted; };
  EXPECT_THROW(cross_validate(views.views(), parameter_grid(quick(), {{"cross_fit", {"5", "0"}}}), options),
               UsageError);
  EXPECT_THROW(cross_validate(views.views(), parameter_grid(quick(), {{"n_components", {"1", "51"}}}), options),
               UsageError);
  EXPECT_EQ(fitted, 0U);
}

}  // namespace
}  // namespace treecca

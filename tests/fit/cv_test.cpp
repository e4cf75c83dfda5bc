#include "treecca/cv.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

CvResult judged(Index k, double found_tcc) {
  CvResult result;
  result.parameters.n_components = k;
  result.found_tcc = found_tcc;
  result.standard_error = 0.1;
  return result;
}

TEST(BestSetting, TakesTheFewestComponentsAmongTheGood) {
  EXPECT_EQ(best_setting({judged(1, 0.8), judged(3, 1.6), judged(5, 1.65)}), 1U);
  EXPECT_EQ(best_setting({judged(1, 0.8), judged(3, 1.4), judged(5, 1.65)}), 2U);
  EXPECT_EQ(best_setting({judged(3, 1.60), judged(3, 1.64), judged(3, 1.62)}), 1U);
  EXPECT_EQ(best_setting({judged(3, 1.58), judged(5, 1.66), judged(3, 1.60)}), 2U);
  EXPECT_EQ(best_setting({judged(5, 0), judged(1, 0), judged(3, 0)}), 1U);
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

/// A setting with one fold per correlation.
CvResult with_folds(Index k, double found_tcc, const std::vector<double>& plain, const std::vector<double>& shipped) {
  CvResult result = judged(k, found_tcc);
  result.correlations.assign(static_cast<std::size_t>(k), 0.5);
  result.folds.n_views = 2;
  result.folds.of_row = {0, 1, 2};
  const auto covariances = [&](const std::vector<double>& of_folds) {
    CvFolds::Covariances folds;
    for (const double r : of_folds) {
      std::vector<double>& table = folds.emplace_back(static_cast<std::size_t>(4 * k), 1.0);
      for (std::size_t i = static_cast<std::size_t>(k); i < static_cast<std::size_t>(3 * k); ++i) table[i] = r;
    }
    return folds;
  };
  result.folds.plain = {covariances(plain)};
  result.folds.shipped = {covariances(shipped)};
  return result;
}

TEST(NestedTcc, JudgesEachFoldByTheSettingThatTheOthersChoose) {
  // Each setting is best where it is judged: its own fold lifts it to the first place.
  const CvResult a = with_folds(1, 0.9, {0.9, 0.1, 0.1}, {0.8, 0.2, 0.2});
  const CvResult b = with_folds(1, 0.5, {0.1, 0.8, 0.2}, {0.2, 0.7, 0.3});
  // Without fold 0: b (0.5 against 0.1). Without 1: a (0.5 against 0.15). Without 2: a (0.5 against 0.45).
  EXPECT_NEAR(nested_tcc({a, b}), (0.2 + 0.2 + 0.2) / 3, 1e-12);
  EXPECT_NEAR(nested_tcc({a}), (0.8 + 0.2 + 0.2) / 3, 1e-12);
  // Others than the best's number of components or folds do not compete.
  CvResult other = b;
  other.folds.of_row = {2, 1, 0};
  EXPECT_TRUE(std::isnan(nested_tcc({a, other})));
  EXPECT_TRUE(std::isnan(nested_tcc({a, with_folds(2, 0.5, {0.9, 0.9, 0.9}, {0.9, 0.9, 0.9})})));
}

TEST(NestedTcc, OfOneSettingIsItsOwn) {
  const auto views = testing::linear_views(60, 4, 3, 1, 0.8, 3);
  for (const char* repeats : {"0", "2"}) {
    const auto results = cross_validate(
        views.views(), parameter_grid({{"n_components", "2"}, {"n_estimators", "20"}, {"n_repeats", repeats}}, {}));
    EXPECT_NEAR(nested_tcc(results), results[0].tcc, 1e-12) << repeats;
  }
  const auto plain = cross_validate(views.views(), parameter_grid(quick(), {{"early_stopping_rounds", {"5"}}}));
  EXPECT_NEAR(nested_tcc(plain), plain[0].tcc, 1e-12);
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

// Which of the settings of a cross-validation to take, and what to expect of it.
#include <gtest/gtest.h>

#include <cmath>

#include "helpers/synthetic_views.hpp"
#include "treecca/cv.hpp"

namespace treecca {
namespace {

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

TEST(BestFirst, SortsByWhatSettingsAreComparedBy) {
  std::vector<CvResult> results{judged(1, 0.8), judged(3, 1.60), judged(5, 1.65), judged(5, 1.65)};
  for (CvResult& one : results) one.found = 1;
  results[0].tcc = 9;                                                // of components that are not above noise
  EXPECT_EQ(best_first(results), (std::vector<Index>{1, 2, 3, 0}));  // setting 1 has fewer components than the highest
  for (CvResult& one : results) one.found = 0;
  results[3].tcc = 4;
  for (CvResult& one : results) one.found_tcc = 0;
  EXPECT_EQ(best_first(results), (std::vector<Index>{0, 3, 1, 2}));
}

/// One result per value of a parameter, with these correlations.
std::vector<CvResult> tried(const std::string& name, const std::vector<std::pair<std::string, double>>& values) {
  std::vector<CvResult> results;
  for (const auto& [value, r] : values) {
    CvResult& one = results.emplace_back(judged(1, r));
    set_from_text(one.given, name, value);
    one.correlations = {r};
    one.tcc = r;
  }
  return results;
}

TEST(EdgeAdvice, NamesParametersWhoseBestValueIsAtTheEdge) {
  const auto advice = [](const std::string& name, const std::vector<std::pair<std::string, double>>& values) {
    return edge_advice(tried(name, values), {name});
  };
  EXPECT_EQ(advice("max_depth", {{"2", 0.5}, {"6", 0.9}, {"4", 0.7}}),
            (std::vector<std::string>{"The best max_depth is the highest of the grid (6): try higher values too."}));
  EXPECT_EQ(
      advice("learning_rate", {{"0.2", 0.5}, {"0.1", 0.9}, {"0.4", 0.7}}),
      (std::vector<std::string>{"The best learning_rate is the lowest of the grid (0.1): try lower values too."}));
  EXPECT_TRUE(advice("max_depth", {{"2", 0.5}, {"6", 0.7}, {"4", 0.9}}).empty());   // inside
  EXPECT_TRUE(advice("max_depth", {{"2", 0.5}, {"6", 0.9}}).empty());               // of two, one is always at the edge
  EXPECT_TRUE(advice("max_depth", {{"2", 0.5}, {"16", 0.9}, {"4", 0.7}}).empty());  // nothing is beyond
  EXPECT_TRUE(advice("max_depth", {{"2", 0.5}, {"4", 0.7}, {"6", 0.8}, {"auto", 0.9}}).empty());
  EXPECT_TRUE(advice("random_state", {{"2", 0.5}, {"6", 0.9}, {"4", 0.7}}).empty());
  EXPECT_TRUE(edge_advice(tried("max_depth", {{"2", 0.5}, {"6", 0.9}, {"4", 0.7}}), {"subsample"}).empty());
}

TEST(EdgeAdvice, IsSilentOnParametersWithoutEffect) {
  // As where linear CCA is chosen whatever the trees are.
  EXPECT_TRUE(edge_advice(tried("max_depth", {{"2", 0.9}, {"4", 0.9}, {"6", 0.9}}), {"max_depth"}).empty());
  std::vector<CvResult> results = tried("max_depth", {{"2", 0.9}, {"4", 0.89}, {"6", 0.89}});
  EXPECT_FALSE(edge_advice(results, {"max_depth"}).empty());
  results[0].linear_weight = 1;
  EXPECT_TRUE(edge_advice(results, {"max_depth"}).empty());
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
      std::vector<double> table(static_cast<std::size_t>(4 * k), 1.0);
      for (std::size_t i = static_cast<std::size_t>(k); i < static_cast<std::size_t>(3 * k); ++i) table[i] = r;
      folds.emplace_back(std::move(table));
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
  const ParameterTexts stopping{{"preset", "plain"}, {"n_estimators", "30"}, {"early_stopping_rounds", "5"}};
  const auto plain = cross_validate(views.views(), parameter_grid(stopping, {}));
  EXPECT_NEAR(nested_tcc(plain), plain[0].tcc, 1e-12);
}

}  // namespace
}  // namespace treecca

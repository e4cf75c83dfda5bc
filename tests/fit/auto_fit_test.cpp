// Preset auto through whole fits: parts, blends with linear CCA, the choice between them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "helpers/synthetic_views.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

/// One repeat of 20 rounds.
Parameters quick(ParameterTexts texts = {}) {
  for (const auto& [name, value] : ParameterTexts{{"n_components", "1"}, {"n_repeats", "1"}, {"n_estimators", "20"}}) {
    const bool given = std::any_of(texts.begin(), texts.end(), [&](const auto& text) { return text.first == name; });
    if (!given) texts.emplace_back(name, value);
  }
  return parameters_from_texts(texts);
}

void expect_near(const Matrix<float>& a, const Matrix<float>& b, double tolerance = 1e-4) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (std::size_t i = 0; i < a.values().size(); ++i) ASSERT_NEAR(a.values()[i], b.values()[i], tolerance);
}

/// What every result promises.
void expect_sound(const FitResult& result, const std::vector<View>& views) {
  check_model(result.model);
  for (const ModelFormat format : {ModelFormat::json, ModelFormat::ubjson}) {
    Model written = result.model;
    written.parameters.n_jobs = Parameters().n_jobs;  // not in the file
    EXPECT_EQ(parse_model(serialize_model(written, format)), written);
  }
  const auto again = transform(result.model, views);
  for (std::size_t v = 0; v < views.size(); ++v) {
    expect_near(again[v], result.variates[v]);
    for (const float x : result.variates[v].values()) ASSERT_TRUE(std::isfinite(x));
  }
  const Correlations& correlations = result.model.correlations;
  const std::vector<double> shown =
      component_correlations(result.variates, {result.weights.data(), result.weights.size()});
  for (std::size_t c = 0; c < shown.size(); ++c) EXPECT_NEAR(correlations.in_sample[c], shown[c], 1e-5);
  if (result.out_of_fold.empty()) return;
  for (const double threshold : correlations.noise_thresholds) {
    EXPECT_GT(threshold, 0);
    EXPECT_LE(threshold, 1);
  }
  for (const Matrix<float>& rows : result.out_of_fold) EXPECT_EQ(rows.rows(), views[0].values.rows());
}

/// Counts that are mostly 0: every column has two ones, fewer than a leaf needs.
Matrix<float> rare_counts(Index rows, Index columns, unsigned seed) {
  Matrix<float> counts(rows, columns);
  std::mt19937 draw(seed);
  for (float& value : counts.values()) value = 0;
  for (Index j = 0; j < columns; ++j) {
    for (int one = 0; one < 2; ++one) counts(static_cast<Index>(draw() % static_cast<unsigned>(rows)), j) = 1;
  }
  return counts;
}

// Folds that chose constant trees were mixed with folds of four rows that chose linear CCA: correlations of 1 and -1.
TEST(AutoFit, TreesThatWereNeverSplitAreNoChoice) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Matrix<float> a = rare_counts(20, 6, seed);
    const Matrix<float> b = rare_counts(20, 5, 100 + seed);
    const std::vector<View> views{{"a", a}, {"b", b}};
    const FitResult result = fit(views, quick({{"n_components", "2"}}));
    const FitResult linear = fit(views, quick({{"n_components", "2"}, {"linear", "1"}}));
    EXPECT_EQ(result.model.correlations.out_of_fold, linear.model.correlations.out_of_fold) << seed;
    const FitResult trees = fit(views, quick({{"n_components", "2"}, {"linear", "0"}}));
    EXPECT_EQ(trees.model.correlations.out_of_fold, std::vector<double>(2, 0.0)) << seed;
  }
}

TEST(AutoFit, ALinearRelationTakesLinearCcaAndFiguresAreTrue) {
  const auto views = testing::linear_views(80, 10, 8, 1, 0.7, 1);
  const auto fresh = testing::linear_views(4000, 10, 8, 1, 0.7, 2);
  const FitResult result = fit(views.views(), quick());
  expect_sound(result, views.views());
  EXPECT_GE(*result.model.parameters.linear.value, 0.5);
  EXPECT_FALSE(result.model.views[0].linear.empty());
  ASSERT_EQ(result.model.correlations.candidates.size(), 3U);
  const double truth = tcc(transform(result.model, fresh.views()));
  EXPECT_NEAR(result.model.correlations.out_of_fold[0], truth, 0.15);
}

TEST(AutoFit, ANonlinearRelationTakesTrees) {
  const auto views = testing::hermite_views(150, 1, 3, 3);
  const auto fresh = testing::hermite_views(4000, 1, 3, 4);
  const FitResult result = fit(views.views(), quick());
  expect_sound(result, views.views());
  EXPECT_EQ(result.model.parameters.linear, 0);
  EXPECT_TRUE(result.model.views[0].linear.empty());
  EXPECT_EQ(result.model.views[0].parts.size(), 5U);
  EXPECT_LT(result.model.correlations.linear_out_of_fold[0], 0.4);
  EXPECT_NEAR(result.model.correlations.out_of_fold[0], tcc(transform(result.model, fresh.views())), 0.15);
  EXPECT_EQ(result.model.found(), std::vector<bool>{true});
}

TEST(AutoFit, UnrelatedViewsPromiseNothingOnAverage) {
  double sum = 0;
  constexpr unsigned kSeeds = 6;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto views = testing::independent_views(80, 5, seed);
    const FitResult result = fit(views.views(), quick());
    sum += result.model.correlations.out_of_fold[0] / kSeeds;
    EXPECT_EQ(result.model.found(), std::vector<bool>{false});
  }
  EXPECT_LT(std::abs(sum), 4 * 1.5 / std::sqrt(80.0 * kSeeds));
}

TEST(AutoFit, WithNothingGivenAtAll) {
  const auto views = testing::linear_views(40, 3, 3, 1, 0.8, 5);
  const FitResult result = fit(views.views());
  expect_sound(result, views.views());
  EXPECT_EQ(result.model.asked, Parameters());
  EXPECT_EQ(result.model.parameters.n_repeats, 3);
  EXPECT_EQ(result.model.parameters.preset, Preset::automatic);
  EXPECT_EQ(result.model.correlations.candidates.size(), 3U);
}

TEST(AutoFit, SameBytesForAnyNumberOfThreads) {
  const auto views = testing::hermite_views(90, 2, 3, 6);
  for (const char* repeats : {"2", "0"}) {
    std::string first;
    for (const char* threads : {"1", "4"}) {
      const Parameters parameters =
          quick({{"n_components", "2"}, {"n_repeats", repeats}, {"n_estimators", "10"}, {"n_jobs", threads}});
      const std::string bytes = serialize_model(fit(views.views(), parameters).model, ModelFormat::json);
      if (first.empty()) first = bytes;
      EXPECT_TRUE(bytes == first) << "n_repeats = " << repeats;
    }
  }
}

TEST(AutoFit, EveryWeightOfLinearCca) {
  const auto views = testing::linear_views(60, 4, 3, 1, 0.7, 7);
  for (const char* repeats : {"1", "0"}) {
    for (const char* linear : {"auto", "0", "0.5", "1"}) {
      SCOPED_TRACE(std::string("linear=") + linear + " n_repeats=" + repeats);
      const FitResult result = fit(views.views(), quick({{"linear", linear}, {"n_repeats", repeats}}));
      expect_sound(result, views.views());
      const Model& model = result.model;
      EXPECT_EQ(to_text(model.asked, "linear"), linear);
      EXPECT_EQ(model.correlations.candidates.size(), std::string(linear) == "auto" ? 3U : 1U);
      const double weight = model.parameters.linear;
      EXPECT_EQ(model.views[0].parts.empty(), weight == 1);
      EXPECT_EQ(model.views[0].linear.empty(), weight == 0);
      EXPECT_EQ(model.correlations.linear_out_of_fold.size(), 1U);
      if (weight == 1) {
        EXPECT_NEAR(model.correlations.linear_out_of_fold[0], model.correlations.out_of_fold[0], 0.1);
        EXPECT_EQ(model.rounds, 0U);
      }
    }
  }
}

TEST(AutoFit, OneFitToAllRowsIsKeptAsAPartPerFold) {
  const auto views = testing::hermite_views(150, 1, 2, 8);
  const FitResult result = fit(views.views(), quick({{"n_repeats", "0"}}));
  EXPECT_EQ(result.model.parameters.linear, 0);
  EXPECT_EQ(result.model.views[0].parts.size(), 3U);
  EXPECT_EQ(result.model.views[0].parts[0].encoders.size(), 1U);
}

TEST(AutoFit, WithoutCrossFitting) {
  const auto views = testing::linear_views(60, 4, 3, 1, 0.7, 9);
  for (const char* linear : {"auto", "0.5", "1"}) {
    const FitResult result = fit(views.views(), quick({{"cross_fit", "0"}, {"n_repeats", "auto"}, {"linear", linear}}));
    expect_sound(result, views.views());
    EXPECT_TRUE(result.out_of_fold.empty());
    EXPECT_TRUE(result.model.correlations.out_of_fold.empty());
    EXPECT_TRUE(result.model.correlations.standard_errors.empty());
    EXPECT_TRUE(result.model.found().empty());
    EXPECT_EQ(result.model.correlations.in_sample.size(), 1U);
    EXPECT_EQ(to_text(result.model.parameters, "linear"), std::string(linear) == "auto" ? "0" : linear);
  }
}

TEST(AutoFit, ThreeViewsOfWhichOneIsUnrelated) {
  const auto views = testing::hermite_views(400, 1, 2, 11);
  const Matrix<float> unrelated = testing::normal_matrix(400, 3, 99);
  const std::vector<View> three{{"a", views.a}, {"b", views.b}, {"c", unrelated}};
  const FitResult result = fit(three, quick({{"n_estimators", "40"}}));
  expect_sound(result, three);
  const std::vector<double>& pairs = result.model.correlations.pairwise;  // 3 x 3 x 1
  EXPECT_GT(pairs[1], 0.5);
  EXPECT_LT(std::abs(pairs[2]), 0.2);
  EXPECT_LT(std::abs(pairs[5]), 0.2);
}

TEST(AutoFit, GroupsStayTogether) {
  // Every sample occurs four times. By row the copies leak; by group there is nothing.
  const auto unique = testing::independent_views(40, 6, 11);
  testing::TwoViews repeated{Matrix<float>(160, 6), Matrix<float>(160, 6)};
  FitOptions by_group;
  for (Index i = 0; i < 160; ++i) {
    by_group.groups.push_back(i / 4);
    for (Index j = 0; j < 6; ++j) {
      repeated.a(i, j) = unique.a(i / 4, j);
      repeated.b(i, j) = unique.b(i / 4, j);
    }
  }
  const Parameters parameters = quick({{"min_child_weight", "2"}, {"linear", "0"}});
  EXPECT_GT(fit(repeated.views(), parameters).model.correlations.out_of_fold[0], 0.5);
  const FitResult grouped = fit(repeated.views(), parameters, by_group);
  EXPECT_LT(grouped.model.correlations.out_of_fold[0], 0.45);
  EXPECT_EQ(grouped.model.independent_samples, 40U);
  EXPECT_EQ(grouped.model.found(), std::vector<bool>{false});
}

TEST(AutoFit, FewGroups) {
  const auto views = testing::linear_views(60, 3, 3, 1, 0.8, 12);
  const auto in_groups = [](Index groups) {
    FitOptions options;
    for (Index i = 0; i < 60; ++i) options.groups.push_back(i % groups);
    return options;
  };
  const FitResult four = fit(views.views(), quick(), in_groups(4));
  EXPECT_EQ(four.model.parameters.n_repeats, 1);
  EXPECT_EQ(four.out_of_fold.size(), 2U);
  const FitResult three = fit(views.views(), quick({{"n_repeats", "auto"}}), in_groups(3));
  EXPECT_EQ(three.model.parameters.n_repeats, 0);
  EXPECT_EQ(three.model.views[0].parts.size(), 1U);
  EXPECT_EQ(three.model.found(), std::vector<bool>{false});  // too few to tell
  EXPECT_THROW(fit(views.views(), quick({{"n_repeats", "auto"}}), in_groups(2)), DataError);
}

TEST(AutoFit, WeightsCount) {
  // Half of the rows are nonsense without weight.
  auto views = testing::hermite_views(240, 1, 2, 13);
  const Matrix<float> nonsense = testing::normal_matrix(240, 1, 77);
  FitOptions options;
  for (Index i = 0; i < 240; ++i) {
    options.sample_weight.push_back(i % 2);
    if (i % 2 == 0) views.b(i, 0) = 3 * nonsense(i, 0);
  }
  const FitResult with = fit(views.views(), quick(), options);
  expect_sound(with, views.views());
  EXPECT_EQ(with.model.independent_samples, 120U);
  EXPECT_GT(with.model.correlations.out_of_fold[0],
            fit(views.views(), quick()).model.correlations.out_of_fold[0] + 0.1);
  // Equal weights change nothing.
  options.sample_weight.assign(240, 2.0);
  const Parameters few = quick({{"n_estimators", "5"}});
  const FitResult equal = fit(views.views(), few, options);
  EXPECT_NEAR(equal.model.correlations.out_of_fold[0], fit(views.views(), few).model.correlations.out_of_fold[0], 1e-6);
}

TEST(AutoFit, AsManyComponentsAsThereMayBe) {
  const auto views = testing::linear_views(24, 3, 2, 1, 0.8, 14);
  const FitResult result = fit(views.views(), quick({{"n_components", "12"}, {"n_estimators", "5"}}));
  expect_sound(result, views.views());
  EXPECT_EQ(result.model.correlations.out_of_fold.size(), 12U);
  EXPECT_EQ(result.model.parameters.n_oversamples, 0);
  EXPECT_THROW(fit(views.views(), quick({{"n_components", "13"}})), UsageError);
  const auto ten = testing::linear_views(10, 2, 2, 1, 0.8, 15);  // the fewest samples that there may be
  expect_sound(fit(ten.views(), quick({{"n_estimators", "5"}})), ten.views());
}

TEST(AutoFit, WithoutRotation) {
  const auto views = testing::linear_views(80, 4, 4, 2, 0.8, 16);
  const FitResult result = fit(views.views(), quick({{"n_components", "2"}, {"rotate", "false"}}));
  expect_sound(result, views.views());
  EXPECT_EQ(result.model.parameters.n_oversamples, 0);
}

TEST(AutoFit, WithABaseMarginMissingValuesAndScreening) {
  auto views = testing::linear_views(80, 30, 4, 1, 0.9, 17);
  for (Index i = 0; i < 80; i += 5) views.a(i, 0) = std::numeric_limits<float>::quiet_NaN();
  for (const char* linear : {"0", "0.5"}) {
    const FitResult result = fit(
        views.views(), quick({{"init_fade", "0"}, {"screen", "5,none"}, {"linear", linear}, {"n_estimators", "5"}}));
    expect_sound(result, views.views());
    EXPECT_FALSE(result.model.views[0].base_margin.empty());
    EXPECT_EQ(result.model.views[0].screening.kept.size(), 15U);
    EXPECT_TRUE(result.model.views[1].screening.empty());
  }
}

TEST(AutoFit, TheModelSurvivesItsFile) {
  const auto views = testing::linear_views(60, 4, 3, 1, 0.8, 18);
  const Model model = fit(views.views(), quick({{"linear", "0.5"}, {"n_estimators", "5"}})).model;
  const TemporaryFile file("model.json", "");
  save_model(model, file.path());
  const Model read = load_model(file.path());
  EXPECT_EQ(read, model);
  EXPECT_EQ(transform(read, views.views()), transform(model, views.views()));
}

TEST(AutoFit, WithoutFoldsABlendIsThatOfAllSamples) {
  const auto views = testing::linear_views(80, 5, 6, 1, 0.8, 31);
  for (const char* weight : {"0.5", "1"}) {
    Parameters parameters = quick({{"n_components", "1"}, {"cross_fit", "0"}, {"n_repeats", "0"}, {"linear", weight}});
    const FitResult result = fit(views.views(), parameters);
    EXPECT_TRUE(result.model.correlations.out_of_fold.empty());
    EXPECT_GT(result.model.correlations.in_sample[0], 0.6) << weight;
    const Matrix<float> z = transform(result.model, 0, views.a);
    double square = 0;
    for (const float value : z.values()) square += static_cast<double>(value) * value;
    EXPECT_NEAR(square / 79, 1, 0.1) << weight;  // variates have unit variance
  }
}

TEST(AutoFit, ComponentsBeyondTheRankOfLinearCcaAreZero) {
  const auto views = testing::linear_views(120, 3, 2, 1, 0.7, 33);
  const FitResult result = fit(views.views(), quick({{"n_components", "6"}, {"n_oversamples", "0"}}));
  const std::vector<double>& linear = result.model.correlations.linear_out_of_fold;
  EXPECT_GT(linear[0], 0.5);
  for (std::size_t c = 2; c < 6; ++c) EXPECT_LT(std::abs(linear[c]), 0.5) << c;  // two features: two components
}

TEST(AutoFit, StopsOnRequest) {
  const auto views = testing::independent_views(60, 3, 19);
  for (const char* threads : {"1", "4"}) {
    std::atomic<bool> stop{false};
    FitOptions options;
    options.stop = &stop;
    options.on_round = [&](const Progress& progress) { stop = progress.round >= 3; };
    // So many rounds that no thread can do all parts before the caller's has begun.
    EXPECT_THROW(fit(views.views(), quick({{"n_jobs", threads}, {"n_estimators", "3000"}}), options), Interrupted);
    stop = true;
    options.on_round = {};
    EXPECT_THROW(fit(views.views(), quick({{"n_jobs", threads}, {"linear", "1"}}), options), Interrupted);
  }
}

TEST(AutoFit, ProgressCountsTheRoundsOfAllParts) {
  const auto views = testing::independent_views(60, 3, 20);
  std::vector<Index> rounds;
  FitOptions options;
  options.on_round = [&](const Progress& progress) {
    rounds.push_back(progress.round);
    EXPECT_EQ(progress.rounds, 5 * 20);
    EXPECT_FALSE(progress.in_sample);
  };
  fit(views.views(), quick({{"n_jobs", "1"}}), options);
  ASSERT_EQ(rounds.size(), 100U);
  EXPECT_EQ(rounds.front(), 1);
  EXPECT_EQ(rounds.back(), 100);
  EXPECT_TRUE(std::is_sorted(rounds.begin(), rounds.end()));
}

TEST(AutoFit, RoundsEndWherePartsStopLearning) {
  const auto views = testing::independent_views(60, 3, 21);
  const FitResult result =
      fit(views.views(), quick({{"n_estimators", "200"}, {"early_stopping_rounds", "5"}, {"learning_rate", "0.3"}}));
  EXPECT_LT(result.model.rounds, 200U);
  EXPECT_GT(result.model.rounds, 0U);
  EXPECT_EQ(result.model.history.round.size(), result.model.history.tcc.size());
  EXPECT_TRUE(result.model.history.loss.empty());
}

/// The threshold goes by what the held-out rows show, not by the correlation of the shipped mean, which may reach 1.
TEST(AutoFit, EqualViewsAreFound) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    const auto views = testing::independent_views(100, 4, seed);
    const std::vector<View> twice{views.views()[0], {"again", views.views()[0].values, {}}};
    const Model model = fit(twice, quick({{"n_components", "2"}, {"linear", "0"}, {"n_estimators", "60"}})).model;
    EXPECT_GT(model.correlations.out_of_fold[1], 0.9);
    EXPECT_EQ(model.found(), (std::vector<bool>{true, true})) << seed;
  }
}

}  // namespace
}  // namespace treecca

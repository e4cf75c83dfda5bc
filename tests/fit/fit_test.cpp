#include "treecca/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/synthetic_views.hpp"
#include "objective/correlations.hpp"
#include "treecca/error.hpp"
#include "treecca/metrics.hpp"
#include "treecca/model.hpp"

namespace treecca {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

Parameters small_fit(Index k, Index rounds = 60) {
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = k;
  parameters.n_estimators = rounds;
  parameters.n_jobs = 2;
  return parameters;
}

/// The model as it was after its first `rounds` rounds, without rotation.
Model truncated(const Model& model, std::size_t rounds) {
  Model result = model;
  for (ViewModel& view : result.views) {
    PartModel& part = view.parts[0];
    const std::size_t per_round = part.encoders[0].size() / model.rounds;
    for (Encoder& encoder : part.encoders) encoder.resize(rounds * per_round);
    for (Index i = 0; i < part.rotation.rows(); ++i) {
      for (Index j = 0; j < part.rotation.cols(); ++j) part.rotation(i, j) = i == j ? 1 : 0;
    }
  }
  return result;
}

TEST(Fit, FindsASignalThatLinearCcaCannotSee) {
  const auto train = testing::hermite_views(1500, 2, 4, 1);
  const auto test = testing::hermite_views(1500, 2, 4, 2);
  const FitResult result = fit(train.views(), small_fit(2));
  EXPECT_LT(sum(result.model.correlations.linear_out_of_fold), 0.3);
  EXPECT_GT(sum(result.model.correlations.out_of_fold), 1.8);
  EXPECT_NEAR(tcc(transform(result.model, test.views())), sum(result.model.correlations.out_of_fold), 0.1);
}

TEST(Fit, IndependentViewsHaveOutOfFoldCorrelationsAroundZero) {
  double out_of_fold = 0;
  for (unsigned seed = 0; seed < 4; ++seed) {
    const auto views = testing::independent_views(1000, 20, seed);
    const FitResult result = fit(views.views(), small_fit(3, 100));
    ASSERT_EQ(result.model.correlations.out_of_fold.size(), 3U);
    for (const double correlation : result.model.correlations.out_of_fold) {
      EXPECT_LT(std::abs(correlation), 4 / std::sqrt(1000.0));  // four standard errors
      out_of_fold += correlation / 12;
    }
    EXPECT_EQ(result.model.history.tcc.size(), 100U);
    for (const double curve : result.model.history.tcc) EXPECT_LT(curve, 0.3);
    EXPECT_GT(sum(result.model.correlations.in_sample), 0.6);
  }
  EXPECT_LT(std::abs(out_of_fold), 0.04);
}

/// Too many components for what is shared: noise components must not look real.
TEST(Fit, NoComponentPromisesMoreThanFreshRowsGive) {
  constexpr Index kComponents = 6;
  std::vector<double> excess(kComponents, 0.0);
  constexpr unsigned kSeeds = 4;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto train = testing::linear_views(400, 3, 12, 2, 0.7, 2 * seed);
    const auto fresh = testing::linear_views(8000, 3, 12, 2, 0.7, 2 * seed + 1);
    const FitResult result = fit(train.views(), small_fit(kComponents, 100));
    const std::vector<double> truth = component_correlations(transform(result.model, fresh.views()));
    for (Index k = 0; k < kComponents; ++k) excess[k] += (result.model.correlations.out_of_fold[k] - truth[k]) / kSeeds;
  }
  for (Index k = 0; k < kComponents; ++k) EXPECT_LT(excess[k], 0.1) << "component " << k;
}

TEST(Fit, IndependentViewsOfFewRowsPromiseNothingOnAverage) {
  for (const Index patience : {0, 40}) {
    double out_of_fold = 0;
    constexpr unsigned kSeeds = 20;
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
      const auto views = testing::independent_views(200, 10, seed);
      Parameters parameters = small_fit(2, 80);
      parameters.early_stopping_rounds = patience;
      out_of_fold += sum(fit(views.views(), parameters).model.correlations.out_of_fold) / kSeeds;
    }
    EXPECT_LT(std::abs(out_of_fold), 3 * std::sqrt(2.0 / (200 * kSeeds)) + 0.03) << "early stopping after " << patience;
  }
}

TEST(Fit, WeakSignalsAreNeverOverstatedAtAnyRound) {
  // Five components of correlation 0.2 each. The trap: fold offsets that become a component of their own.
  const auto train = testing::linear_views(1500, 60, 10, 5, 0.2, 1);
  const auto fresh = testing::linear_views(8000, 60, 10, 5, 0.2, 2);
  Parameters parameters = small_fit(5, 120);
  const FitResult result = fit(train.views(), parameters);
  for (std::size_t rounds = 20; rounds <= 120; rounds += 20) {
    // The truth on fresh data: decorrelated by a rotation fitted to other fresh rows.
    const std::vector<Matrix<float>> embeddings = transform(truncated(result.model, rounds), fresh.views());
    const Moments moments = moments_of({&embeddings[0], &embeddings[1]}, testing::folds_of(8000, 2, 0), 2);
    const double truth = out_of_fold_correlations(moments, 2).tcc();
    EXPECT_LT(result.model.history.tcc[rounds - 1], truth + 5 * 0.1) << "after " << rounds << " rounds";
  }
  const std::vector<double> truth = component_correlations(transform(result.model, fresh.views()));
  for (Index k = 0; k < 5; ++k) EXPECT_LT(result.model.correlations.out_of_fold[k], truth[k] + 0.1);
}

TEST(Fit, ByteEqualForAnyNumberOfThreads) {
  auto views = testing::hermite_views(700, 2, 3, 5);
  for (Index i = 0; i < 700; i += 9) views.a(i, 1) = std::numeric_limits<float>::quiet_NaN();
  for (const char* setting : {"joint", "scalar"}) {
    for (const char* preset : {"plain", "paper"}) {
      std::string first;
      for (const Index threads : {1, 2, 4}) {
        Parameters parameters = testing::plain_parameters();
        set_from_text(parameters, "preset", preset);
        set_from_text(parameters, "trees", setting);
        parameters.n_components = 2;
        parameters.n_estimators = 15;
        parameters.subsample = 0.7;
        parameters.n_jobs = threads;
        const std::string bytes = serialize_model(fit(views.views(), parameters).model, ModelFormat::json);
        if (threads == 1) first = bytes;
        EXPECT_TRUE(bytes == first) << setting << " " << preset << " with " << threads << " threads";
      }
    }
  }
}

TEST(Fit, SketchAndLeafSweepsAreByteEqualForAnyNumberOfThreads) {
  const auto views = testing::hermite_views(700, 6, 3, 5);
  std::string first;
  for (const Index threads : {1, 4}) {
    Parameters parameters = testing::plain_parameters();
    parameters.n_components = 9;
    parameters.n_estimators = 15;
    parameters.sketch = 7;
    parameters.leaf_sweeps = {};
    parameters.n_jobs = threads;
    const FitResult result = fit(views.views(), parameters);
    EXPECT_EQ(result.model.correlations.out_of_fold.size(), 9U);
    const std::string bytes = serialize_model(result.model, ModelFormat::json);
    if (threads == 1) first = bytes;
    EXPECT_TRUE(bytes == first);
  }
}

TEST(Fit, TransformOfTheTrainingRowsGivesTheVariatesOfTheFit) {
  const auto views = testing::hermite_views(400, 2, 3, 5);
  for (const char* preset : {"plain", "paper"}) {
    Parameters parameters = testing::plain_parameters();
    set_from_text(parameters, "preset", preset);
    parameters.n_components = 2;
    parameters.n_estimators = 25;
    const FitResult result = fit(views.views(), parameters);
    const auto again = transform(result.model, views.views());
    for (std::size_t v = 0; v < 2; ++v) {
      for (std::size_t i = 0; i < again[v].values().size(); ++i) {
        ASSERT_NEAR(again[v].values()[i], result.variates[v].values()[i], 1e-5) << preset;
      }
    }
  }
}

TEST(Fit, ComponentsAreOrderedAndUncorrelatedOutOfFold) {
  const auto views = testing::hermite_views(1500, 3, 3, 5);
  const FitResult result = fit(views.views(), small_fit(3));
  for (const Matrix<float>& z : result.out_of_fold) {
    for (Index a = 0; a < 3; ++a) {
      for (Index b = 0; b <= a; ++b) {
        double product = 0;
        for (Index i = 0; i < z.rows(); ++i) product += static_cast<double>(z(i, a)) * z(i, b);
        EXPECT_NEAR(product / static_cast<double>(z.rows()), a == b ? 1.0 : 0.0,
                    0.1);  // each fold by the others' rotation
      }
    }
  }
  const std::vector<double>& out_of_fold = result.model.correlations.out_of_fold;
  EXPECT_TRUE(std::is_sorted(out_of_fold.rbegin(), out_of_fold.rend()));
  // The variates out of fold, which are centred within folds, are those of the report.
  const auto own = component_correlations(result.out_of_fold);
  for (Index k = 0; k < 3; ++k) EXPECT_NEAR(own[k], out_of_fold[k], 1e-5);
}

TEST(Fit, MoreComponentsThanFeatures) {
  Matrix<float> a = testing::normal_matrix(600, 1, 1);
  Matrix<float> b = testing::normal_matrix(600, 2, 2);
  for (Index i = 0; i < 600; ++i) b(i, 0) = a(i, 0) * a(i, 0) + 0.1F * b(i, 0);
  for (const char* preset : {"plain", "paper"}) {
    Parameters parameters = testing::plain_parameters();
    set_from_text(parameters, "preset", preset);
    parameters.n_components = 4;
    parameters.n_estimators = 40;
    const FitResult result = fit({{"a", a}, {"b", b}}, parameters);
    for (const Matrix<float>& z : result.variates) {
      for (const float x : z.values()) ASSERT_TRUE(std::isfinite(x));
    }
    check_model(result.model);
  }
}

TEST(Fit, EarlyStoppingKeepsTheBestRoundAndItsEmbedding) {
  const auto views = testing::linear_views(600, 20, 20, 2, 0.3, 4);
  Parameters parameters = small_fit(2, 300);
  parameters.early_stopping_rounds = 10;
  parameters.learning_rate = 0.3;
  const FitResult result = fit(views.views(), parameters);
  ASSERT_LT(result.model.rounds, 300U);
  EXPECT_EQ(result.model.views[0].parts[0].encoders[0].size(), result.model.rounds);
  const std::vector<double>& curve = result.model.history.tcc;
  EXPECT_EQ(*std::max_element(curve.begin() + 19, curve.end()), curve[result.model.rounds - 1]);
  // The figure of the round that was chosen is not what is reported: that would be the best of many.
  EXPECT_LT(sum(result.model.correlations.out_of_fold), curve[result.model.rounds - 1]);
  const auto again = transform(result.model, views.views());
  for (std::size_t i = 0; i < again[0].values().size(); ++i) {
    ASSERT_NEAR(again[0].values()[i], result.variates[0].values()[i], 1e-5);
  }
}

TEST(Fit, EveryObjectiveScheduleStartAndTreeKindLearns) {
  const auto views = testing::linear_views(500, 5, 5, 2, 0.8, 4);
  for (const char* objective : {"whitened", "ey"}) {
    for (const char* schedule : {"jacobi", "gauss-seidel"}) {
      for (const char* trees : {"joint", "scalar"}) {
        for (const char* init : {"pca", "pca-scaled", "random-orthogonal", "random"}) {
          Parameters parameters = small_fit(2, 60);
          set_from_text(parameters, "objective", objective);
          set_from_text(parameters, "schedule", schedule);
          set_from_text(parameters, "trees", trees);
          set_from_text(parameters, "init", init);
          parameters.cross_fit = 3;
          parameters.learning_rate = 0.2;
          const FitResult result = fit(views.views(), parameters);
          EXPECT_GT(sum(result.model.correlations.in_sample), 0.8)
              << objective << " " << schedule << " " << trees << " " << init;
        }
      }
    }
  }
}

TEST(Fit, AZeroStartStaysAtZeroAndSaysSo) {
  const auto views = testing::linear_views(200, 3, 3, 1, 0.8, 4);
  Parameters parameters = small_fit(1, 5);
  parameters.init = Init::zero;
  const FitResult result = fit(views.views(), parameters);
  EXPECT_EQ(sum(result.model.correlations.out_of_fold), 0.0);
  ASSERT_FALSE(result.warnings.empty());
}

TEST(Fit, ManyViews) {
  const Matrix<float> latent = testing::normal_matrix(800, 2, 1);
  std::vector<Matrix<float>> tables;
  std::vector<View> views;
  for (unsigned v = 0; v < 4; ++v) {
    Matrix<float> x = testing::normal_matrix(800, 4, 10 + v);
    for (Index i = 0; i < 800; ++i) {
      for (Index c = 0; c < 2; ++c) {
        const float z = latent(i, c);
        x(i, c) = 0.3F * x(i, c) + (v == 0 ? z : v == 1 ? z * z * z : v == 2 ? std::exp(z) : std::cbrt(z));
      }
    }
    tables.push_back(x);
  }
  for (unsigned v = 0; v < 4; ++v) views.push_back({"view" + std::to_string(v), tables[v]});
  const FitResult result = fit(views, small_fit(2));
  EXPECT_GT(sum(result.model.correlations.out_of_fold), 1.5);
  EXPECT_EQ(result.model.correlations.pairwise.size(), 4U * 4U * 2U);
}

TEST(Fit, GroupsShareFoldsAndLeaksAreSeen) {
  // Every sample occurs five times. By row the copies leak; by group the out-of-fold correlation is about zero.
  const auto unique = testing::independent_views(150, 10, 3);
  testing::TwoViews repeated{Matrix<float>(750, 10), Matrix<float>(750, 10)};
  FitOptions by_group;
  for (Index i = 0; i < 750; ++i) {
    by_group.groups.push_back(i / 5);
    for (Index j = 0; j < 10; ++j) {
      repeated.a(i, j) = unique.a(i / 5, j);
      repeated.b(i, j) = unique.b(i / 5, j);
    }
  }
  Parameters parameters = small_fit(2);
  parameters.min_child_weight = 3;
  EXPECT_GT(sum(fit(repeated.views(), parameters).model.correlations.out_of_fold), 1.0);
  EXPECT_LT(sum(fit(repeated.views(), parameters, by_group).model.correlations.out_of_fold), 0.4);
}

TEST(Fit, StopsOnRequest) {
  const auto views = testing::independent_views(200, 5, 3);
  std::atomic<bool> stop{false};
  FitOptions options;
  options.stop = &stop;
  options.on_round = [&](const Progress& progress) { stop = progress.round == 3; };
  EXPECT_THROW(fit(views.views(), small_fit(2), options), Interrupted);
}

std::string message_of(const std::vector<View>& views, const Parameters& parameters = testing::plain_parameters(),
                       const FitOptions& options = {}) {
  try {
    fit(views, parameters, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FitBadInput, IsNamed) {
  const Matrix<float> good = testing::normal_matrix(50, 3, 1);
  const Matrix<float> shorter = testing::normal_matrix(49, 3, 1);
  const Matrix<float> constant(50, 3, 2.0F);
  const Matrix<float> tiny = testing::normal_matrix(9, 3, 1);
  const Matrix<float> nothing(50, 0);
  EXPECT_NE(message_of({{"a", good}}).find("two views"), std::string::npos);
  EXPECT_NE(message_of({{"a", good}, {"b", shorter}}).find("49 rows"), std::string::npos);
  EXPECT_NE(message_of({{"a", good}, {"flat", constant}}).find("\"flat\" is constant"), std::string::npos);
  EXPECT_NE(message_of({{"a", tiny}, {"b", tiny}}).find("9 samples"), std::string::npos);
  EXPECT_NE(message_of({{"a", good}, {"b", nothing}}).find("no features"), std::string::npos);
  EXPECT_NE(message_of({{"a", good}, {"a", good}}).find("used twice"), std::string::npos);
  EXPECT_NE(message_of({{"a", good, {"x", "x", "y"}}, {"b", good}}).find("\"x\""), std::string::npos);
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = 0;
  EXPECT_NE(message_of({{"a", good}, {"b", good}}, parameters).find("n_components"), std::string::npos);
  parameters.n_components = 1;
  parameters.cross_fit = 51;
  EXPECT_NE(message_of({{"a", good}, {"b", good}}, parameters).find("cross_fit"), std::string::npos);
  FitOptions options;
  options.groups = {1, 2, 3};
  EXPECT_NE(message_of({{"a", good}, {"b", good}}, testing::plain_parameters(), options).find("3 group labels"),
            std::string::npos);
}

TEST(Fit, OversamplesAreTrainedAndDropped) {
  const auto data = testing::hermite_views(400, 3, 3, 4);
  Parameters parameters = small_fit(2, 40);
  parameters.n_oversamples = 2;
  for (const Trees trees : {Trees::joint, Trees::scalar}) {
    parameters.trees = trees;
    const FitResult result = fit(data.views(), parameters);
    check_model(result.model);
    EXPECT_EQ(result.model.views[0].parts[0].rotation.rows(), 4);
    EXPECT_EQ(result.model.views[0].parts[0].rotation.cols(), 2);
    EXPECT_EQ(result.model.correlations.out_of_fold.size(), 2U);
    for (Index v = 0; v < 2; ++v) EXPECT_EQ(transform(result.model, v, data.views()[v].values), result.variates[v]);
    // What is claimed is what the out-of-fold variates show.
    const std::vector<double> shown = component_correlations(result.out_of_fold);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(shown[k], result.model.correlations.out_of_fold[k], 1e-5);
    Model written = result.model;
    written.parameters.n_jobs = Parameters{}.n_jobs;  // not in the file
    EXPECT_EQ(parse_model(serialize_model(written, ModelFormat::json)), written);
  }
  parameters.rotate = false;
  EXPECT_THROW(fit(data.views(), parameters), UsageError);
}

TEST(Fit, OversamplesFindNothingInNoise) {
  double sum_out_of_fold = 0;
  constexpr int kSeeds = 6;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const auto data = testing::independent_views(300, 6, static_cast<unsigned>(seed));
    Parameters parameters = small_fit(2, 40);
    parameters.n_oversamples = 3;
    sum_out_of_fold += sum(fit(data.views(), parameters).model.correlations.out_of_fold);
  }
  EXPECT_LT(std::fabs(sum_out_of_fold / kSeeds), 3 * 1.5 * std::sqrt(2.0 / 300 / kSeeds) + 0.02);
}

TEST(Fit, WarnsOfTheInputBeforeTheFirstRoundAndInTheResult) {
  auto data = testing::hermite_views(100, 2, 3, 1);
  for (Index i = 0; i < data.a.rows(); ++i) data.a(i, 1) = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::string> told;
  FitOptions options;
  options.on_warning = [&](const std::string& warning) { told.push_back(warning); };
  options.on_round = [&](const Progress&) { EXPECT_EQ(told.size(), 1U); };
  const FitResult result = fit(data.views(), small_fit(2, 3), options);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("has columns without any value: \"f1\"."), std::string::npos) << told[0];
  EXPECT_EQ(result.warnings.at(0), told[0]);
  EXPECT_EQ(std::count(result.warnings.begin(), result.warnings.end(), told[0]), 1);
}

}  // namespace
}  // namespace treecca

#include "fit/make_result.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "helpers/plain_parameters.hpp"
#include "helpers/synthetic_views.hpp"
#include "train/train.hpp"

namespace treecca {
namespace {

/// Trains and makes the model; keeps what the model is made from.
struct Made {
  Made(const std::vector<View>& views, const std::vector<std::pair<std::string, std::string>>& texts,
       const SampleOptions& about = {})
      : data(check_dataset(views, about)) {
    Setting setting{testing::plain_from_texts(texts), {}};
    setting.parameters.min_child_weight = 3.0;
    folds = make_folds(data.samples, setting.parameters.cross_fit, setting.parameters.random_state);
    TrainingData shared(data);
    const RunOptions options;
    Run run(options, 1);
    trained = train(shared, setting, folds, run);
    Trained moved = trained;
    result = make_result(data, moved, folds, run);
  }
  Dataset data;
  Folds folds;
  Trained trained;
  FitResult result;
};

/// Weighted mean and covariance of two columns.
struct Pair {
  double mean_a = 0, mean_b = 0, variance_a = 0, variance_b = 0, covariance = 0;
  double correlation() const { return covariance / std::sqrt(variance_a * variance_b); }
};

Pair pair_of(const Matrix<float>& a, const Matrix<float>& b, Index column, const std::vector<float>& weights = {}) {
  Pair pair;
  const auto weight = [&](Index i) { return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)]; };
  double total = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    pair.mean_a += weight(i) * a(i, column);
    pair.mean_b += weight(i) * b(i, column);
    total += weight(i);
  }
  pair.mean_a /= total;
  pair.mean_b /= total;
  for (Index i = 0; i < a.rows(); ++i) {
    const double x = a(i, column) - pair.mean_a;
    const double y = b(i, column) - pair.mean_b;
    pair.variance_a += weight(i) * x * x / total;
    pair.variance_b += weight(i) * y * y / total;
    pair.covariance += weight(i) * x * y / total;
  }
  return pair;
}

TEST(MakeResult, VariatesAreWhatTheModelMakesOfTheSameRows) {
  const auto views = testing::linear_views(200, 4, 3, 2, 0.8, 1);
  for (const char* fade : {"10", "0"}) {  // without and with a base margin
    const Made made(views.views(), {{"n_estimators", "20"}, {"n_oversamples", "1"}, {"init_fade", fade}});
    const auto again = transform(made.result.model, made.data.views);
    for (std::size_t v = 0; v < 2; ++v) {
      ASSERT_EQ(made.result.variates[v].cols(), 2);
      EXPECT_EQ(made.result.model.views[v].base_margin.empty(), std::string(fade) != "0");
      for (std::size_t i = 0; i < again[v].values().size(); ++i) {
        ASSERT_NEAR(made.result.variates[v].values()[i], again[v].values()[i], 1e-5);
      }
    }
    for (Index c = 0; c < 2; ++c) {
      const Pair pair = pair_of(made.result.variates[0], made.result.variates[1], c);
      EXPECT_NEAR(pair.mean_a, 0, 1e-6);
      EXPECT_NEAR(pair.mean_b, 0, 1e-6);
      EXPECT_NEAR(made.result.model.correlations.in_sample[static_cast<std::size_t>(c)], pair.correlation(), 1e-5);
    }
  }
}

TEST(MakeResult, WeightsCountInMeansAndCorrelations) {
  const auto views = testing::linear_views(200, 4, 3, 2, 0.8, 2);
  SampleOptions about;
  for (int i = 0; i < 200; ++i) about.sample_weight.push_back(1 + i % 4);
  const Made made(views.views(), {{"n_estimators", "20"}}, about);
  ASSERT_EQ(made.result.weights.size(), 200U);
  EXPECT_NEAR(made.result.model.effective_samples, made.data.samples.effective(), 0);
  const Pair pair = pair_of(made.result.variates[0], made.result.variates[1], 0, made.result.weights);
  EXPECT_NEAR(pair.mean_a, 0, 1e-6);
  EXPECT_NEAR(made.result.model.correlations.in_sample[0], pair.correlation(), 1e-5);
}

TEST(MakeResult, OutOfFoldVariatesHaveTheReportedCorrelations) {
  const auto views = testing::hermite_views(300, 3, 2, 3);
  const Made made(views.views(), {{"n_estimators", "30"}, {"n_components", "3"}, {"n_oversamples", "2"}});
  const Correlations& reported = made.result.model.correlations;
  ASSERT_EQ(reported.out_of_fold.size(), 3U);
  EXPECT_TRUE(std::is_sorted(reported.out_of_fold.begin(), reported.out_of_fold.end(), std::greater<>()));
  EXPECT_EQ(reported.pairwise.size(), 12U);
  for (Index c = 0; c < 3; ++c) {
    const auto at = static_cast<std::size_t>(c);
    const Pair pair = pair_of(made.result.out_of_fold[0], made.result.out_of_fold[1], c);
    EXPECT_NEAR(reported.out_of_fold[at], pair.correlation(), 1e-4);
    EXPECT_NEAR(reported.pairwise[3 + at], pair.correlation(), 1e-4);
    EXPECT_NEAR(reported.pairwise[at], 1, 1e-12);
  }
  EXPECT_EQ(made.result.model.n_samples, 300U);
  EXPECT_EQ(made.result.model.rounds, 30U);
  EXPECT_EQ(made.result.model.views[1].parts[0].encoders.size(), 5U);
  EXPECT_EQ(made.result.model.views[1].parts[0].rotation.rows(), 5);
}

/// Of noise, the order of the components by out-of-fold correlations is not that of the rotation.
TEST(MakeResult, ComponentsAreReorderedEverywhere) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    const auto views = testing::independent_views(150, 4, seed);
    const Made made(views.views(), {{"n_estimators", "15"}, {"n_components", "4"}});
    const std::vector<double>& reported = made.result.model.correlations.out_of_fold;
    EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end(), std::greater<>()));
    for (Index c = 0; c < 4; ++c) {
      const Pair pair = pair_of(made.result.out_of_fold[0], made.result.out_of_fold[1], c);
      EXPECT_NEAR(reported[static_cast<std::size_t>(c)], pair.correlation(), 1e-4);
    }
  }
}

/// Row i is embedded by the encoder of its fold and rotated by moments of the other folds: both change with no row of
/// the fold but through the centring.
TEST(MakeResult, OutOfFoldVariatesAreThoseOfTheEncoderWithoutTheFold) {
  const auto views = testing::linear_views(200, 4, 3, 2, 0.8, 4);
  const Made made(views.views(), {{"n_estimators", "20"}, {"rotate", "false"}});
  for (Index v = 0; v < 2; ++v) {
    const Matrix<float> expected = made.trained.out_of_fold(v, made.folds, 1);
    EXPECT_EQ(made.result.out_of_fold[static_cast<std::size_t>(v)], expected);
    const ViewModel& view = made.result.model.views[static_cast<std::size_t>(v)];
    EXPECT_EQ(view.parts[0].rotation.values(), (std::vector<double>{1, 0, 0, 1}));
    for (int f = 0; f < 5; ++f) {
      EXPECT_EQ(view.parts[0].encoders[static_cast<std::size_t>(f)],
                made.trained.encoders[static_cast<std::size_t>(5 * v + f)].trees);
    }
  }
}

TEST(MakeResult, WithoutCrossFittingNothingIsOutOfFold) {
  const auto views = testing::linear_views(200, 4, 3, 2, 0.8, 5);
  const Made made(views.views(), {{"n_estimators", "20"}, {"cross_fit", "0"}});
  EXPECT_TRUE(made.result.out_of_fold.empty());
  EXPECT_TRUE(made.result.model.correlations.out_of_fold.empty());
  const Pair pair = pair_of(made.result.variates[0], made.result.variates[1], 1);
  EXPECT_NEAR(made.result.model.correlations.pairwise[3], pair.correlation(), 1e-5);
  EXPECT_NEAR(made.result.model.correlations.in_sample[1], pair.correlation(), 1e-5);
}

}  // namespace
}  // namespace treecca

#include "treecca/fold_importance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engines/shared_library.hpp"
#include "engines/xgboost_library.hpp"
#include "helpers/random_data.hpp"
#include "helpers/temporary_file.hpp"
#include "infer/half_samples.hpp"
#include "samples/folds.hpp"
#include "support/random.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// Two pairs of related features, one of each view, the rest is noise.
struct Case {
  explicit Case(Index n = 90, unsigned seed = 1, bool related = true)
      : a(testing::normal_matrix(n, 5, seed)), b(testing::normal_matrix(n, 4, seed + 1)) {
    for (Index i = 0; i < n && related; ++i) {
      b(i, 1) = a(i, 0) + 0.2F * b(i, 1);
      b(i, 3) = a(i, 4) + 0.5F * b(i, 3);
    }
  }
  std::vector<View> views() const { return {{"a", a}, {"b", b}}; }
  Matrix<float> a, b;
};

Parameters quick(Index components, double linear) {
  Parameters parameters;
  parameters.n_components = components;
  parameters.n_repeats = 1;
  parameters.n_estimators = 15;
  parameters.linear = linear;
  return parameters;
}

OutOfFoldImportanceOptions with_seed(std::uint64_t seed) {
  OutOfFoldImportanceOptions options;
  options.n_permutations = 3;
  options.random_state = seed;
  return options;
}

/// The folds by hand. With one component the refits differ from the model by a sign at most.
TEST(FoldImportance, IsTheMeanOverFoldsThatTheRefitsHaveNotSeen) {
  const Case one;
  const Parameters parameters = quick(1, 0.5);
  const Model model = fit(one.views(), parameters).model;
  const PermutationImportances found = out_of_fold_importances(model, one.views(), with_seed(7));
  const Samples samples(90);
  const Folds folds = make_folds(samples, 5, 7);
  Matrix<double> drops(1, 5), squares(1, 5);
  double correlation = 0;
  for (int f = 0; f < 5; ++f) {
    std::vector<Index> seen, left_out;
    for (Index i = 0; i < 90; ++i) (folds.of_row[static_cast<std::size_t>(i)] == f ? left_out : seen).push_back(i);
    ASSERT_EQ(left_out.size(), 18U);
    const RowSubset train(one.views(), {}, seen), test(one.views(), {}, left_out);
    Parameters own = parameters;
    own.random_state = RandomKey(7, Draw::subsample, {2, static_cast<std::uint64_t>(f)}).bits(0) >> 11;
    const Model refit = fit(train.views(), own).model;
    const PermutationImportances of_fold =
        permutation_importances(refit, {test.views()[0].values, test.views()[1].values},
                                {.n_permutations = 3, .random_state = own.random_state});
    correlation += of_fold.correlations(0, 0) / 5;
    for (Index j = 0; j < 5; ++j) {
      drops(0, j) += of_fold.drops[0](0, j) / 5;
      squares(0, j) += of_fold.deviations[0](0, j) * of_fold.deviations[0](0, j) / 25;
    }
  }
  EXPECT_NEAR(found.correlations(0, 0), correlation, 1e-6);
  for (Index j = 0; j < 5; ++j) {
    EXPECT_NEAR(found.drops[0](0, j), drops(0, j), 1e-6);
    EXPECT_NEAR(found.deviations[0](0, j), std::sqrt(squares(0, j)), 1e-6);
  }
  EXPECT_GT(correlation, 0.5);
}

/// Refits mix components whose correlations are alike; those of the model are what is reported.
TEST(FoldImportance, ComponentsAreThoseOfTheModel) {
  const Case one(200);
  for (const double linear : {1.0, 0.0}) {
    const Model model = fit(one.views(), quick(2, linear)).model;
    const PermutationImportances found = out_of_fold_importances(model, one.views(), with_seed(0));
    EXPECT_GT(found.drops[0](0, 0), 0.4);
    EXPECT_GT(found.drops[0](1, 4), 0.3);
    EXPECT_GT(found.drops[1](0, 1), 0.4);
    EXPECT_GT(found.drops[1](1, 3), 0.3);
    for (const Index noise : {1, 2, 3}) {
      for (const Index c : {0, 1}) EXPECT_LT(std::abs(found.drops[0](c, noise)), 0.1);
    }
    for (const Index c : {0, 1}) {
      EXPECT_NEAR(found.correlations(0, c), model.correlations.out_of_fold[static_cast<std::size_t>(c)], 0.15);
    }
  }
}

TEST(FoldImportance, FeaturesFittedToNoiseAreWorthNothing) {
  const Case noise(120, 3, /*related=*/false);
  Parameters parameters = quick(1, 0);
  parameters.n_estimators = 40;
  const Model model = fit(noise.views(), parameters).model;
  const auto mean = [](const Matrix<double>& drops) {
    double sum = 0;
    for (const double drop : drops.values()) sum += drop / static_cast<double>(drops.values().size());
    return sum;
  };
  const double in_sample = mean(permutation_importances(model, {noise.a, noise.b}, {.n_permutations = 3}).drops[0]);
  const double unseen = mean(out_of_fold_importances(model, noise.views(), with_seed(0)).drops[0]);
  EXPECT_GT(in_sample, 0.1);
  EXPECT_LT(std::abs(unseen), 0.06);
}

/// Four copies of every sample of noise: what is fitted to one is found in the others unless they are left out
/// together.
TEST(FoldImportance, GroupsAreLeftOutTogether) {
  const Case noise(30, 5, /*related=*/false);
  Case copies(120);
  OutOfFoldImportanceOptions grouped = with_seed(0);
  for (Index i = 0; i < 120; ++i) {
    for (Index j = 0; j < 5; ++j) copies.a(i, j) = noise.a(i / 4, j) + 0.001F * copies.a(i, j);
    for (Index j = 0; j < 4; ++j) copies.b(i, j) = noise.b(i / 4, j) + 0.001F * copies.b(i, j);
    grouped.fit.groups.push_back(i / 4);
  }
  const Parameters parameters = quick(1, 1);
  const Model model = fit(copies.views(), parameters, grouped.fit).model;
  const double apart = out_of_fold_importances(model, copies.views(), with_seed(0)).correlations(0, 0);
  const double together = out_of_fold_importances(model, copies.views(), grouped).correlations(0, 0);
  EXPECT_GT(apart, 0.25);
  EXPECT_LT(together, apart - 0.2);
}

TEST(FoldImportance, ThreadsDoNotMatterAndTheSeedDoes) {
  const Case one;
  Model model = fit(one.views(), quick(2, 1)).model;
  model.asked.n_jobs = 1;
  const PermutationImportances first = out_of_fold_importances(model, one.views(), with_seed(0));
  model.asked.n_jobs = 3;
  const PermutationImportances second = out_of_fold_importances(model, one.views(), with_seed(0));
  EXPECT_EQ(first.drops, second.drops);
  EXPECT_EQ(first.deviations, second.deviations);
  EXPECT_EQ(first.correlations, second.correlations);
  EXPECT_NE(out_of_fold_importances(model, one.views(), with_seed(1)).drops, first.drops);
}

/// Categories with rare levels, samples that lack a view, weights and covariates: what the fit takes.
TEST(FoldImportance, TakesWhatTheFitTakes) {
  Case one(120);
  OutOfFoldImportanceOptions options = with_seed(0);
  std::vector<double> age;
  for (Index i = 0; i < 120; ++i) {
    one.a(i, 2) = i == 5 ? 2.0F : static_cast<float>(i % 2);  // "only" is the level of one sample
    options.fit.sample_weight.push_back(1 + static_cast<double>(i % 3));
    age.push_back(static_cast<double>((i / 2) % 2));
    if (i % 10 == 3) std::fill_n(one.b.row(i), 4, std::numeric_limits<float>::quiet_NaN());
  }
  options.fit.covariates = {{"age", age}};
  Index refits = 0;
  options.fit.on_round = [&](const Progress& state) { refits = state.round; };
  const std::vector<View> views{{"a", one.a, {}, {{}, {}, {"x", "y", "only"}, {}, {}}}, {"b", one.b}};
  const Model model = fit(views, quick(1, 0.5), options.fit).model;
  const PermutationImportances found = out_of_fold_importances(model, views, options);
  EXPECT_GT(found.drops[0](0, 0), 0.3);
  EXPECT_LT(std::abs(found.drops[0](0, 2)), 0.1);
  EXPECT_EQ(refits, 5);
}

/// A class of one sample: the fit without its fold does not know it.
TEST(FoldImportance, FoldsMayHaveClassesOfTheirOwn) {
  const Case one(100);
  OutOfFoldImportanceOptions options = with_seed(0);
  std::vector<double> batch, rare(100, 1.0);
  for (Index i = 0; i < 100; ++i) batch.push_back(i == 7 ? 2.0 : static_cast<double>((i / 2) % 2));
  rare[30] = 3;
  options.fit.covariates = {{"batch", batch, {"b0", "b1", "b2"}}, {"rare", rare}};
  const Model model = fit(one.views(), quick(1, 1), options.fit).model;
  EXPECT_GT(out_of_fold_importances(model, one.views(), options).drops[0](0, 0), 0.3);
}

/// XGBoost fails if several threads train with it at the same time.
TEST(FoldImportance, OfOtherEngines) {
  try {
    const SharedLibrary library(xgboost_library_place());
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  const Case one(400);
  Parameters parameters = quick(2, 0.5);
  parameters.engine = EngineKind::xgboost;
  parameters.n_estimators = 5;
  Model model = fit(one.views(), parameters).model;
  model.asked.n_jobs = 1;
  const PermutationImportances first = out_of_fold_importances(model, one.views(), with_seed(0));
  model.asked.n_jobs = 2;
  EXPECT_EQ(out_of_fold_importances(model, one.views(), with_seed(0)).drops, first.drops);
}

TEST(FoldImportance, BadInputIsRefused) {
  const Case one, other(90, 8);
  const Model model = fit(one.views(), quick(1, 1)).model;
  OutOfFoldImportanceOptions options;
  options.n_permutations = 0;
  expect_error<UsageError>([&] { out_of_fold_importances(model, one.views(), options); },
                           {"n_permutations must be from 1 to 10000, not 0"});
  expect_error<DataError>([&] { out_of_fold_importances(model, other.views()); },
                          {"not the samples of the fit", "give the data that it was fitted to"});
  Matrix<float> rare(90, 1);
  rare(5, 0) = 1;  // constant without its fold
  const std::vector<View> views{{"a", one.a}, {"rare", rare}};
  const Model of_rare = fit(views, quick(1, 1)).model;
  expect_error<DataError>([&] { out_of_fold_importances(of_rare, views); },
                          {"A fold of 18 of 90 samples cannot be left out", "\"rare\" is constant"});
  std::atomic<bool> stop{true};
  OutOfFoldImportanceOptions stopped;
  stopped.fit.stop = &stop;
  EXPECT_THROW(out_of_fold_importances(model, one.views(), stopped), Interrupted);
}

}  // namespace
}  // namespace treecca

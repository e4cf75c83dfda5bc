// Fits of samples that lack whole views.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "helpers/missing_views.hpp"
#include "helpers/synthetic_views.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"
#include "treecca/metrics.hpp"
#include "treecca/permutation_test.hpp"

namespace treecca {
namespace {

using Tables = std::vector<Matrix<float>>;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

std::vector<View> views_of(const Tables& tables) {
  std::vector<View> views;
  for (std::size_t v = 0; v < tables.size(); ++v) views.push_back({"v" + std::to_string(v), tables[v]});
  return views;
}

/// Three views with two latents in common: as they are, bent, and linear.
Tables three_views(Index n, unsigned seed) {
  const auto two = testing::hermite_views(n, 2, 2, seed);
  Tables tables{two.a, two.b, testing::normal_matrix(n, 4, 3 * seed + 1000)};
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < 2; ++c) tables[2](i, c) = 0.3F * tables[2](i, c) + two.a(i, c);
  }
  return tables;
}

Tables with_gaps(Tables tables) {
  for (std::size_t v = 0; v < tables.size(); ++v) {
    tables[v] = testing::with_gaps(std::move(tables[v]), static_cast<Index>(v));
  }
  return tables;
}

Parameters quick(const char* preset, Index rounds = 30) {
  Parameters parameters = parameters_from_texts({{"preset", preset}});
  parameters.n_estimators = rounds;
  parameters.n_jobs = 2;
  if (parameters.preset == Preset::automatic) parameters.n_repeats = 1;
  return parameters;
}

class MissingViews : public ::testing::TestWithParam<const char*> {};

TEST_P(MissingViews, EverySampleGetsVariatesOfTheViewsThatItHas) {
  constexpr Index kRows = 300;
  const Tables tables = with_gaps(three_views(kRows, 1));
  const FitResult result = fit(views_of(tables), quick(GetParam(), 60));
  const Model& model = result.model;
  EXPECT_EQ(model.n_samples, 300U);
  ASSERT_EQ(model.shared_samples.size(), 9U);
  for (std::size_t v = 0; v < 3; ++v) {
    Index own = 0;
    const Matrix<float> transformed = transform(model, static_cast<Index>(v), tables[v], 1);
    for (Index i = 0; i < kRows; ++i) {
      const bool lacks = testing::lacks(static_cast<Index>(v), i);
      own += lacks ? 0 : 1;
      EXPECT_EQ(std::isnan(result.variates[v](i, 0)), lacks);
      EXPECT_EQ(std::isnan(transformed(i, 0)), lacks);
      if (!result.out_of_fold.empty()) {
        EXPECT_EQ(std::isnan(result.out_of_fold[v](i, 1)), lacks);
      }
      if (!lacks) {
        EXPECT_NEAR(transformed(i, 1), result.variates[v](i, 1), 1e-3);
      }
    }
    EXPECT_EQ(model.shared_samples[v * 3 + v], static_cast<std::uint64_t>(own));
  }
  // The correlations are those of the samples that two views share.
  EXPECT_GT(model.correlations.in_sample[0], 0.7);
  const std::vector<double> in_sample = component_correlations(result.variates);
  for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(in_sample[c], model.correlations.in_sample[c], 1e-4);
  if (result.out_of_fold.empty()) return;
  EXPECT_GT(model.correlations.out_of_fold[0], 0.5);
  const Tables test = three_views(1000, 2);
  EXPECT_NEAR(total_correlation(component_correlations(transform(model, views_of(test), 1))),
              total_correlation(model.correlations.out_of_fold), 0.25);
  for (const ViewModel& view : model.views) {
    for (const double loading : view.loadings.cross.values()) EXPECT_TRUE(std::isfinite(loading));
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, MissingViews, ::testing::Values("plain", "auto", "paper"));

/// What is in the other features of rows that no tree learns from decides nothing: trees of view 0 learn from rows that
/// have another view.
TEST(MissingViews, TreesLearnFromRowsWithAPartner) {
  Tables tables = with_gaps(three_views(200, 3));
  tables.resize(2);
  Parameters parameters = quick("plain", 20);
  parameters.init = Init::random_orthogonal;  // no use of the rows' values but for scales
  parameters.reg_lambda.values = {1.0};
  const FitResult result = fit(views_of(tables), parameters);
  for (std::size_t v = 0; v < 2; ++v) {
    Index paired = 0;
    for (Index i = 0; i < 200; ++i) paired += testing::lacks(0, i) || testing::lacks(1, i) ? 0 : 1;
    for (const Encoder& encoder : result.model.views[v].parts[0].encoders) {
      for (const Tree& tree : encoder) EXPECT_LT(tree.nodes[0].cover, static_cast<float>(paired));
    }
  }
}

/// Two views that share nothing, where a sample is kept in both only if its values are low: being there must not become
/// a component.
TEST(MissingViews, PresenceThatDependsOnTheValuesIsNoComponent) {
  for (const char* preset : {"plain", "auto"}) {
    double sum = 0;
    for (unsigned seed = 0; seed < 4; ++seed) {
      constexpr Index kRows = 300;
      Tables tables{testing::normal_matrix(kRows, 4, 2 * seed + 1), testing::normal_matrix(kRows, 4, 2 * seed + 2),
                    testing::normal_matrix(kRows, 4, 2 * seed + 100)};
      for (Index i = 0; i < kRows; ++i) {
        const bool high[] = {tables[0](i, 0) > 0.5F, tables[1](i, 0) > 0.5F, tables[2](i, 0) > 0.5F};
        for (std::size_t v = 0; v < 3; ++v) {
          if (!high[(v + 1) % 3]) continue;  // a view is lost where the next one is high
          for (Index j = 0; j < 4; ++j) tables[v](i, j) = kMissing;
        }
      }
      const FitResult result = fit(views_of(tables), quick(preset));
      for (const double r : result.model.correlations.pairwise) EXPECT_TRUE(std::isfinite(r));
      for (const double r : result.model.correlations.out_of_fold) sum += r / 8;
      for (const bool found : result.model.found()) EXPECT_FALSE(found);
    }
    EXPECT_LT(std::abs(sum), 0.06) << preset;
  }
}

TEST(MissingViews, GoWithEverySetting) {
  const Tables tables = with_gaps(three_views(150, 4));
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{{"objective", "ey"},
                                                                                   {"schedule", "jacobi"},
                                                                                   {"trees", "scalar"},
                                                                                   {"init", "random"},
                                                                                   {"cross_fit", "0"},
                                                                                   {"leaf_sweeps", "2"},
                                                                                   {"rotate", "false"},
                                                                                   {"init_fade", "0"},
                                                                                   {"linear", "1"},
                                                                                   {"n_components", "6"},
                                                                                   {"screen", "2"},
                                                                                   {"early_stopping_rounds", "5"},
                                                                                   {"subsample", "0.5"},
                                                                                   {"sketch", "2"}}) {
    SCOPED_TRACE(name + "=" + text);
    Parameters parameters = quick("plain", 12);
    if (name == "sketch") parameters.n_components = 4;
    if (name == "linear") parameters = quick("auto", 12);
    set_from_text(parameters, name, text);
    const FitResult result = fit(views_of(tables), parameters);
    for (const double r : result.model.correlations.pairwise) EXPECT_LE(std::abs(r), 1);
    EXPECT_TRUE(std::isnan(result.variates[0](5, 0)));
  }
}

TEST(MissingViews, GoWithGroupsWeightsAndCovariates) {
  const Tables tables = with_gaps(three_views(150, 4));
  FitOptions options;
  Covariate age{"age", {}};
  for (Index i = 0; i < 150; ++i) {
    options.groups.push_back(i / 2);
    options.sample_weight.push_back(1 + static_cast<double>(i % 3));
    age.values.push_back(static_cast<double>(i % 17));
  }
  options.covariates = {age};
  for (const char* preset : {"plain", "auto"}) {
    const FitResult result = fit(views_of(tables), quick(preset, 12), options);
    EXPECT_GT(result.model.correlations.out_of_fold[0], 0.3);
    const Matrix<float> z = transform(result.model, 1, tables[1], 1, {age});
    EXPECT_TRUE(std::isnan(z(5, 0)));
    EXPECT_NEAR(z(21, 0), result.variates[1](21, 0), 1e-3);
  }
}

TEST(MissingViews, SamplesWithOneViewAreWorthSomethingToLinearCca) {
  double alone = 0, with_more = 0;
  for (unsigned seed = 0; seed < 6; ++seed) {
    const auto all = testing::linear_views(400, 20, 20, 1, 0.5, seed);
    Tables tables{all.a, all.b}, few{Matrix<float>(60, 20), Matrix<float>(60, 20)};
    for (Index i = 0; i < 400; ++i) {
      for (Index j = 0; j < 20; ++j) {
        if (i < 60) {
          few[0](i, j) = all.a(i, j);
          few[1](i, j) = all.b(i, j);
        } else {
          tables[static_cast<std::size_t>(i % 2)](i, j) = kMissing;
        }
      }
    }
    Parameters parameters = quick("auto");
    parameters.linear = 1.0;
    parameters.n_components = 1;
    const auto test = testing::linear_views(2000, 20, 20, 1, 0.5, seed + 100);
    const auto score = [&](const Tables& training) {
      return component_correlations(
          transform(fit(views_of(training), parameters).model, views_of({test.a, test.b}), 1))[0];
    };
    alone += score(few) / 6;
    with_more += score(tables) / 6;
  }
  EXPECT_GT(with_more, alone);
}

TEST(MissingViews, ThePermutationTestKeepsWhatEachSampleHas) {
  const Tables tables = with_gaps(three_views(150, 4));
  PermutationOptions options;
  options.n_permutations = 39;
  const PermutationTest test = permutation_test(views_of(tables), quick("plain"), options);
  EXPECT_LT(test.p_values[0], 0.05);
}

TEST(MissingViews, TooFewSharedSamplesAreAnError) {
  Tables tables = three_views(60, 1);
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < 4; ++j) tables[i < 30 ? 0 : 1](i, j) = kMissing;
  }
  expect_error<DataError>([&] { fit(views_of(tables), quick("plain")); }, {"\"v0\" and \"v1\" share no samples"});
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < 4; ++j) tables[0](i, j) = kMissing;
  }
  expect_error<DataError>([&] { fit(views_of(tables), quick("plain")); }, {"View \"v0\": all samples lack it"});
}

}  // namespace
}  // namespace treecca

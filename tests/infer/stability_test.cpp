#include "treecca/stability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "helpers/random_data.hpp"
#include "helpers/temporary_file.hpp"
#include "infer/half_samples.hpp"
#include "support/random.hpp"
#include "treecca/error.hpp"
#include "treecca/intervals.hpp"

namespace treecca {
namespace {

/// Two pairs of related features, of five; 80 samples.
struct Case {
  Case() : a(testing::normal_matrix(80, 5, 1)), b(testing::normal_matrix(80, 5, 2)) {
    for (Index i = 0; i < 80; ++i) {
      b(i, 1) = a(i, 0) + 0.3F * b(i, 1);
      b(i, 3) = a(i, 4) + 0.8F * b(i, 3);
    }
  }
  std::vector<View> views() const { return {{"a", a, {}}, {"b", b, {}}}; }
  Parameters parameters(Index components) const {
    Parameters parameters;
    parameters.n_components = components;
    parameters.n_repeats = 1;
    parameters.linear = 1;
    return parameters;
  }
  Model model(Index components, const FitOptions& options = {}) const {
    return fit(views(), parameters(components), options).model;
  }
  Matrix<float> a, b;
};

StabilityOptions few(Index subsamples, Index seeds = 0) {
  StabilityOptions options;
  options.n_subsamples = subsamples;
  options.n_seeds = seeds;
  return options;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sx += x[i], sy += y[i], xx += x[i] * x[i], yy += y[i] * y[i], xy += x[i] * y[i];
  }
  return (xy - sx * sy / n) / std::sqrt((xx - sx * sx / n) * (yy - sy * sy / n));
}

/// One component: a rotation is a sign. The halves are fitted by hand.
TEST(Stability, AgreementOfOneComponentIsTheCorrelationOfTwoFits) {
  const Case one;
  const FitResult whole = fit(one.views(), one.parameters(1));
  const Stability result = stability(whole.model, one.views(), few(4));
  for (Index pair = 0; pair < 2; ++pair) {
    const auto halves = random_halves(Samples(80), 0, static_cast<std::uint64_t>(pair));
    std::vector<std::vector<std::vector<double>>> variates(2);  // [fit][view][row]
    for (std::size_t h = 0; h < 2; ++h) {
      const RowSubset half(one.views(), {}, halves[h]), rest(one.views(), {}, halves[1 - h]);
      Parameters parameters = one.parameters(1);
      const auto number = static_cast<std::uint64_t>(pair) * 2 + h;
      parameters.random_state = RandomKey(0, Draw::subsample, {0, number}).bits(0) >> 11;
      const FitResult refit = fit(half.views(), parameters);
      const std::vector<Matrix<float>> unseen = transform(refit.model, rest.views());
      double sign = 0;
      for (std::size_t v = 0; v < 2; ++v) {
        std::vector<double>& z = variates[h].emplace_back(80);
        std::vector<double> of_model, of_refit;
        for (std::size_t i = 0; i < 40; ++i) {
          z[static_cast<std::size_t>(halves[h][i])] = refit.out_of_fold[v](static_cast<Index>(i), 0);
          z[static_cast<std::size_t>(halves[1 - h][i])] = unseen[v](static_cast<Index>(i), 0);
          of_model.push_back(whole.out_of_fold[v](halves[h][i], 0));
          of_refit.push_back(refit.out_of_fold[v](static_cast<Index>(i), 0));
        }
        sign += correlation(of_model, of_refit);
      }
      for (std::vector<double>& z : variates[h]) {
        for (double& value : z) value *= sign < 0 ? -1 : 1;
      }
      EXPECT_EQ(result.subsample_correlations(static_cast<Index>(number), 0), refit.model.correlations.out_of_fold[0]);
    }
    double agreement = 0;  // mean over halves and views
    for (const std::vector<Index>& half : halves) {
      for (std::size_t v = 0; v < 2; ++v) {
        std::vector<double> x, y;
        for (const Index row : half) {
          x.push_back(variates[0][v][static_cast<std::size_t>(row)]);
          y.push_back(variates[1][v][static_cast<std::size_t>(row)]);
        }
        agreement += correlation(x, y) / 4;
      }
    }
    EXPECT_NEAR(result.pair_agreement(pair, 0), agreement, 1e-6);
    EXPECT_NEAR(result.pair_recovered(pair, 0), agreement, 1e-6);
    EXPECT_GT(agreement, 0.7);
  }
}

TEST(Stability, NeedsOutOfFoldVariates) {
  const Case one;
  Parameters parameters = one.parameters(1);
  parameters.n_repeats = 0;
  parameters.linear = 0;
  parameters.cross_fit = 0;
  const Model model = fit(one.views(), parameters).model;
  expect_error<UsageError>([&] { stability(model, one.views(), few(2)); }, {"out-of-fold variates", "cross_fit"});
}

TEST(Stability, RealComponentsAreFoundAgainAndNoiseIsNot) {
  const Case one;
  const Model model = one.model(3);
  const Stability result = stability(model, one.views(), few(10, 2));
  EXPECT_GT(result.recovered.mean[0], 0.85);
  EXPECT_GT(result.recovered.mean[1], 0.5);
  EXPECT_LT(result.recovered.mean[2], 0.5);
  EXPECT_EQ(result.suggested, 2) << result.reason;
  ASSERT_EQ(result.seed_agreement.mean.size(), 3U);
  EXPECT_GT(result.seed_agreement.mean[0], 0.95);
  for (const RefitRange* range : {&result.recovered, &result.agreement, &result.seed_agreement}) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_LE(range->low[c], range->mean[c]);
      EXPECT_GE(range->high[c], range->mean[c]);
    }
  }
  ASSERT_EQ(result.features.size(), 2U);
  const FeatureStability& of_a = result.features[0];
  EXPECT_EQ(of_a.n_top, 2);  // floor(sqrt(0.8 * 5))
  EXPECT_EQ(of_a.importance, component_importances(model, 0, ImportanceKind::gain));
  EXPECT_NEAR(of_a.frequency(0, 0), 1, 1e-12);                // the feature of component 1, in every half
  EXPECT_NEAR(result.features[1].frequency(0, 1), 1, 1e-12);  // and its partner
  EXPECT_GT(of_a.frequency(1, 4), 0.8);
  for (Index c = 0; c < 3; ++c) {
    double sum = 0;
    for (Index j = 0; j < 5; ++j) {
      sum += of_a.frequency(c, j);
      EXPECT_LE(of_a.low(c, j), of_a.importance(c, j));
      EXPECT_GE(of_a.high(c, j), of_a.importance(c, j));
    }
    EXPECT_NEAR(sum, 2, 1e-9);  // n_top of every half
  }
}

/// The third component would do, but the second does not.
TEST(Stability, PValuesDecideIfTheyAreGiven) {
  const Case one;
  StabilityOptions options = few(2);
  options.p_values = {0.01, 0.2, 0.01};
  options.n_top = 1;
  const Stability result = stability(one.model(3), one.views(), options);
  EXPECT_EQ(result.suggested, 1);
  EXPECT_NE(result.reason.find("component 2 is not significant (p = 0.2)"), std::string::npos) << result.reason;
  EXPECT_EQ(result.features[0].n_top, 1);
}

TEST(Stability, ThreadsDoNotMatterAndTheSeedDoes) {
  const Case one;
  Model model = one.model(2);
  model.asked.n_jobs = 1;
  const Stability first = stability(model, one.views(), few(4, 1));
  model.asked.n_jobs = 3;
  const Stability second = stability(model, one.views(), few(4, 1));
  EXPECT_EQ(first.pair_agreement, second.pair_agreement);
  EXPECT_EQ(first.pair_recovered, second.pair_recovered);
  EXPECT_EQ(first.seed_agreement.mean, second.seed_agreement.mean);
  EXPECT_EQ(first.features[1].frequency, second.features[1].frequency);
  EXPECT_EQ(first.features[0].low, second.features[0].low);
  StabilityOptions other = few(4, 1);
  other.random_state = 1;
  EXPECT_NE(stability(model, one.views(), other).pair_agreement, first.pair_agreement);
}

/// With trees, groups, weights and covariates: what the fit takes, the refits take.
TEST(Stability, RefitsGetGroupsWeightsAndCovariates) {
  const Case one;
  StabilityOptions options = few(2, 1);
  std::vector<double> age;
  for (Index i = 0; i < 80; ++i) {
    options.fit.groups.push_back(i / 4);
    options.fit.sample_weight.push_back(1 + static_cast<double>(i % 3));
    age.push_back(static_cast<double>((i / 2) % 2));
  }
  options.fit.covariates = {{"age", age}};
  Parameters parameters = one.parameters(1);
  parameters.linear = 0.5;
  parameters.n_estimators = 10;
  const Model model = fit(one.views(), parameters, options.fit).model;
  std::vector<Progress> seen;
  options.fit.on_round = [&](const Progress& state) { seen.push_back(state); };
  const Stability result = stability(model, one.views(), options);
  EXPECT_GT(result.recovered.mean[0], 0.5);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back().round, 4);  // the model, two halves, one seed
  EXPECT_EQ(seen.back().rounds, 4);
}

/// Each half lacks a class of two samples, or has it; and `rare` differs in two samples alone.
TEST(Stability, HalvesMayLackClassesOfCovariates) {
  const Case one;
  for (const bool single : {false, true}) {
    StabilityOptions options = few(12);
    std::vector<double> batch, rare;
    for (Index i = 0; i < 80; ++i) {
      batch.push_back(i < (single ? 1 : 2) ? 2.0 : static_cast<double>(i % 2));
      rare.push_back(i == 40 || (i == 41 && !single) ? 7.0 : 1.0);
    }
    options.fit.covariates = {{"batch", batch, {"b0", "b1", "b2"}}, {"rare", rare}};
    const Model model = fit(one.views(), one.parameters(1), options.fit).model;
    const Stability result = stability(model, one.views(), options);
    EXPECT_GT(result.recovered.mean[0], 0.7);
    for (const double r : result.pair_recovered.values()) EXPECT_GT(r, 0.5);
  }
}

TEST(Stability, StopsWhenAsked) {
  const Case one;
  const Model model = one.model(1);
  std::atomic<bool> stop{false};
  StabilityOptions options = few(20);
  options.fit.stop = &stop;
  options.fit.on_round = [&](const Progress& state) { stop = state.round >= 3; };
  EXPECT_THROW(stability(model, one.views(), options), Interrupted);
}

TEST(Stability, BadInputIsRefused) {
  const Case one;
  const Model model = one.model(2);
  expect_error<UsageError>([&] { stability(model, one.views(), few(0)); }, {"n_subsamples must be even", "not 0"});
  expect_error<UsageError>([&] { stability(model, one.views(), few(3)); }, {"n_subsamples must be even", "not 3"});
  expect_error<UsageError>([&] { stability(model, one.views(), few(2, -1)); }, {"n_seeds must be at least 0"});
  StabilityOptions options = few(2);
  options.p_values = {0.1};
  expect_error<UsageError>([&] { stability(model, one.views(), options); }, {"1 p-values", "2 components"});
  options.p_values = {0.1, std::nan("")};
  expect_error<UsageError>([&] { stability(model, one.views(), options); }, {"p-values are from 0 to 1"});
  const Matrix<float> other = testing::normal_matrix(80, 5, 9);
  expect_error<DataError>(
      [&] {
        stability(model, {{"a", one.a, {}}, {"b", other, {}}}, few(2));
      },
      {"not the samples of the fit", "recognises 0%"});
  expect_error<DataError>(
      [&] {
        stability(model, {{"b", one.b, {}}, {"a", one.a, {}}}, few(2));
      },
      {"View 1 is \"b\", in the model it is \"a\"", "order of the model"});
  StabilityOptions grouped = few(2);
  for (Index i = 0; i < 80; ++i) grouped.fit.groups.push_back(i / 12);
  expect_error<DataError>([&] { stability(model, one.views(), grouped); }, {"7 groups are too few to be halved"});
  Matrix<float> small_a(16, 5), small_b(16, 5);
  std::copy_n(one.a.data(), 80, small_a.data());
  std::copy_n(one.b.data(), 80, small_b.data());
  const std::vector<View> small{{"a", small_a, {}}, {"b", small_b, {}}};
  const Model of_few = fit(small, one.parameters(1)).model;
  expect_error<DataError>([&] { stability(of_few, small, few(2)); }, {"16 samples are too few", "at least 20"});
}

/// A column whose only value is in one of the halves, a level that only one half has, and one level alone in a half.
TEST(Stability, LevelsMayBeMissingInAHalf) {
  const Case one;
  Matrix<float> a(80, 8);
  for (Index i = 0; i < 80; ++i) {
    for (Index j = 0; j < 5; ++j) a(i, j) = one.a(i, j);
    a(i, 5) = i == 7 ? 0.0F : std::nanf("");
    a(i, 6) = i == 11 ? 2.0F : static_cast<float>(i % 2);
    a(i, 7) = i == 13 ? 1.0F : 0.0F;
  }
  Levels levels(8);
  levels[5] = {"only"};
  levels[6] = {"x", "y", "z"};
  levels[7] = {"all", "one"};
  const std::vector<View> views{{"a", a, {}, levels}, {"b", one.b}};
  for (const double linear : {1.0, 0.0}) {
    Parameters parameters = one.parameters(1);
    parameters.linear = linear;
    parameters.n_estimators = 10;
    const Model model = fit(views, parameters).model;
    const Stability result = stability(model, views, few(2, 1));
    EXPECT_GT(result.recovered.mean[0], linear == 1 ? 0.8 : 0.0);
    EXPECT_EQ(result.features[0].frequency.cols(), 8);
    EXPECT_LT(result.features[0].importance(0, 5), 0.2);
  }
}

/// One feature differs in a single sample, so it is constant in one of two halves.
TEST(Stability, AHalfThatCannotBeFittedIsNamed) {
  const Case one;
  Matrix<float> rare(80, 1);
  rare(5, 0) = 1;
  const std::vector<View> views{{"a", one.a, {}}, {"rare", rare, {}}};
  const Model model = fit(views, one.parameters(1)).model;
  expect_error<DataError>([&] { stability(model, views, few(2)); },
                          {"A half of the samples (40 of 80) cannot be fitted", "\"rare\" is constant"});
}

}  // namespace
}  // namespace treecca

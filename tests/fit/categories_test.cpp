// Categories from the input to the model: what `fit` makes of them as a whole.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"
#include "treecca/importance.hpp"
#include "treecca/permutation_test.hpp"
#include "treecca/shap.hpp"
#include "treecca/shape.hpp"
#include "treecca/ssl.hpp"

namespace treecca {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

std::vector<std::string> names(Index count) {
  std::vector<std::string> result;
  for (Index i = 0; i < count; ++i)
    result.push_back({static_cast<char>('a' + i / 10), static_cast<char>('0' + i % 10)});
  return result;
}

/// View x: two numbers and a category. The first number of view y depends on the level, in an order of its own; with
/// `interaction` the level is the sign of the effect of x's first number, which no linear method sees.
struct Example {
  Matrix<float> x, y;
  Levels levels;

  explicit Example(Index n, Index count = 9, unsigned seed = 1, bool interaction = false)
      : x(testing::normal_matrix(n, 3, seed)), y(testing::normal_matrix(n, 2, seed + 1)), levels{{}, {}, names(count)} {
    for (Index i = 0; i < n; ++i) {
      const Index level = (i * 7 + i / 11) % count;
      const float spread = static_cast<float>((level * 5) % count) / static_cast<float>(count) * 3.4F - 1.7F;
      const float effect = interaction ? (level % 2 == 0 ? 1.0F : -1.0F) : spread;
      x(i, 2) = static_cast<float>(level);
      y(i, 0) = effect * (interaction ? x(i, 0) : 1.0F) + 0.6F * y(i, 0);
      if (i % 17 == 3) x(i, 2) = kMissing;
    }
  }
  std::vector<View> views() const { return {{"x", x, {"u", "v", "c"}, levels}, {"y", y}}; }
  std::vector<View> as_numbers() const { return {{"x", x, {"u", "v", "c"}}, {"y", y}}; }
};

Parameters plain(Trees trees = Trees::joint) {
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = 1;
  parameters.n_estimators = 40;
  parameters.trees = trees;
  return parameters;
}

Parameters automatic(double linear = 0) {
  Parameters parameters;
  parameters.n_components = 1;
  parameters.n_repeats = 1;
  parameters.n_estimators = 30;
  parameters.linear = linear;
  return parameters;
}

TEST(Categories, AreFoundWhereCodesHaveNoOrder) {
  for (const Trees trees : {Trees::joint, Trees::scalar}) {
    const Example example(600, 12, 3, /*interaction=*/true);
    const double found = fit(example.views(), plain(trees)).model.correlations.out_of_fold[0];
    const double as_numbers = fit(example.as_numbers(), plain(trees)).model.correlations.out_of_fold[0];
    EXPECT_GT(found, 0.5);
    EXPECT_GT(found, as_numbers + 0.1);
  }
}

/// The trees of training are those of the model: bins against values, and against a plain walk.
TEST(Categories, InTrainingAndInTheModelAreTheSame) {
  for (const Trees trees : {Trees::joint, Trees::scalar}) {
    const Example example(300);
    const FitResult result = fit(example.views(), plain(trees));
    const ViewModel& view = result.model.views[0];
    const PartModel& part = view.parts[0];
    const Matrix<float> variates = transform(result.model, 0, example.x);
    EXPECT_EQ(variates.values(), result.variates[0].values());
    std::size_t sets = 0;
    for (Index i = 0; i < 300; ++i) {
      double sum = 0;
      for (const Encoder& encoder : part.encoders) {
        for (const Tree& tree : encoder) {
          const Node* node = tree.nodes.data();
          while (!node->is_leaf()) {
            node = &tree.nodes[tree.goes_left(*node, example.x(i, node->feature)) ? node->left : node->right];
          }
          sum += tree.leaf_values[static_cast<std::size_t>(node->leaf)] / static_cast<double>(part.encoders.size());
          sets += tree.level_sets.size();
        }
      }
      EXPECT_NEAR((sum - part.mean[0]) * part.rotation(0, 0), variates(i, 0), 1e-5);
    }
    EXPECT_GT(sets, 0U);
  }
}

TEST(Categories, DoNotDependOnTheOrderOfTheirLevelsOrOnUnusedOnes) {
  const Example example(200);
  for (const Parameters& parameters : {plain(), automatic(0.5)}) {
    const FitResult result = fit(example.views(), parameters);
    Example other = example;
    other.levels[2] = {"unused", "a3", "a1", "a0", "zz", "a2", "a8", "a7", "a5", "a4", "a6"};
    for (Index i = 0; i < 200; ++i) {
      float& code = other.x(i, 2);
      if (std::isnan(code)) continue;
      const std::string& name = example.levels[2][static_cast<std::size_t>(code)];
      code =
          static_cast<float>(std::find(other.levels[2].begin(), other.levels[2].end(), name) - other.levels[2].begin());
    }
    const FitResult permuted = fit(other.views(), parameters);
    EXPECT_EQ(permuted.model, result.model);
    EXPECT_EQ(transform(permuted.model, other.views())[0].values(),
              transform(result.model, example.views())[0].values());
  }
}

TEST(Categories, OfNewDataAreMatchedByName) {
  const Example example(200);
  const Model model = fit(example.views(), plain()).model;
  const Matrix<float> expected = transform(model, 0, example.x);
  Example reversed = example;
  std::reverse(reversed.levels[2].begin(), reversed.levels[2].end());
  for (Index i = 0; i < 200; ++i) reversed.x(i, 2) = 8 - reversed.x(i, 2);
  std::vector<std::string> warnings;
  EXPECT_EQ(transform(model, reversed.views(), -1, {}, &warnings)[0].values(), expected.values());
  EXPECT_TRUE(warnings.empty());

  Example unknown = example;
  unknown.levels[2][4] = "new";
  Matrix<float> without = example.x;
  for (Index i = 0; i < 200; ++i) {
    if (without(i, 2) == 4) without(i, 2) = kMissing;
  }
  EXPECT_EQ(transform(model, unknown.views(), -1, {}, &warnings)[0].values(), transform(model, 0, without).values());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("the fit had no level \"new\""), std::string::npos) << warnings[0];

  EXPECT_THROW(transform(model, example.as_numbers()), DataError);
  Matrix<float> bad = example.x;
  bad(5, 2) = 9;
  EXPECT_THROW(transform(model, 0, bad), DataError);
  bad(5, 2) = 0.5F;
  EXPECT_THROW(transform(model, 0, bad), DataError);
}

/// Linear CCA of a category is that of its indicators.
TEST(Categories, AreIndicatorsForLinearCca) {
  const Example example(250, 6);
  Matrix<float> indicators(250, 8);
  for (Index i = 0; i < 250; ++i) {
    for (Index j = 0; j < 2; ++j) indicators(i, j) = example.x(i, j);
    for (Index level = 0; level < 6; ++level) {
      const float code = example.x(i, 2);
      indicators(i, 2 + level) = std::isnan(code) ? code : code == static_cast<float>(level) ? 1.0F : 0.0F;
    }
  }
  for (const double linear : {1.0, 0.5}) {
    const FitResult found = fit(example.views(), automatic(linear));
    const FitResult expected = fit({{"x", indicators}, {"y", example.y}}, automatic(linear));
    const Correlations& correlations = found.model.correlations;
    EXPECT_NEAR(correlations.linear_out_of_fold[0], expected.model.correlations.linear_out_of_fold[0], 1e-6);
    EXPECT_NEAR(correlations.linear_in_sample[0], expected.model.correlations.linear_in_sample[0], 1e-6);
    const Matrix<float> again = transform(found.model, 0, example.x);
    for (Index i = 0; i < 250; ++i) {
      EXPECT_NEAR(again(i, 0), found.variates[0](i, 0), 1e-5);
      if (linear == 1) {
        EXPECT_NEAR(found.variates[0](i, 0), expected.variates[0](i, 0), 1e-4);
      }
    }
  }
  const FitResult baseline = fit(example.views(), plain());
  const FitResult expected = fit({{"x", indicators}, {"y", example.y}}, plain());
  EXPECT_NEAR(baseline.model.correlations.linear_out_of_fold[0], expected.model.correlations.linear_out_of_fold[0],
              1e-6);
}

TEST(Categories, AreExplained) {
  const Example example(300);
  for (const double linear : {0.0, 0.5, 1.0}) {
    const Model model = fit(example.views(), automatic(linear)).model;
    const Matrix<float> variates = transform(model, 0, example.x);
    const ShapValues shap = shap_values(model, 0, example.x);
    for (Index i = 0; i < 300; ++i) {
      double sum = shap.base_values[0];
      for (Index j = 0; j < 3; ++j) sum += shap.values[static_cast<std::size_t>(i * 3 + j)];
      EXPECT_NEAR(sum, variates(i, 0), 1e-5);
    }
    EXPECT_GT(feature_importances(model, 0, ImportanceKind::gain)[2], 0.8);
    const ShapeCurve curve = shape_curve(model, 0, 2);
    ASSERT_EQ(curve.levels, example.levels[2]);
    ASSERT_EQ(curve.values.rows(), 9);
    EXPECT_TRUE(curve.thresholds.empty());
    if (linear == 1) {  // a function of the level alone, up to a constant
      for (Index i = 0; i < 300; ++i) {
        if (std::isnan(example.x(i, 2))) continue;
        Matrix<float> row(2, 3);
        for (Index j = 0; j < 3; ++j) row(0, j) = row(1, j) = example.x(i, j);
        row(1, 2) = 0;
        const Matrix<float> z = transform(model, 0, row);
        EXPECT_NEAR(z(0, 0) - z(1, 0), curve.values(static_cast<Index>(example.x(i, 2)), 0) - curve.values(0, 0), 1e-5);
      }
    }
    const Loadings& loadings = model.views[0].loadings;
    EXPECT_GT(loadings.own(2, 0), 0.8);
    EXPECT_LE(loadings.own(2, 0), 1.0);
    EXPECT_GT(loadings.cross(2, 0), 0.6);
    EXPECT_LT(std::abs(loadings.cross(0, 0)), 0.3);
  }
}

/// A category that has nothing to do with the other view has no loading, however many levels it has.
TEST(Categories, OfNoiseHaveSmallLoadings) {
  double sum = 0;
  for (unsigned seed = 0; seed < 5; ++seed) {
    Example example(200, 9, 10 + seed);
    example.levels[0] = names(40);
    std::mt19937 generator(seed);
    for (Index i = 0; i < 200; ++i) example.x(i, 0) = static_cast<float>(generator() % 40);
    sum += fit(example.views(), plain()).model.views[0].loadings.cross(0, 0) / 5;
  }
  EXPECT_LT(sum, 0.25);
}

TEST(Categories, OfManyLevelsAreLeftOutOfLinearCca) {
  const Example example(300, 25);
  const FitResult result = fit(example.views(), automatic(1));
  bool told = false;
  for (const std::string& warning : result.warnings) {
    told = told || warning.find("linear CCA leaves out \"c\", which has more than 20 levels") != std::string::npos;
  }
  EXPECT_TRUE(told);
  EXPECT_LT(std::abs(result.model.correlations.out_of_fold[0]), 0.4);
  EXPECT_GT(fit(example.views(), automatic(0)).model.correlations.out_of_fold[0], 0.5);
}

void expect_near(const Matrix<float>& a, const Matrix<float>& b) {
  ASSERT_EQ(a.values().size(), b.values().size());
  for (std::size_t i = 0; i < a.values().size(); ++i) ASSERT_NEAR(a.values()[i], b.values()[i], 1e-5);
}

/// Every fold lacks some level, and one column has the same level in all samples but one.
TEST(Categories, LevelsMayBeMissingInAFold) {
  Example example(90, 45);  // two samples per level
  for (Index i = 0; i < 90; ++i) example.x(i, 1) = i == 40 ? 1.0F : 0.0F;
  example.levels[1] = {"usual", "rare"};
  Example few(90, 12);
  for (Index i = 0; i < 90; ++i) few.x(i, 1) = i == 40 ? 1.0F : 0.0F;
  few.levels[1] = {"usual", "rare"};
  for (const Example* each : {&example, &few}) {
    for (const Parameters& parameters : {plain(), automatic(0), automatic(0.5), automatic(1)}) {
      const FitResult result = fit(each->views(), parameters);
      for (const auto* variates : {&result.variates, &result.out_of_fold}) {
        for (const Matrix<float>& z : *variates) {
          for (const float value : z.values()) ASSERT_TRUE(std::isfinite(value));
        }
      }
      EXPECT_TRUE(std::isfinite(result.model.correlations.out_of_fold[0]));
      expect_near(transform(result.model, each->views())[0], result.variates[0]);
    }
  }
}

/// Such a sample has the view, though linear CCA has no column for its value: there it is an average one.
TEST(Categories, ASampleWithNothingButACategoryOfManyLevelsHasTheView) {
  Example example(120, 30);
  for (const Index i : {5, 50, 100}) example.x(i, 0) = example.x(i, 1) = kMissing;
  example.x(5, 2) = example.x(50, 2) = example.x(100, 2) = 4;
  Example absent = example;
  absent.x(50, 2) = kMissing;
  for (const double linear : {0.0, 0.5, 1.0}) {
    const FitResult result = fit(example.views(), automatic(linear));
    EXPECT_TRUE(result.model.shared_samples.empty() || result.model.shared_samples[0] == 120U);
    for (const Index i : {5, 50, 100}) {
      EXPECT_TRUE(std::isfinite(result.variates[0](i, 0)));
      EXPECT_TRUE(std::isfinite(result.out_of_fold[0](i, 0)));
      if (linear == 1) {
        EXPECT_NEAR(result.variates[0](i, 0), 0, 0.05);
      }
    }
    expect_near(transform(result.model, example.views())[0], result.variates[0]);
    const FitResult without = fit(absent.views(), automatic(linear));
    EXPECT_EQ(without.model.shared_samples[0], 119U);
    EXPECT_TRUE(std::isnan(without.variates[0](50, 0)));
    EXPECT_TRUE(std::isfinite(without.variates[0](5, 0)));
  }
}

TEST(Categories, WorkWithScreeningAndOtherInitialValues) {
  const Example example(300);
  for (const char* init : {"pca", "random", "random-orthogonal", "zero"}) {
    Parameters parameters = plain();
    set_from_text(parameters, "init", init);
    EXPECT_NO_THROW(fit(example.views(), parameters)) << init;
  }
  Parameters screened = automatic();
  screened.screen = 1;
  const Model model = fit(example.views(), screened).model;
  for (const auto& kept : model.views[0].screening.kept) EXPECT_EQ(kept, (std::vector<std::int32_t>{2}));
  EXPECT_GT(model.correlations.out_of_fold[0], 0.6);
  Parameters paper = Parameters::of_preset(Preset::paper);  // with a base margin
  paper.n_components = 1;
  paper.n_estimators = 20;
  const FitResult kept = fit(example.views(), paper);
  const Matrix<float> again = transform(kept.model, 0, example.x);
  for (Index i = 0; i < 300; ++i) EXPECT_NEAR(again(i, 0), kept.variates[0](i, 0), 1e-6);
}

TEST(Categories, KeepTheirModelFile) {
  const Example example(120);
  const Model model = fit(example.views(), automatic(0.5)).model;
  EXPECT_EQ(parse_model(serialize_model(model, ModelFormat::json)), model);
  EXPECT_EQ(parse_model(serialize_model(model, ModelFormat::ubjson)), model);
  EXPECT_EQ(model.views[0].levels, example.levels);
  double rows = 0;
  for (const double count : model.views[0].level_counts[2]) rows += count;
  EXPECT_EQ(rows, 113);  // 7 of 120 lack it
}

TEST(Categories, AreTestedByPermutation) {
  const Example example(100, 4);
  PermutationOptions options;
  options.n_permutations = 19;
  const PermutationTest test = permutation_test(example.views(), automatic(), options);
  EXPECT_NEAR(test.p_values[0], 0.05, 1e-12);
}

TEST(Categories, AreNotForOtherEngines) {
  Parameters parameters = plain();
  parameters.engine = EngineKind::lightgbm;
  try {
    fit(Example(60).views(), parameters);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("View \"x\", feature \"c\": engine=lightgbm"), std::string::npos);
  }
}

TEST(Categories, OfOneTableAreSwappedAndMasked) {
  const Example example(200);
  Parameters parameters = ssl_parameters(Preset::plain);
  parameters.n_components = 1;
  parameters.n_estimators = 5;
  SslOptions options;
  options.augmentation = {.swap = 0.2, .mask = 0.1, .noise = 0.3};
  const FitResult result = fit_ssl(example.views()[0], parameters, options);
  EXPECT_EQ(transform(result.model, 0, example.x).values(), result.variates[0].values());
  Matrix<float> codes(200, 1);
  for (Index i = 0; i < 200; ++i) codes(i, 0) = static_cast<float>(i % 3);
  options.augmentation = {.noise = 0.3};
  EXPECT_THROW(fit_ssl({"x", codes, {}, {names(3)}}, parameters, options), UsageError);
  options.augment = [](Index, int, Matrix<float>&) {};
  EXPECT_THROW(fit_ssl(example.views()[0], parameters, options), UsageError);
}

}  // namespace
}  // namespace treecca

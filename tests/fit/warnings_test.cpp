#include "fit/warnings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"

namespace treecca {
namespace {

/// A fit of two views with these correlations out of fold and in sample, and trees that were split. Noise thresholds
/// are 0.25.
FitResult fitted(const std::vector<double>& out_of_fold, double in_sample, std::uint64_t independent = 1000) {
  FitResult result;
  Model& model = result.model;
  model.parameters = testing::plain_parameters();
  model.parameters.n_components = static_cast<Index>(out_of_fold.size());
  model.n_samples = 1000;
  model.effective_samples = static_cast<double>(independent);  // as found goes by
  model.independent_samples = independent;
  model.correlations.out_of_fold = out_of_fold;
  model.correlations.standard_errors.assign(out_of_fold.size(), 0.05);
  model.correlations.noise_thresholds.assign(out_of_fold.size(), 0.25);
  model.correlations.candidates = {{0.0, out_of_fold, true}};
  model.correlations.in_sample.assign(out_of_fold.size(), in_sample);
  for (const char* name : {"a", "b"}) {
    ViewModel view;
    view.name = name;
    Tree tree;
    tree.nodes.resize(3);
    view.parts.resize(1);
    view.parts[0].encoders = {{tree}};
    model.views.push_back(view);
    result.variates.emplace_back(1000, static_cast<Index>(out_of_fold.size()));
  }
  return result;
}

Samples in_groups(Index count) {
  std::vector<std::int64_t> groups;
  for (Index i = 0; i < 1000; ++i) groups.push_back(i % count);
  return Samples(1000, testing::in_groups(groups));
}

bool warns(const FitResult& result, const std::string& part, const Samples& samples = Samples(1000)) {
  const std::vector<std::string> warnings = warnings_about(result, Dataset{{}, samples});
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& warning) { return warning.find(part) != std::string::npos; });
}

TEST(WarningsAbout, AGoodFitHasNone) {
  EXPECT_TRUE(warnings_about(fitted({0.9, 0.7}, 0.95), Dataset{{}, Samples(1000)}).empty());
  FitResult linear = fitted({0.9, 0.7}, 0.95);
  for (ViewModel& view : linear.model.views) view.parts.clear();  // linear CCA alone has no trees to split
  EXPECT_TRUE(warnings_about(linear, Dataset{{}, Samples(1000)}).empty());
}

TEST(WarningsAbout, TreesThatWereNeverSplit) {
  FitResult result = fitted({0.9, 0.7}, 0.95);
  result.model.views[1].parts.push_back(result.model.views[1].parts[0]);
  result.model.views[1].parts[0].encoders[0][0].nodes.resize(1);
  EXPECT_FALSE(warns(result, "ever split"));  // those of another part were
  result.model.views[1].parts.pop_back();
  EXPECT_TRUE(warns(result, "No tree of view \"b\" was ever split"));
}

TEST(WarningsAbout, ComponentsBelowTheirThresholds) {
  EXPECT_FALSE(warns(fitted({0.3, 0.26}, 0.4), "noise"));
  EXPECT_TRUE(warns(fitted({0.9, 0.01}, 0.95), "1 of 2 components exceeds the noise threshold"));
  EXPECT_TRUE(warns(fitted({0.9, 0.8, 0.01}, 0.95), "2 of 3 components exceed the noise threshold"));
  EXPECT_TRUE(warns(fitted({0.2, 0.1}, 0.4),
                    "with 1000 samples, the highest out-of-fold correlation is 0.20 and its threshold 0.25."));
  EXPECT_TRUE(warns(fitted({0.2, 0.1}, 0.4, 12), "with 12 groups, the highest", in_groups(12)));
  EXPECT_TRUE(warns(fitted({0.9, 0.8}, 0.95, 7), "7 groups are too few to distinguish any correlation from noise.",
                    in_groups(7)));
  const std::string one_fit = "3 groups are too few for parts: this is one cross-fit, as with preset=plain.";
  FitResult three = fitted({0.9, 0.8}, 0.95, 3);
  three.model.asked.preset = Preset::automatic;
  EXPECT_TRUE(warns(three, one_fit, in_groups(3)));
  EXPECT_FALSE(warns(three, "too few for parts", in_groups(4)));
  three.model.asked.preset = Preset::plain;
  EXPECT_FALSE(warns(three, "too few for parts", in_groups(3)));
  FitResult weighted = fitted({0.9, 0.8}, 0.95, 100);
  weighted.model.effective_samples = 6;
  EXPECT_TRUE(warns(weighted, "100 samples (worth 6.0 of equal weight) are too few to distinguish"));
}

TEST(WarningsAbout, TreesThatFitTheirOwnSamplesOnly) {
  EXPECT_TRUE(warns(fitted({0.4, 0.3}, 0.95), "total correlation is 1.90 in-sample but 0.70 out-of-fold"));
  EXPECT_FALSE(warns(fitted({0.6, 0.5}, 0.95), "Overfitting"));
  EXPECT_FALSE(warns(fitted({0.2, 0.1}, 0.95), "Overfitting"));       // nothing was found: that is said already
  EXPECT_TRUE(warns(fitted({0.8, -0.9}, 0.85), "0.80 out-of-fold"));  // negative ones count 0
}

TEST(WarningsAbout, LinearCcaThatDoesBetter) {
  FitResult result = fitted({0.4, 0.3}, 0.75);
  result.model.correlations.linear_out_of_fold = {0.8, 0.7};
  EXPECT_TRUE(warns(result, "Linear CCA does better on the same rows (1.50, this fit 0.70). Set linear to 1"));
  result.model.correlations.linear_out_of_fold = {0.42, 0.36};
  EXPECT_FALSE(warns(result, "Linear CCA"));
  result.model.correlations.linear_out_of_fold = {0.8, 0.7};
  result.model.correlations.candidates.push_back({1.0, {0.8, 0.7}, false});  // it was considered
  EXPECT_FALSE(warns(result, "Linear CCA"));
}

TEST(WarningsAbout, AdviceForOneTableCanBeFollowed) {
  FitResult result = fitted({0.01, 0.01}, 0.9);
  EXPECT_TRUE(warns(result, "Check that the rows of the views belong together."));
  FitResult without_folds = fitted({0.9, 0.7}, 0.95);
  without_folds.model.correlations.out_of_fold.clear();
  EXPECT_TRUE(warns(without_folds, "Score new data, or set cross_fit."));
  for (FitResult* of_one : {&result, &without_folds}) {
    of_one->model.views.pop_back();
    of_one->variates.pop_back();
  }
  EXPECT_FALSE(warns(result, "permutation"));
  EXPECT_TRUE(warns(result, "Use an augmentation that changes the rows less."));
  EXPECT_FALSE(warns(without_folds, "Score"));  // a model of one table has no score
  EXPECT_TRUE(warns(without_folds, "Set cross_fit"));
}

TEST(WarningsAbout, FoldsOfHardlyAnyRows) {
  FitResult result = fitted({0.9, 0.7}, 0.95);
  result.model.parameters.cross_fit = 250;
  EXPECT_FALSE(warns(result, "The folds have"));
  result.model.parameters.cross_fit = 1000;
  EXPECT_TRUE(warns(result, "The folds have 1.0 rows each."));
  EXPECT_TRUE(warns(result, "Use 3 to 10 folds (cross_fit)."));
}

TEST(WarningsAbout, ComponentsThatRepeatEachOther) {
  FitResult result = fitted({0.9, 0.9}, 0.95);
  for (Index i = 0; i < 1000; ++i) {
    const auto x = static_cast<float>(i % 17);
    result.variates[1](i, 0) = x;
    result.variates[1](i, 1) = -x + 0.1F * static_cast<float>(i % 5);
  }
  EXPECT_FALSE(warns(result, "repeat"));  // rotated components do not
  result.model.parameters.rotate = false;
  EXPECT_TRUE(warns(result, "Components 1 and 2 of view \"b\" repeat each other"));
}

TEST(WarningsAbout, MoreComponentsThanLinearCcaHas) {
  FitResult result = fitted({0.9, 0.7, 0.6}, 0.95);
  result.model.views[0].feature_names = {"p", "q", "r"};
  result.model.views[1].feature_names = {"s", "t"};
  EXPECT_FALSE(warns(result, "at most"));  // trees have no such limit
  result.model.parameters.linear = 1;
  EXPECT_TRUE(warns(result,
                    "Linear CCA has at most 2 components with the features of view \"b\"; the rest of the 3 have no "
                    "meaning. Set n_components to 2."));
  result.model.views[1].levels = {{}, {"x", "y", "z"}};  // two dimensions
  EXPECT_FALSE(warns(result, "at most"));
  result.model.views[1].levels = {{"x", "y"}, {"x"}};
  EXPECT_TRUE(warns(result, "at most 1 component with"));
}

TEST(WarningsAbout, ParametersOfTreesWithoutTrees) {
  FitResult result = fitted({0.9, 0.7}, 0.95);
  for (ViewModel& view : result.model.views) view.parts.clear();
  result.model.asked.linear = 1;
  EXPECT_FALSE(warns(result, "no effect"));
  result.model.asked.sketch = 3;
  EXPECT_TRUE(warns(result, "linear = 1 fits no trees, so sketch has no effect."));
  result.model.asked.max_depth = std::vector<Index>{3};
  result.model.asked.n_components = 7;  // has one
  EXPECT_TRUE(warns(result, "linear = 1 fits no trees, so max_depth and sketch have no effect."));
}

}  // namespace
}  // namespace treecca

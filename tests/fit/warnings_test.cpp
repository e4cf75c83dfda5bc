#include "fit/warnings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace treecca {
namespace {

/// A fit of two views with these correlations out of fold, in sample and of linear CCA, and trees that were split.
FitResult fitted(const std::vector<double>& out_of_fold, double in_sample, const std::vector<double>& linear,
                 double effective = 1000) {
  FitResult result;
  Model& model = result.model;
  model.parameters.n_components = static_cast<Index>(out_of_fold.size());
  model.n_samples = 1000;
  model.effective_samples = effective;
  model.correlations.out_of_fold = out_of_fold;
  model.correlations.in_sample.assign(out_of_fold.size(), in_sample);
  model.correlations.linear_out_of_fold = linear;
  for (const char* name : {"a", "b"}) {
    ViewModel view;
    view.name = name;
    Tree tree;
    tree.nodes.resize(3);
    view.encoders = {{tree}};
    model.views.push_back(view);
    result.variates.emplace_back(1000, static_cast<Index>(out_of_fold.size()));
  }
  return result;
}

bool warns(const FitResult& result, const std::string& part) {
  const std::vector<std::string> warnings = warnings_about(result, Samples(1000));
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& warning) { return warning.find(part) != std::string::npos; });
}

TEST(WarningsAbout, AGoodFitHasNone) {
  EXPECT_TRUE(warnings_about(fitted({0.9, 0.7}, 0.95, {0.8, 0.3}), Samples(1000)).empty());
}

TEST(WarningsAbout, NoiseIsJudgedByTheIndependentSamples) {
  EXPECT_FALSE(warns(fitted({0.3, 0.2}, 0.4, {0.1, 0.1}), "found nothing"));
  EXPECT_TRUE(warns(fitted({0.3, 0.2}, 0.4, {0.1, 0.1}, 40), "no correlation on rows"));
  EXPECT_TRUE(warns(fitted({0.9, 0.7}, 0.95, {0.8, 0.3}, 40), "worth only 40 independent ones"));
  EXPECT_TRUE(warns(fitted({0.9, 0.01}, 0.95, {0.8, 0.3}), "Only 1 of the 2 components correlates"));
}

TEST(WarningsAbout, FiguresAreThoseOfTheTable) {
  // Components that correlate negatively count 0 in every sum.
  EXPECT_FALSE(warns(fitted({0.8, -0.3}, 0.9, {0.75, 0.0}), "Linear CCA does better"));
  EXPECT_TRUE(
      warns(fitted({0.5, -0.3}, 0.9, {0.9, -0.1}), "Linear CCA does better on unseen rows (0.90 against 0.50)"));
}

TEST(WarningsAbout, LinearCcaIsBetterByMoreThanAStandardError) {
  // Two components, 1,000 samples: sqrt(2 / 1000) = 0.045.
  EXPECT_FALSE(warns(fitted({0.8, 0.30}, 0.9, {0.8, 0.34}), "Linear CCA"));
  EXPECT_TRUE(warns(fitted({0.8, 0.30}, 0.9, {0.8, 0.35}), "Linear CCA"));
  EXPECT_FALSE(warns(fitted({0.8, 0.30}, 0.9, {0.8, 0.35}, 500), "Linear CCA"));
}

TEST(WarningsAbout, TreesThatFitTheirOwnSamplesOnly) {
  EXPECT_TRUE(warns(fitted({0.4, 0.3}, 0.95, {0.1, 0.1}), "(total correlation 1.90 in sample, 0.70 out of fold)"));
  EXPECT_FALSE(warns(fitted({0.6, 0.5}, 0.95, {0.1, 0.1}), "in sample"));
}

TEST(WarningsAbout, AdviceForOneTableCanBeFollowed) {
  FitResult result = fitted({0.01, 0.01}, 0.9, {0.0, 0.0});
  EXPECT_TRUE(warns(result, "The views show no correlation"));
  FitResult without_folds = fitted({0.9, 0.7}, 0.95, {0.8, 0.3});
  without_folds.model.correlations.out_of_fold.clear();
  EXPECT_TRUE(warns(without_folds, "Score new data, or set cross_fit."));
  for (FitResult* of_one : {&result, &without_folds}) {
    of_one->model.views.pop_back();
    of_one->variates.pop_back();
  }
  EXPECT_FALSE(warns(result, "The views"));
  EXPECT_TRUE(warns(result, "Use an augmentation that disturbs the rows less."));
  EXPECT_FALSE(warns(without_folds, "Score"));  // a model of one table has no score
  EXPECT_TRUE(warns(without_folds, "Set cross_fit"));
}

TEST(WarningsAbout, FoldsOfHardlyAnyRows) {
  FitResult result = fitted({0.9, 0.7}, 0.95, {0.8, 0.3});
  result.model.parameters.cross_fit = 250;
  EXPECT_FALSE(warns(result, "The folds have"));
  result.model.parameters.cross_fit = 1000;
  EXPECT_TRUE(warns(result, "The folds have 1.0 rows each."));
  EXPECT_TRUE(warns(result, "Set cross_fit to 100 or less."));
}

TEST(WarningsAbout, ComponentsThatRepeatEachOther) {
  FitResult result = fitted({0.9, 0.9}, 0.95, {0.1, 0.1});
  for (Index i = 0; i < 1000; ++i) {
    const auto x = static_cast<float>(i % 17);
    result.variates[1](i, 0) = x;
    result.variates[1](i, 1) = -x + 0.1F * static_cast<float>(i % 5);
  }
  EXPECT_FALSE(warns(result, "repeat"));  // rotated components do not
  result.model.parameters.rotate = false;
  EXPECT_TRUE(warns(result, "Components 1 and 2 of view \"b\" repeat each other"));
}

}  // namespace
}  // namespace treecca

#include "fit/judge.hpp"

#include <gtest/gtest.h>

#include "fit/candidate.hpp"
#include "fit/resolve.hpp"
#include "helpers/random_data.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

/// What a fit reports, for parts, for folds as parts, and for one cross-fit.
TEST(Judge, GivesTheCorrelationsOfTheFit) {
  Matrix<float> a = testing::normal_matrix(60, 3, 1);
  Matrix<float> b = testing::normal_matrix(60, 3, 2);
  for (Index i = 0; i < 60; ++i) b(i, 0) += 2 * a(i, 0) * a(i, 0);
  const std::vector<View> views{{"a", a, {}}, {"b", b, {}}};
  for (const auto& [repeats, linear] : std::vector<std::pair<Index, double>>{{1, -1}, {0, -1}, {0, 0}}) {
    Parameters parameters;
    parameters.n_components = 2;
    parameters.n_estimators = 8;
    parameters.n_repeats = repeats;
    if (linear >= 0) parameters.linear = linear;
    const Dataset data = check_dataset(views);
    const Setting setting{resolve(parameters, data), {}};
    ASSERT_EQ(is_single_fit(setting.parameters), linear == 0);
    TrainingData shared(data);
    const LinearViews linear_views(matrices_of(data.views), data.samples, parameters.random_state, Threads(1));
    RunOptions options;
    treecca::Run run(options, 1);
    const Judged judged = judge(shared, &linear_views, setting, make_splits(data.samples, setting.parameters), run);
    TrainingData again(data);
    const CvFolds folds =
        judge_folds(again, &linear_views, setting, make_splits(data.samples, setting.parameters), run);
    EXPECT_EQ(folds.of_row, judged.folds.of_row);
    ASSERT_EQ(folds.plain.size(), judged.folds.plain.size());
    const auto tcc = [&](const CvFolds& of, std::size_t i) { return pooled_correlations(of.plain[i], 2).tcc(); };
    for (std::size_t i = 0; i < folds.plain.size(); ++i) EXPECT_EQ(tcc(folds, i), tcc(judged.folds, i));
    const FitResult fitted = fit(views, parameters);
    ASSERT_EQ(judged.out_of_fold.per_component.size(), 2U);
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(judged.out_of_fold.per_component[c], fitted.model.correlations.out_of_fold[c], 1e-6);
    }
  }
}

}  // namespace
}  // namespace treecca

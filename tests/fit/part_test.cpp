#include "fit/part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/columns.hpp"
#include "fit/resolve.hpp"
#include "helpers/eigen_matrices.hpp"
#include "helpers/synthetic_views.hpp"
#include "linear/linear_map.hpp"
#include "model/transform.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// The parts of a fit, and what they were made from.
struct Fitted {
  Fitted(const std::vector<View>& views, ParameterTexts texts, Index n_jobs = 1, const SampleOptions& about = {})
      : data(check_dataset(views, about)) {
    texts.insert(texts.begin(), {{"n_components", "2"}, {"n_estimators", "12"}});
    const Setting setting{resolve(parameters_from_texts(texts), data), {}};
    splits = make_splits(data.samples, setting.parameters);
    TrainingData shared(data);
    const RunOptions options;
    Run run(options, n_jobs);
    const LinearViews linear(matrices_of(data.views), data.samples, setting.parameters.random_state, 1);
    parts = fit_parts(shared, linear, setting, splits, run);
  }
  Dataset data;
  std::vector<Folds> splits;
  FittedParts parts;
};

/// Rows that part p saw.
MatrixXd seen(const Matrix<float>& z, const HeldOutRows& held_out, int p) {
  std::vector<Index> rows;
  for (Index i = 0; i < z.rows(); ++i) {
    if (held_out.saw(p, i)) rows.push_back(i);
  }
  return to_eigen(z)(rows, Eigen::all);
}

double mean_deviation(const MatrixXd& z) { return (centred(z).cwiseAbs2().colwise().mean()).cwiseSqrt().mean(); }

void expect_near(const Matrix<float>& a, const Matrix<float>& b, double tolerance) {
  ASSERT_EQ(a.values().size(), b.values().size());
  for (std::size_t i = 0; i < a.values().size(); ++i) ASSERT_NEAR(a.values()[i], b.values()[i], tolerance);
}

TEST(HeldOutRows, SayWhichPartSawARow) {
  const HeldOutRows rows{{{0, 1, 0}, {2, 3, 3}}, 4, true};
  EXPECT_EQ(rows.repeats(), 2);
  EXPECT_EQ(rows.parts_per_repeat(), 2);
  EXPECT_FALSE(rows.saw(0, 0));
  EXPECT_TRUE(rows.saw(1, 0));
  EXPECT_FALSE(rows.saw(2, 0));
  EXPECT_FALSE(rows.saw(3, 2));
  EXPECT_TRUE(rows.saw(2, 2));
  const HeldOutRows one{{{0, 0, 0}}, 1, false};
  EXPECT_TRUE(one.saw(0, 1));
}

TEST(MakeSplits, AreOneOfAllRowsOrThoseOfTheParts) {
  const Samples samples(60);
  Parameters parameters = Parameters::of_preset(Preset::plain);
  EXPECT_EQ(make_splits(samples, parameters).size(), 1U);
  EXPECT_EQ(make_splits(samples, parameters)[0].of_row, make_folds(samples, 5, 0).of_row);
  parameters.n_repeats = 2;
  const std::vector<Folds> splits = make_splits(samples, parameters);
  ASSERT_EQ(splits.size(), 10U);
  EXPECT_EQ(splits[7].of_row, make_parts(samples, 2, 5, 0)[7].of_row);
}

TEST(FitParts, EachLeavesOutAFifthOfTheRowsAndHasUnitVarianceOnTheOthers) {
  const auto views = testing::linear_views(100, 4, 3, 2, 0.7, 1);
  const Fitted fitted(views.views(), {{"n_repeats", "2"}});
  ASSERT_EQ(fitted.parts.parts.size(), 10U);
  const HeldOutRows& held_out = fitted.parts.held_out;
  EXPECT_EQ(held_out.n_parts, 10);
  EXPECT_EQ(held_out.repeats(), 2);
  for (int p = 0; p < 10; ++p) {
    const Part& part = fitted.parts.parts[static_cast<std::size_t>(p)];
    for (Index i = 0; i < 100; ++i) {
      EXPECT_EQ(held_out.saw(p, i),
                fitted.splits[static_cast<std::size_t>(p)].of_row[static_cast<std::size_t>(i)] >= 0);
    }
    for (std::size_t v = 0; v < 2; ++v) {
      EXPECT_EQ(seen(part.trees[v], held_out, p).rows(), 80);
      EXPECT_NEAR(mean_deviation(seen(part.trees[v], held_out, p)), 1, 1e-5);
      EXPECT_NEAR(mean_deviation(seen(part.linear[v], held_out, p)), 1, 0.05);  // before it was rotated: 1
      EXPECT_EQ(part.models[v].encoders.size(), 3U);
      EXPECT_EQ(part.models[v].rotation.rows(), 4);  // two oversamples
    }
  }
  EXPECT_EQ(fitted.parts.rounds, 12);
  EXPECT_EQ(fitted.parts.history.round, (std::vector<double>{10, 12}));
  EXPECT_EQ(fitted.parts.history.tcc.size(), 2U);
}

TEST(FitParts, VariatesAreThoseOfTheModels) {
  const auto views = testing::linear_views(80, 4, 3, 2, 0.7, 2);
  for (const char* repeats : {"1", "0"}) {
    const Fitted fitted(views.views(), {{"n_repeats", repeats}});
    for (const Part& part : fitted.parts.parts) {
      for (std::size_t v = 0; v < 2; ++v) {
        const MatrixView& values = fitted.data.views[v].values;
        ViewModel view;
        expect_near(to_variates(embed(view, part.models[v], values, 1), part.models[v], 1), part.trees[v], 1e-4);
        const Matrix<double> scores = linear_scores(part.maps[v], values, 1);
        for (std::size_t i = 0; i < scores.values().size(); ++i) {
          ASSERT_NEAR(scores.values()[i], part.linear[v].values()[i], 1e-5);
        }
      }
    }
  }
}

TEST(FitParts, LinearCcaIsRotatedTowardsTheTrees) {
  const auto views = testing::linear_views(120, 4, 3, 2, 0.8, 3);
  const Fitted fitted(views.views(), {{"n_repeats", "1"}});
  for (int p = 0; p < 5; ++p) {
    const Part& part = fitted.parts.parts[static_cast<std::size_t>(p)];
    MatrixXd product = MatrixXd::Zero(2, 2);
    for (std::size_t v = 0; v < 2; ++v) {
      product += centred(seen(part.linear[v], fitted.parts.held_out, p)).transpose() *
                 centred(seen(part.trees[v], fitted.parts.held_out, p));
    }
    // The best rotation that is left is none: the product is symmetric, with positive eigenvalues.
    EXPECT_NEAR(product(0, 1), product(1, 0), 1e-3 * product.trace());
    EXPECT_GT(product(0, 0) * product(1, 1) - product(0, 1) * product(1, 0), 0);
    EXPECT_GT(product.trace(), 0);
  }
}

/// How held-out rows are paired must not matter to the part that does not see them.
TEST(FitParts, DoNotKnowThePairsOfTheirHeldOutRows) {
  const auto views = testing::linear_views(100, 4, 3, 2, 0.7, 4);
  const Fitted before(views.views(), {{"n_repeats", "1"}, {"n_estimators", "8"}});
  const HeldOutRows& held_out = before.parts.held_out;
  auto changed = views;
  std::vector<Index> rows;
  for (Index i = 0; i < 100; ++i) {
    if (!held_out.saw(2, i)) rows.push_back(i);
  }
  ASSERT_EQ(rows.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {  // they change places in view b
    for (Index j = 0; j < 3; ++j) changed.b(rows[i], j) = views.b(rows[(i + 1) % 20], j);
  }
  const Fitted after(changed.views(), {{"n_repeats", "1"}, {"n_estimators", "8"}});
  const auto difference = [&](std::size_t p) {
    double worst = 0;
    for (std::size_t v = 0; v < 2; ++v) {
      for (const auto& [a, b] : {std::pair{&before.parts.parts[p].trees[v], &after.parts.parts[p].trees[v]},
                                 std::pair{&before.parts.parts[p].linear[v], &after.parts.parts[p].linear[v]}}) {
        worst = std::max(worst, (seen(*a, held_out, 2) - seen(*b, held_out, 2)).cwiseAbs().maxCoeff());
      }
    }
    return worst;
  };
  EXPECT_LT(difference(2), 1e-3);
  EXPECT_GT(difference(1), 0.01);
}

TEST(FitParts, DoNotDependOnTheNumberOfThreads) {
  const auto views = testing::hermite_views(100, 2, 3, 5);
  for (const char* repeats : {"1", "0"}) {
    const Fitted one(views.views(), {{"n_repeats", repeats}}, 1);
    const Fitted four(views.views(), {{"n_repeats", repeats}}, 4);
    ASSERT_EQ(one.parts.parts.size(), four.parts.parts.size());
    for (std::size_t p = 0; p < one.parts.parts.size(); ++p) {
      EXPECT_EQ(one.parts.parts[p].models, four.parts.parts[p].models);
      EXPECT_EQ(one.parts.parts[p].maps, four.parts.parts[p].maps);
      EXPECT_EQ(one.parts.parts[p].trees, four.parts.parts[p].trees);
      EXPECT_EQ(one.parts.parts[p].linear, four.parts.parts[p].linear);
    }
    EXPECT_EQ(one.parts.history, four.parts.history);
  }
}

TEST(FitParts, OneFitToAllRowsHasAPartPerFold) {
  const auto views = testing::linear_views(90, 4, 3, 2, 0.7, 6);
  const Fitted fitted(views.views(), {{"n_repeats", "0"}});
  ASSERT_EQ(fitted.parts.parts.size(), 3U);
  EXPECT_EQ(fitted.parts.held_out.part_of_row, (std::vector<std::vector<int>>{fitted.splits[0].of_row}));
  for (const Part& part : fitted.parts.parts) EXPECT_EQ(part.models[1].encoders.size(), 1U);
  const Fitted whole(views.views(), {{"n_repeats", "0"}, {"cross_fit", "0"}, {"linear", "0.5"}});
  ASSERT_EQ(whole.parts.parts.size(), 1U);
  EXPECT_FALSE(whole.parts.held_out.held_out);
}

TEST(FitParts, LinearCcaAloneGrowsNoTrees) {
  const auto views = testing::linear_views(90, 4, 3, 2, 0.7, 7);
  for (const char* repeats : {"1", "0"}) {
    const Fitted fitted(views.views(), {{"n_repeats", repeats}, {"linear", "1"}});
    for (const Part& part : fitted.parts.parts) {
      EXPECT_TRUE(part.trees.empty());
      EXPECT_TRUE(part.models.empty());
      EXPECT_EQ(part.linear.size(), 2U);
    }
    EXPECT_EQ(fitted.parts.rounds, 0);
    EXPECT_TRUE(fitted.parts.history.round.empty());
    EXPECT_FALSE(fitted.parts.parameters.leaf_sweeps.is_auto());
    EXPECT_FALSE(fitted.parts.parameters.colsample_bytree.is_auto());
  }
}

TEST(FitParts, AWishToStopIsHeard) {
  const auto views = testing::linear_views(60, 3, 3, 1, 0.7, 8);
  const Dataset data = check_dataset(views.views());
  const Setting setting{resolve(parameters_from_texts({{"n_estimators", "5"}}), data), {}};
  TrainingData shared(data);
  const LinearViews linear(matrices_of(data.views), data.samples, 0, 1);
  const std::atomic<bool> stop{true};
  RunOptions options;
  options.stop = &stop;
  treecca::Run run(options, 1);
  EXPECT_THROW(fit_parts(shared, linear, setting, make_splits(data.samples, setting.parameters), run), Interrupted);
}

}  // namespace
}  // namespace treecca

// Fits whose rows are spread over several workers: the same trees as in one process.
#include <gtest/gtest.h>

#include <cmath>

#include "helpers/missing_views.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/synthetic_views.hpp"
#include "helpers/thread_workers.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

using testing::run_workers;

/// Views, groups and weights of some rows.
struct Spread {
  std::vector<Matrix<float>> tables;
  FitOptions options;
  Levels levels = {};  // of the first table

  std::vector<View> views() const {
    std::vector<View> result;
    for (std::size_t v = 0; v < tables.size(); ++v) result.push_back({"v" + std::to_string(v), tables[v]});
    result[0].levels = levels;
    return result;
  }
};

Spread rows_of(const Spread& whole, const std::vector<Index>& rows) {
  Spread part;
  part.levels = whole.levels;
  for (const Matrix<float>& table : whole.tables) {
    Matrix<float> some(static_cast<Index>(rows.size()), table.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (Index j = 0; j < table.cols(); ++j) some(static_cast<Index>(i), j) = table(rows[i], j);
    }
    part.tables.push_back(std::move(some));
  }
  for (const Index row : rows) {
    if (!whole.options.groups.empty()) part.options.groups.push_back(whole.options.groups[row]);
    if (!whole.options.sample_weight.empty()) part.options.sample_weight.push_back(whole.options.sample_weight[row]);
    part.options.row_numbers.push_back(row);
  }
  return part;
}

/// Which worker has which rows: in blocks of `block` rows, dealt out by `share` (one entry per turn).
std::vector<std::vector<Index>> dealt(Index rows, Index block, const std::vector<int>& share, int workers) {
  std::vector<std::vector<Index>> result(static_cast<std::size_t>(workers));
  for (Index i = 0; i < rows; ++i) {
    result[static_cast<std::size_t>(share[static_cast<std::size_t>(i / block) % share.size()])].push_back(i);
  }
  return result;
}

std::vector<FitResult> fit_spread(const Spread& whole, const Parameters& parameters,
                                  const std::vector<std::vector<Index>>& of_worker) {
  std::vector<FitResult> results(of_worker.size());
  testing::run_all_workers(static_cast<int>(of_worker.size()), [&](Communicator& communicator) {
    const auto rank = static_cast<std::size_t>(communicator.rank());
    Spread part = rows_of(whole, of_worker[rank]);
    part.options.communicator = &communicator;
    results[rank] = fit(part.views(), parameters, part.options);
  });
  return results;
}

void expect_same_model(const Model& one, const Model& other) {
  EXPECT_EQ(one.parameters, other.parameters);
  EXPECT_EQ(one.n_samples, other.n_samples);
  EXPECT_EQ(one.rounds, other.rounds);
  EXPECT_NEAR(one.effective_samples, other.effective_samples, 1e-6);
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b, const char* what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-6) << what << " " << k;
  };
  near(one.correlations.out_of_fold, other.correlations.out_of_fold, "out of fold");
  near(one.correlations.standard_errors, other.correlations.standard_errors, "standard errors");
  near(one.correlations.noise_thresholds, other.correlations.noise_thresholds, "noise thresholds");
  near(one.correlations.in_sample, other.correlations.in_sample, "in sample");
  near(one.correlations.linear_out_of_fold, other.correlations.linear_out_of_fold, "linear out of fold");
  near(one.correlations.linear_in_sample, other.correlations.linear_in_sample, "linear in sample");
  near(one.correlations.pairwise, other.correlations.pairwise, "pairwise");
  near(one.history.tcc, other.history.tcc, "tcc");
  near(one.history.train_tcc, other.history.train_tcc, "train tcc");
  near(one.history.loss, other.history.loss, "loss");
  for (std::size_t v = 0; v < one.views.size(); ++v) {
    ASSERT_EQ(one.views[v].parts.size(), other.views[v].parts.size());
    for (std::size_t p = 0; p < one.views[v].parts.size(); ++p) {
      const PartModel& part = one.views[v].parts[p];
      const PartModel& other_part = other.views[v].parts[p];
      near(part.mean, other_part.mean, "mean");
      ASSERT_EQ(part.encoders.size(), other_part.encoders.size());
      for (std::size_t f = 0; f < part.encoders.size(); ++f) {
        const Encoder& a = part.encoders[f];
        const Encoder& b = other_part.encoders[f];
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t t = 0; t < a.size(); ++t) {
          EXPECT_EQ(a[t].level_sets, b[t].level_sets);
          EXPECT_EQ(a[t].nodes, b[t].nodes) << "view " << v << " part " << p << " fold " << f << " tree " << t;
          ASSERT_EQ(a[t].leaf_values.size(), b[t].leaf_values.size());
          for (std::size_t l = 0; l < a[t].leaf_values.size(); ++l) {
            EXPECT_NEAR(a[t].leaf_values[l], b[t].leaf_values[l], 1e-5);
          }
        }
      }
    }
    near(one.views[v].linear.weights.values(), other.views[v].linear.weights.values(), "linear");
    near(one.views[v].deviation, other.views[v].deviation, "deviation");
  }
}

/// Rows that lack a view have no variates.
void expect_near_or_absent(float found, float expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found));
  } else {
    EXPECT_NEAR(found, expected, 1e-3);
  }
}

/// One process against workers, and all workers against each other; the rows' own results in their places.
void expect_same_fit(const Spread& whole, const Parameters& parameters,
                     const std::vector<std::vector<Index>>& of_worker) {
  const FitResult one = fit(whole.views(), parameters, whole.options);
  const std::vector<FitResult> spread = fit_spread(whole, parameters, of_worker);
  expect_same_model(one.model, spread[0].model);
  for (std::size_t r = 0; r < spread.size(); ++r) {
    EXPECT_TRUE(spread[r].model == spread[0].model) << "worker " << r;
    EXPECT_EQ(spread[r].warnings, one.warnings);
    for (std::size_t v = 0; v < whole.tables.size(); ++v) {
      ASSERT_EQ(spread[r].variates[v].rows(), static_cast<Index>(of_worker[r].size()));
      ASSERT_EQ(spread[r].out_of_fold.size(), one.out_of_fold.size());
      for (std::size_t i = 0; i < of_worker[r].size(); ++i) {
        for (Index k = 0; k < parameters.n_components; ++k) {
          const Index row = of_worker[r][i];
          expect_near_or_absent(spread[r].variates[v](static_cast<Index>(i), k), one.variates[v](row, k));
          if (one.out_of_fold.empty()) continue;
          expect_near_or_absent(spread[r].out_of_fold[v](static_cast<Index>(i), k), one.out_of_fold[v](row, k));
        }
      }
    }
  }
}

Spread hermite(Index n, unsigned seed = 1) {
  const auto views = testing::hermite_views(n, 2, 3, seed);
  return {{views.a, views.b}, {}};
}

Parameters quick(Index rounds = 12) {
  Parameters parameters = testing::plain_parameters();
  parameters.n_estimators = rounds;
  parameters.init_fade = 4;
  return parameters;
}

TEST(DistributedFit, TwoWorkersAreOneProcess) { expect_same_fit(hermite(600), quick(30), dealt(600, 300, {0, 1}, 2)); }

TEST(DistributedFit, UnequalShardsInAnyOrderAndAnEmptyOne) {
  expect_same_fit(hermite(500), quick(), dealt(500, 7, {3, 0, 0, 1, 0, 3, 0}, 4));  // worker 2 has none
}

TEST(DistributedFit, RowsThatLackViews) {
  for (const char* preset : {"plain", "auto"}) {
    SCOPED_TRACE(preset);
    Spread whole = hermite(240);
    for (Index v = 0; v < 2; ++v) {
      whole.tables[static_cast<std::size_t>(v)] = testing::with_gaps(whole.tables[static_cast<std::size_t>(v)], v);
    }
    for (Index j = 0; j < 5; ++j) whole.tables[0](5, j) = 0;  // that it had no view would be told with its number
    Parameters parameters = parameters_from_texts({{"preset", preset}});
    parameters.n_estimators = 12;
    set_from_text(parameters, "screen", "0");
    if (parameters.preset == Preset::automatic) parameters.n_repeats = 1;
    expect_same_fit(whole, parameters, dealt(240, 17, {0, 1, 1}, 2));
  }
}

TEST(DistributedFit, WithoutNumbersRowsFollowTheRanks) {
  const Spread whole = hermite(300);
  const FitResult one = fit(whole.views(), quick());
  const auto of_worker = dealt(300, 150, {0, 1}, 2);
  testing::run_all_workers(2, [&](Communicator& communicator) {
    Spread part = rows_of(whole, of_worker[static_cast<std::size_t>(communicator.rank())]);
    part.options.row_numbers.clear();
    part.options.communicator = &communicator;
    expect_same_model(one.model, fit(part.views(), quick(), part.options).model);
  });
}

TEST(DistributedFit, EverySettingThatLooksAtRows) {
  const Spread whole = hermite(400);
  const auto of_worker = dealt(400, 30, {0, 2, 1, 1}, 3);
  const auto check = [&](const char* name, const char* text, Parameters parameters) {
    SCOPED_TRACE(std::string(name) + "=" + text);
    set_from_text(parameters, name, text);
    expect_same_fit(whole, parameters, of_worker);
  };
  check("trees", "scalar", quick());
  check("objective", "ey", quick());
  check("schedule", "gauss-seidel", quick());
  check("subsample", "0.6", quick());
  check("cross_fit", "0", quick());
  check("rotate", "false", quick());
  check("n_components", "7", quick());  // more than features: harmonics
  check("init", "random-orthogonal", quick());
  check("init", "random", quick());
  check("n_jobs", "1", quick());
  Parameters wide = quick();
  wide.n_components = 7;
  check("sketch", "3", wide);
  wide.subsample = 0.6;
  check("sketch", "3", wide);
  check("leaf_sweeps", "2", quick());
  check("leaf_sweeps", "auto", wide);
  Parameters scalar = quick();
  scalar.trees = Trees::scalar;
  check("leaf_sweeps", "2", scalar);
  Parameters early = quick(40);
  early.learning_rate = 0.5;
  check("early_stopping_rounds", "3", early);
  Parameters paper = Parameters::of_preset(Preset::paper);
  paper.n_estimators = 8;
  check("n_components", "2", paper);
}

TEST(DistributedFit, PartsAndBlendsWithLinearCca) {
  const auto views = testing::linear_views(120, 4, 3, 1, 0.7, 3);
  Spread whole{{views.a, views.b}, {}};
  for (Index i = 0; i < 120; ++i) whole.options.groups.push_back(i % 30);
  for (const char* linear : {"auto", "0", "0.5"}) {
    for (const char* repeats : {"1", "0"}) {
      SCOPED_TRACE(std::string("linear=") + linear + " n_repeats=" + repeats);
      const Parameters parameters = parameters_from_texts({{"n_components", "1"},
                                                           {"n_estimators", "8"},
                                                           {"init_fade", "3"},
                                                           {"linear", linear},
                                                           {"n_repeats", repeats},
                                                           {"screen", "none"}});
      expect_same_fit(whole, parameters, dealt(120, 10, {0, 2, 1, 1}, 3));
    }
  }
}

TEST(DistributedFit, GroupsAndWeights) {
  Spread whole = hermite(400);
  for (Index i = 0; i < 400; ++i) {
    whole.options.groups.push_back(i / 7 % 31);
    whole.options.sample_weight.push_back(i % 5 == 0 ? 0.0 : 0.3 + static_cast<double>(i % 11));
  }
  for (const Trees trees : {Trees::joint, Trees::scalar}) {
    Parameters parameters = quick();
    parameters.trees = trees;
    expect_same_fit(whole, parameters, dealt(400, 30, {0, 2, 1, 1}, 4));  // worker 3 has neither rows nor weights
  }
}

TEST(DistributedFit, MissingValuesAndThreeViews) {
  Spread whole = hermite(400);
  whole.tables.push_back(testing::gridded_matrix(400, 4, 9, 0.2));
  for (Index i = 0; i < 400; ++i) {
    whole.tables[2](i, 0) = whole.tables[0](i, 0);
    if (i % 9 == 4) whole.tables[0](i, 1) = NAN;
    whole.tables[2](i, 3) = i < 50 ? NAN : 1.0F;  // missing in one worker only
  }
  expect_same_fit(whole, quick(), dealt(400, 200, {0, 1}, 2));
}

TEST(DistributedFit, Categories) {
  Spread whole = hermite(600);
  const Index last = whole.tables[0].cols() - 1;
  for (Index i = 0; i < 600; ++i) {  // level 2 is on the second worker alone, level 4 nowhere
    whole.tables[0](i, last) = i >= 450 ? 2 : i % 11 == 0 ? std::nanf("") : static_cast<float>(i % 4 == 2 ? 5 : i % 4);
  }
  whole.levels.resize(static_cast<std::size_t>(last) + 1);
  whole.levels.back() = {"e", "d", "c", "b", "a", "f"};
  expect_same_fit(whole, quick(20), dealt(600, 300, {0, 1}, 2));
}

TEST(DistributedFit, ViewsWiderThanLong) {
  const auto views = testing::linear_views(90, 200, 150, 2, 0.9, 3);
  const Spread whole{{views.a, views.b}, {}};
  const FitResult one = fit(whole.views(), quick());
  const std::vector<FitResult> spread = fit_spread(whole, quick(), dealt(90, 20, {0, 1}, 2));
  expect_same_model(one.model, spread[1].model);
}

TEST(DistributedFit, AllWorkersSayWhatOneOfThemFound) {
  Spread whole = hermite(200);
  whole.tables[1](150, 2) = INFINITY;
  const auto of_worker = dealt(200, 100, {0, 1}, 2);
  for (const auto& failure : run_workers(2, [&](Communicator& communicator) {
         Spread part = rows_of(whole, of_worker[static_cast<std::size_t>(communicator.rank())]);
         part.options.communicator = &communicator;
         fit(part.views(), quick(), part.options);
       })) {
    ASSERT_TRUE(failure);
    try {
      std::rethrow_exception(failure);
    } catch (const DataError& e) {
      EXPECT_NE(std::string(e.what()).find("row 151, feature \"f2\""), std::string::npos) << e.what();
    }
  }
}

TEST(DistributedFit, AWorkerThatLeavesIsAnErrorForTheOthers) {
  const Spread whole = hermite(300);
  const auto of_worker = dealt(300, 100, {0, 1, 2}, 3);
  const auto failures = run_workers(3, [&](Communicator& communicator) {
    Spread part = rows_of(whole, of_worker[static_cast<std::size_t>(communicator.rank())]);
    part.options.communicator = &communicator;
    if (communicator.rank() == 1) {
      part.options.on_round = [](const Progress& state) {
        if (state.round == 5) throw std::runtime_error("killed");
      };
    }
    fit(part.views(), quick(), part.options);
  });
  EXPECT_THROW(std::rethrow_exception(failures[0]), Error);
  EXPECT_THROW(std::rethrow_exception(failures[2]), Error);
}

TEST(DistributedFit, RefusesWhatItCannotDo) {
  const Spread whole = hermite(100);
  const auto of_worker = dealt(100, 50, {0, 1}, 2);
  const auto failures_with = [&](const std::function<void(int, Spread&, Parameters&)>& change) {
    return run_workers(2, [&](Communicator& communicator) {
      Spread part = rows_of(whole, of_worker[static_cast<std::size_t>(communicator.rank())]);
      part.options.communicator = &communicator;
      Parameters parameters = quick();
      change(communicator.rank(), part, parameters);
      fit(part.views(), parameters, part.options);
    });
  };
  for (const auto& failure : failures_with([](int, Spread&, Parameters& p) { p.engine = EngineKind::lightgbm; })) {
    EXPECT_THROW(std::rethrow_exception(failure), UsageError);
  }
  for (const auto& failure : failures_with([](int, Spread&, Parameters& p) { p.screen = Index{3}; })) {
    EXPECT_THROW(std::rethrow_exception(failure), UsageError);
  }
  for (const auto& failure : failures_with([](int rank, Spread&, Parameters&p) { p.random_state = 3 + rank; })) {
    EXPECT_THROW(std::rethrow_exception(failure), Error);
  }
  for (const auto& failure : failures_with([](int rank, Spread&part, Parameters&) {
         if (rank == 1) part.tables[0] = Matrix<float>(part.tables[0].rows(), 3);
       })) {
    EXPECT_THROW(std::rethrow_exception(failure), Error);
  }
  for (const auto& failure : failures_with([](int rank, Spread&part, Parameters&) {
         if (rank == 1) part.options.groups = {1, 2};
       })) {
    EXPECT_THROW(std::rethrow_exception(failure), DataError);
  }
  for (int with_groups = 0; with_groups < 2; ++with_groups) {  // the other has none
    for (const auto& failure : failures_with([&](int rank, Spread&part, Parameters&) {
           if (rank == with_groups) part.options.groups.assign(50, 1);
         })) {
      EXPECT_THROW(std::rethrow_exception(failure), DataError);
    }
  }
  for (const auto& failure : failures_with([](int rank, Spread&part, Parameters&p) {
         p.engine = EngineKind::xgboost;
         part.options.engine_params = {{"gamma", std::to_string(rank)}};
       })) {
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("parameters of worker 1 differ"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace treecca

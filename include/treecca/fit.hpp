// From views to a fitted model.
//
// All views have the same number of rows N, in the same order. Memory beyond the input: N bytes per feature
// (bins), and about 8 * N * K * (folds + 2) bytes per view. Deterministic: the same input, parameters and
// seed give the same model for any number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "treecca/distributed.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// One view: a name, its numbers (owned by the caller, alive during the call) and the names of its features
/// (made up as f0, f1, ... when empty).
struct View {
  std::string name;
  MatrixView values;
  std::vector<std::string> feature_names = {};
};

/// What a progress display needs, after every round.
struct Progress {
  Index round = 0;     // rounds done
  Index rounds = 0;    // rounds in all
  double tcc = 0;      // as History::tcc
  double seconds = 0;  // since the first round began
};

struct FitOptions {
  std::vector<std::int64_t> groups;   // empty, or N: rows of one group share a fold
  std::vector<double> sample_weight;  // empty, or N: how much each row counts; only ratios matter
  std::vector<std::pair<std::string, std::string>> engine_params;  // handed to XGBoost or LightGBM as they are
  std::function<void(const Progress&)> on_round;                   // called from the calling thread
  const std::atomic<bool>* stop = nullptr;                         // set it to true: fit throws Interrupted soon
  // When the rows are spread over several processes (see distributed.hpp): the views, groups and weights given are
  // those of the rows here, and so are the variates of the result; everything else is about all rows.
  Communicator* communicator = nullptr;
  std::vector<std::int64_t> row_numbers;  // of the rows here among all, from 0; empty: they follow those of lower ranks
};

struct Stage {
  std::string name;  // bin, screen, linear, start, moments, targets, grow, curves, rotate
  double seconds = 0;
};

struct FitResult {
  Model model;
  std::vector<Matrix<float>> variates;     // per view N x K: the final model on the training rows
  std::vector<Matrix<float>> out_of_fold;  // per view N x K: every row by encoders that never saw it; empty
                                           // without cross-fitting
  std::vector<float> weights;              // N with mean 1, or none: how much each row counted
  std::vector<Stage> timings;
  std::vector<std::string> warnings;  // plain sentences for the person
};

/// Fits TreeCCA (TreeMCCA for more than two views).
/// Failure: UsageError for parameters, DataError for the views (fewer than two, unequal lengths, fewer than ten
/// rows or fewer rows or groups than folds, infinities, a constant view, weights that are negative), Interrupted;
/// FileError when the library of another engine is not there.
FitResult fit(const std::vector<View>& views, const Parameters& parameters = {}, const FitOptions& options = {});

/// The variates (N x K) of new rows of one view of the model. Columns in the model's order.
/// Failure: UsageError for a view that the model does not have, DataError for a wrong number of columns.
Matrix<float> transform(const Model& model, Index view, const MatrixView& values, Index n_jobs = -1);

/// The same for views matched by name; the result is in the order given. Columns are matched by name too where a
/// view has feature names: their order does not matter and those that the model does not know are ignored. Names
/// that were made up (f0, f1, ...) count as none.
/// Failure: DataError for a view that the model does not have and for absent features, which it names.
std::vector<Matrix<float>> transform(const Model& model, const std::vector<View>& views, Index n_jobs = -1);

/// What the variates of view `from` say about those of view `to`: the best linear guess of component k is
/// regression[k] times its variate in `from`. Failure: UsageError for a view that the model does not have.
std::vector<double> regression(const Model& model, Index from, Index to);

}  // namespace treecca

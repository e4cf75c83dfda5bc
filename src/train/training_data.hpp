// The inputs that trainings on the same data share: bins, initial values, scores of permuted rows. They do not depend
// on the pairing of rows or the split into folds, so trainings with other settings and folds can use them.
//
// Filled on first use. Trainings in several threads may share one object; with rows in several processes they must run
// one after the other, because filling is collective.
#pragma once

#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "data/binning.hpp"
#include "data/dataset.hpp"
#include "data/design.hpp"
#include "data/row_orders.hpp"
#include "screen/choose.hpp"
#include "support/threads.hpp"
#include "train/start.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

class TrainingData {
 public:
  /// The dataset must outlive it.
  explicit TrainingData(const Dataset& data) : data_(data), designs_(designs_of(data.views)) {}
  /// The views of `original` with reordered rows, as in `data`. The contents of `original` are reordered, not
  /// recomputed. Both must outlive it; one process.
  TrainingData(const Dataset& data, TrainingData& original, RowOrders orders)
      : data_(data), designs_(designs_of(data.views)), original_(&original), orders_(std::move(orders)) {}
  TrainingData(const TrainingData&) = delete;
  TrainingData& operator=(const TrainingData&) = delete;

  const std::vector<View>& views() const { return data_.views; }
  /// The views in the form that linear methods use.
  const std::vector<Design>& designs() const { return designs_; }
  const Samples& samples() const { return data_.samples; }
  /// N x d per view: the covariates that its embedding is adjusted for; empty without covariates.
  std::vector<const Matrix<double>*> covariates() const { return covariates_of(data_); }
  /// The same for all views; null without covariates.
  const Matrix<double>* covariate_columns() const {
    return data_.covariates.empty() ? nullptr : &data_.covariates.columns;
  }

  /// All views cut into bins, for the parameters' max_bin. Failure: DataError for infinities and for a constant view.
  const std::vector<BinnedView>& bins(const Parameters& parameters, Threads threads);

  /// Initial values of one view from all its features (see start.hpp).
  const Start& start(Index view, const Parameters& parameters, Threads threads);

  /// The part of screening that sets of folds share.
  const ScreenBasis& screen_basis(const Parameters& parameters, Threads threads);

 private:
  /// The settings that initial values depend on, and the view.
  using StartKey = std::tuple<Index, Init, Index, bool, std::uint64_t>;  // view, init, components, fades, seed

  /// max_bin of every view, screen of every view, components, seed.
  using ScreenKey = std::tuple<std::vector<Index>, std::vector<Index>, Index, std::uint64_t>;

  const Dataset& data_;
  std::vector<Design> designs_;
  TrainingData* original_ = nullptr;
  RowOrders orders_;  // of the rows of `original_`
  std::mutex mutex_;
  std::map<std::vector<Index>, std::vector<BinnedView>> bins_;  // by max_bin of every view
  std::map<StartKey, Start> starts_;
  std::map<ScreenKey, ScreenBasis> screen_bases_;
};

}  // namespace treecca

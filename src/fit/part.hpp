// Fits parts: trees and linear CCA, several times, each time without some of the rows, which then test the part.
//
// Part p = (r, j) of R repeats leaves out fold j of repeat r. The part uses the pairing of the other rows only; bins,
// initial values and the axes of linear CCA use one view each and are shared by all parts. With one fit to all rows
// (n_repeats = 0), each encoder takes the place of a part: encoder f with linear CCA, both fitted without fold f.
#pragma once

#include <vector>

#include "linear/cca.hpp"
#include "samples/folds.hpp"
#include "support/run.hpp"
#include "train/train.hpp"
#include "train/training_data.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// For every repeat, the part that was fitted without a row.
struct HeldOutRows {
  std::vector<std::vector<int>> part_of_row;  // [repeat][row here]: number of the part
  int n_parts = 0;
  bool held_out = true;  // false: one part, fitted to all rows (cross_fit = 0)

  int repeats() const { return static_cast<int>(part_of_row.size()); }
  int parts_per_repeat() const { return n_parts / repeats(); }
  /// Whether a row tests the part: the part was fitted without the row, or (cross_fit = 0) to all rows.
  bool judges(int part, Index row) const {
    return part_of_row[static_cast<std::size_t>(part / parts_per_repeat())][static_cast<std::size_t>(row)] == part;
  }
  bool saw(int part, Index row) const { return !held_out || !judges(part, row); }
};

/// The result of a part. N rows here, K components; all variates have unit variance on the part's training rows.
struct Part {
  std::vector<PartModel> models;  // per view: encoders, mean, and the W x K matrix that gives `trees`
  std::vector<LinearMap> maps;    // per view: from its features to `linear`
  /// Per view d x K: the covariate effect of the trees and of linear CCA, already subtracted from `trees` and `linear`.
  /// Empty without covariates.
  std::vector<Matrix<double>> tree_effects, linear_effects;
  std::vector<Matrix<float>> trees;   // per view N x K: T; empty without trees
  std::vector<Matrix<float>> linear;  // per view N x K: L, rotated towards T
  std::vector<Screening> screenings;  // per view
};

struct FittedParts {
  std::vector<Part> parts;
  HeldOutRows held_out;
  Parameters parameters;                // of the first part, without "auto" values; random_state as given
  std::vector<LinearMap> base_margins;  // per view, the same for all parts; or empty
  History history;                      // mean over the parts
  Index rounds = 0;                     // maximum over the parts
};

/// Splits for `fit`: one split of all rows, or the splits of all parts. Failure: as make_folds.
std::vector<Folds> make_splits(const Samples& samples, const Parameters& parameters);

/// Fits all parts, several at the same time if that is faster; the result does not depend on this. `views`: of the
/// designs of `shared`. Reports the rounds of all parts together.
FittedParts fit_parts(TrainingData& shared, const LinearViews& views, const Setting& setting,
                      const std::vector<Folds>& splits, Run& run);

}  // namespace treecca

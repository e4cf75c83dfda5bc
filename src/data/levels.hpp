// Categories: features whose values are positions in a list of named levels (Levels in treecca/view.hpp).
//
// A fit identifies levels by name and orders them by name, and keeps only levels that some sample has, so neither the
// order nor unused levels of the input change a result. Thread-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "samples/peers.hpp"
#include "treecca/matrix.hpp"
#include "treecca/view.hpp"

namespace treecca {

inline bool is_category(const Levels& levels, Index feature) {
  return !levels.empty() && !levels[static_cast<std::size_t>(feature)].empty();
}

/// The levels of some features.
Levels some_levels(const Levels& levels, const std::vector<std::int32_t>& features);

/// Checks the levels of a view and brings them into the order of a fit. If positions change, the view gets a copy of
/// its numbers, which `copy` then owns. Collective; levels must be the same in all processes. Failure: DataError,
/// naming view, feature and row, for values that are not positions, for levels that are empty, repeated or not UTF-8,
/// and for more than kMaxLevels levels.
View with_ordered_levels(const View& view, const Peers& peers, std::shared_ptr<const Matrix<double>>& copy);

/// Number of rows with each level, over all processes; same shape as the levels.
std::vector<std::vector<double>> counts_of_levels(const View& view, const Peers& peers);

/// Maps the levels of other data to the levels of a fit, by name.
struct LevelMatch {
  std::vector<double> position;      // per given level: its position in the fit's levels, or NaN
  std::vector<std::string> unknown;  // given levels that the fit does not have
};
LevelMatch match_levels(const std::vector<std::string>& given, const std::vector<std::string>& wanted);

/// Brings the levels of new data, with a model's features, into the model's order, in place. A level that the model
/// does not have counts as missing; for every feature with such samples, returns a sentence for the user. Failure:
/// DataError if a numeric feature is given for a category or the reverse, and for a value that is not a position in the
/// levels.
std::vector<std::string> to_model_levels(const std::string& view, const std::vector<std::string>& feature_names,
                                         const Levels& given, const Levels& wanted, Matrix<double>& values);

/// Checks the values of new data in which levels are positions already. Failure: DataError if a value of a category is
/// not a position in its levels.
void check_positions(const std::string& view, const std::vector<std::string>& feature_names, const Levels& levels,
                     const MatrixView& values);

}  // namespace treecca

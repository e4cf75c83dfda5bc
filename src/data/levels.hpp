// Categories: features whose values are positions in a list of named levels (Levels in treecca/view.hpp).
//
// A fit knows levels by name, in the order of their names, and only those that some sample has: neither the order nor
// the unused levels of the input change a result. Thread-safe.
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

/// Checks the levels of a view and brings them into the order of a fit; where that changes positions, the view gets a
/// copy of its numbers, which `copy` then owns. Collective; levels must be the same in all processes. Failure:
/// DataError, naming view, feature and row, for a value that is no position, levels that are empty, repeat or are not
/// UTF-8, and more than kMaxLevels of them.
View with_ordered_levels(const View& view, const Peers& peers, std::shared_ptr<const Matrix<double>>& copy);

/// Rows with each level, of all processes; the shape is that of the levels.
std::vector<std::vector<double>> counts_of_levels(const View& view, const Peers& peers);

/// Level names of a fit for those of other data.
struct LevelMatch {
  std::vector<double> position;      // per level given: the wanted one's, or NaN
  std::vector<std::string> unknown;  // levels given that are not wanted
};
LevelMatch match_levels(const std::vector<std::string>& given, const std::vector<std::string>& wanted);

/// Brings the levels of new data, whose features are those of a model, into the model's order, in place. A level that
/// the model does not have counts as missing. Returns a sentence for the user for every feature in which some sample
/// has one. Failure: DataError for a number in place of a category or the reverse, and for a value that is no position.
std::vector<std::string> to_model_levels(const std::string& view, const std::vector<std::string>& feature_names,
                                         const Levels& given, const Levels& wanted, Matrix<double>& values);

/// The values of new data, in which levels are positions already. Failure: DataError for a category's value that is no
/// position.
void check_positions(const std::string& view, const std::vector<std::string>& feature_names, const Levels& levels,
                     const MatrixView& values);

}  // namespace treecca

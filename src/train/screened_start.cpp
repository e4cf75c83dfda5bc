#include "train/screened_start.hpp"

#include <algorithm>

#include "screen/selected_columns.hpp"
#include "train/align.hpp"

namespace treecca {
Start screened_start(const View& view, Index view_number, const std::vector<std::vector<std::int32_t>>& kept,
                     const Folds& folds, const Parameters& parameters, Threads threads) {
  const bool all = std::all_of(kept.begin(), kept.end(), [&](const auto& features) {
    return static_cast<Index>(features.size()) == view.values.cols();
  });
  if (all || parameters.init_fade == 0) return start_values(view, view_number, parameters, threads, folds.shard);
  Start result;
  std::vector<Start> of_fold;
  for (int f = 0; f < folds.count; ++f) {
    const Matrix<float> values = some_columns(view.values, kept[static_cast<std::size_t>(f)]);
    Start start = start_values({view.name, values}, view_number, parameters, threads, folds.shard);
    if (f > 0) align_to(start.values, result.values);
    if (f == 0) result = start;
    of_fold.push_back(std::move(start));
  }
  for (Index i = 0; i < result.values.rows(); ++i) {
    const Matrix<float>& from = of_fold[static_cast<std::size_t>(folds.of_row[static_cast<std::size_t>(i)])].values;
    std::copy_n(from.row(i), from.cols(), result.values.row(i));
  }
  return result;
}

}  // namespace treecca

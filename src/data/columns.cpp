#include "data/columns.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace treecca {
namespace {

MatrixView add_columns(SelectedColumns& seen, const MatrixView& values, const std::vector<std::int32_t>& columns) {
  if (static_cast<Index>(columns.size()) == values.cols()) return values;
  return seen.copies.emplace_back(some_columns(values, columns));
}

}  // namespace

bool is_empty_row(const MatrixView& values, Index row) {
  Index j = 0;
  while (j < values.cols() && std::isnan(values.value(row, j))) ++j;
  return j == values.cols();
}

SelectedColumns selected_columns(const std::vector<View>& views, const FeatureSets& kept, int folds) {
  SelectedColumns seen;
  const bool all = kept.all();
  if (!all) seen.by_fold.resize(static_cast<std::size_t>(folds));
  for (Index v = 0; v < static_cast<Index>(views.size()); ++v) {
    const MatrixView& values = views[v].values;
    std::set<std::int32_t> any;
    for (int f = 0; f < folds && !all; ++f) {
      const auto* features = kept.of(v, f);
      seen.by_fold[static_cast<std::size_t>(f)].push_back(features == nullptr ? values
                                                                              : add_columns(seen, values, *features));
      if (features != nullptr) any.insert(features->begin(), features->end());
    }
    seen.of_any_fold.push_back(any.empty() ? values : add_columns(seen, values, {any.begin(), any.end()}));
  }
  return seen;
}

}  // namespace treecca

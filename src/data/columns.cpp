#include "data/columns.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/levels.hpp"

namespace treecca {
namespace {

MatrixView add_design(SelectedColumns& seen, const View& view) {
  return view.levels.empty() ? view.values : seen.designs.emplace_back(view).values();
}

MatrixView add_columns(SelectedColumns& seen, const View& view, const std::vector<std::int32_t>& columns) {
  if (static_cast<Index>(columns.size()) == view.values.cols()) return add_design(seen, view);
  const Matrix<float>& values = seen.copies.emplace_back(some_columns(view.values, columns));
  return add_design(seen, {view.name, values, {}, some_levels(view.levels, columns)});
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
    const View& view = views[v];
    const MatrixView values = add_design(seen, view);
    std::set<std::int32_t> any;
    for (int f = 0; f < folds && !all; ++f) {
      const auto* features = kept.of(v, f);
      seen.by_fold[static_cast<std::size_t>(f)].push_back(features == nullptr ? values
                                                                              : add_columns(seen, view, *features));
      if (features != nullptr) any.insert(features->begin(), features->end());
    }
    seen.of_any_fold.push_back(any.empty() ? values : add_columns(seen, view, {any.begin(), any.end()}));
  }
  return seen;
}

}  // namespace treecca

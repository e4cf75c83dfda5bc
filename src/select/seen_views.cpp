#include "select/seen_views.hpp"

#include <algorithm>
#include <set>

namespace treecca {
namespace {

MatrixView add_columns(SeenViews& seen, const MatrixView& values, const std::vector<std::int32_t>& columns) {
  if (static_cast<Index>(columns.size()) == values.cols()) return values;
  return seen.copies.emplace_back(some_columns(values, columns));
}

}  // namespace

Matrix<float> some_columns(const MatrixView& values, const std::vector<std::int32_t>& columns) {
  Matrix<float> result(values.rows(), static_cast<Index>(columns.size()));
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) result(i, j) = values(i, columns[static_cast<std::size_t>(j)]);
  }
  return result;
}

SeenViews seen_views(const std::vector<View>& views, const KeptFeatures& kept, int folds) {
  SeenViews seen;
  const bool all = std::all_of(kept.begin(), kept.end(), [](const auto& of_folds) { return of_folds.empty(); });
  if (!all) seen.by_fold.resize(static_cast<std::size_t>(folds));
  for (Index v = 0; v < static_cast<Index>(views.size()); ++v) {
    const MatrixView& values = views[v].values;
    std::set<std::int32_t> any;
    for (int f = 0; f < folds && !all; ++f) {
      const auto* features = features_of(kept, v, f);
      seen.by_fold[static_cast<std::size_t>(f)].push_back(features == nullptr ? values
                                                                              : add_columns(seen, values, *features));
      if (features != nullptr) any.insert(features->begin(), features->end());
    }
    seen.by_any.push_back(any.empty() ? values : add_columns(seen, values, {any.begin(), any.end()}));
  }
  return seen;
}

}  // namespace treecca

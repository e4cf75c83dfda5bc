#include "data/design.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/levels.hpp"

namespace treecca {

std::vector<Index> features_without_indicators(const Levels& levels) {
  std::vector<Index> left_out;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (levels[j].size() > kMostIndicators) left_out.push_back(static_cast<Index>(j));
  }
  if (left_out.size() == levels.size()) left_out.clear();  // otherwise no column would be left
  return left_out;
}

Design::Design(const View& view) : values_(view.values) {
  if (view.levels.empty()) return;
  const std::vector<Index> left_out = features_without_indicators(view.levels);
  for (Index j = 0; j < static_cast<Index>(view.levels.size()); ++j) {
    const std::size_t levels = view.levels[static_cast<std::size_t>(j)].size();
    level_counts_.push_back(levels);
    if (std::binary_search(left_out.begin(), left_out.end(), j)) continue;
    if (levels == 0) columns_.push_back({j, -1});
    for (std::size_t level = 0; level < levels; ++level) columns_.push_back({j, static_cast<Index>(level)});
  }
  Matrix<float> copy(view.values.rows(), static_cast<Index>(columns_.size()));
  for (Index i = 0; i < copy.rows(); ++i) {
    for (Index c = 0; c < copy.cols(); ++c) {
      const Column& column = columns_[static_cast<std::size_t>(c)];
      const float value = view.values(i, column.feature);
      const bool as_it_is = column.level < 0 || std::isnan(value);
      copy(i, c) = as_it_is ? value : value == static_cast<float>(column.level) ? 1.0F : 0.0F;
    }
  }
  copy_ = std::make_shared<const Matrix<float>>(std::move(copy));
  values_ = MatrixView(*copy_);
}

LinearMap Design::map_of_features(LinearMap of_columns) const {
  if (level_counts_.empty()) return of_columns;
  const Index width = of_columns.weights.cols();
  const auto p = static_cast<Index>(level_counts_.size());
  LinearMap map;
  map.mean.assign(level_counts_.size(), 0.0);
  map.level_begin.push_back(static_cast<std::int32_t>(p));
  for (const std::size_t levels : level_counts_) {
    map.level_begin.push_back(map.level_begin.back() + static_cast<std::int32_t>(levels));
  }
  map.weights = Matrix<double>(map.level_begin.back(), width);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const auto feature = static_cast<std::size_t>(column.feature);
    const double* weights = of_columns.weights.row(static_cast<Index>(c));
    if (column.level < 0) {
      map.mean[feature] = of_columns.mean[c];
      std::copy_n(weights, width, map.weights.row(column.feature));
      continue;
    }
    for (Index row = map.level_begin[feature]; row < map.level_begin[feature + 1]; ++row) {
      const double indicator = row - map.level_begin[feature] == column.level ? 1.0 : 0.0;
      for (Index k = 0; k < width; ++k) map.weights(row, k) += (indicator - of_columns.mean[c]) * weights[k];
    }
  }
  return map;
}

std::vector<Design> designs_of(const std::vector<View>& views) {
  std::vector<Design> designs;
  for (const View& view : views) designs.emplace_back(view);
  return designs;
}

std::vector<MatrixView> matrices_of(const std::vector<Design>& designs) {
  std::vector<MatrixView> matrices;
  for (const Design& design : designs) matrices.push_back(design.values());
  return matrices;
}

}  // namespace treecca

#include "linear/linear_map.hpp"

#include <cmath>

#include "support/parallel.hpp"

namespace treecca {

void add_linear_scores(const BaseMargin& map, const MatrixView& x, Index begin, Index end, double* out) {
  const Index k = map.weights.cols();
  const auto p = static_cast<Index>(map.mean.size());
  for (Index i = begin; i < end; ++i) {
    double* scores = out + (i - begin) * k;
    if (!map.level_begin.empty()) {
      for (Index j = 0; j < p; ++j) {
        const LinearMap::Term term = map.term(j, x(i, j));
        for (Index c = 0; c < k; ++c) scores[c] += term.factor * map.weights(term.row, c);
      }
      continue;
    }
    for (Index j = 0; j < p; ++j) {
      const float value = x(i, j);
      if (std::isnan(value)) continue;
      const double deviation = static_cast<double>(value) - map.mean[j];
      const double* weights = map.weights.row(j);
      for (Index c = 0; c < k; ++c) scores[c] += deviation * weights[c];
    }
  }
}

Matrix<double> linear_scores(const BaseMargin& map, const MatrixView& x, Threads threads) {
  constexpr Index kBlock = 256;
  Matrix<double> scores(x.rows(), map.weights.cols());
  parallel_blocks(x.rows(), kBlock, threads,
                  [&](Index begin, Index end) { add_linear_scores(map, x, begin, end, scores.row(begin)); });
  return scores;
}

}  // namespace treecca

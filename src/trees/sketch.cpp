#include "trees/sketch.hpp"

#include <algorithm>
#include <cmath>

#include "support/parallel.hpp"

namespace treecca {
namespace {

/// Number of sums computed together: two vectors of the baseline instruction set.
constexpr Index kLanes = 8;

}  // namespace

Matrix<float> random_directions(Index width, Index size, const RandomKey& key) {
  const double scale = 1 / std::sqrt(static_cast<double>(size));
  Matrix<float> directions(width, size);
  for (Index i = 0; i < width * size; ++i) {
    directions.data()[i] = static_cast<float>(scale * key.normal(static_cast<std::uint64_t>(i)));
  }
  return directions;
}

GradientSource GradientSketch::apply(const GradientSource& source, const Matrix<float>& directions,
                                     std::span<const RowIndex> rows, Threads threads) {
  const Index size = sums_.cols();
  const Index stride = (size + kLanes - 1) / kLanes * kLanes;
  padded_.assign(static_cast<std::size_t>(source.width * stride), 0.0F);
  for (Index k = 0; k < source.width; ++k) std::copy_n(directions.row(k), size, padded_.data() + k * stride);
  const GradientSource unweighted{source.current, source.target, source.first, source.width};
  parallel_blocks(static_cast<Index>(rows.size()), kGradientBlock, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const RowIndex row = rows[static_cast<std::size_t>(i)];
      for (Index first = 0; first < size; first += kLanes) {
        float sum[kLanes] = {};
        for (Index k = 0; k < source.width; ++k) {
          const float gradient = unweighted(row, k);
          const float* direction = padded_.data() + k * stride + first;
          for (Index j = 0; j < kLanes; ++j) sum[j] += gradient * direction[j];
        }
        std::copy_n(sum, std::min(kLanes, size - first), sums_.row(row) + first);
      }
    }
  });
  return {&sums_, nullptr, 0, size, source.weight, source.units_per_weight};
}

}  // namespace treecca

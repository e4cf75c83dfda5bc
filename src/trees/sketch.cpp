#include "trees/sketch.hpp"

#include <algorithm>
#include <cmath>

#include "support/parallel.hpp"

namespace treecca {
Matrix<float> random_directions(Index width, Index size, const RandomKey& key) {
  const double scale = 1 / std::sqrt(static_cast<double>(size));
  Matrix<float> directions(width, size);
  for (Index i = 0; i < width * size; ++i) {
    directions.data()[i] = static_cast<float>(scale * key.normal(static_cast<std::uint64_t>(i)));
  }
  return directions;
}

GradientSketch::GradientSketch(Index rows, Index size, const Kernels& use)
    : kernels_(use), size_(size), sums_(rows, (size + kSketchLanes - 1) / kSketchLanes * kSketchLanes) {}

GradientSource GradientSketch::apply(const GradientSource& source, const Matrix<float>& directions,
                                     std::span<const RowIndex> rows, Threads threads) {
  const Index stride = sums_.cols();
  padded_.assign(static_cast<std::size_t>(source.width * stride), 0.0F);
  for (Index k = 0; k < source.width; ++k) std::copy_n(directions.row(k), size_, padded_.data() + k * stride);
  const auto n = static_cast<Index>(rows.size());
  parallel_blocks(n, kGradientBlock, threads.for_work(n * source.width), [&](Index begin, Index end) {
    kernels_.sketch(source.numbers(), padded_.data(), static_cast<int>(stride), rows.data() + begin, end - begin,
                    sums_.data());
  });
  return {&sums_, nullptr, 0, size_, source.weight, source.units_per_weight};
}

}  // namespace treecca

// What a fit puts into the model of a view besides its trees: the mean embedding and the rotation.
#pragma once

#include <vector>

#include "samples/peers.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Of an N x K embedding, over the rows of all processes; `weights`: none, or N.
inline std::vector<double> column_means(const Matrix<float>& z, const std::vector<float>& weights = {},
                                        const Peers& peers = {}) {
  std::vector<double> mean(static_cast<std::size_t>(z.cols()), 0.0);
  double count = 0;
  for (Index i = 0; i < z.rows(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    for (Index k = 0; k < z.cols(); ++k) mean[k] += weight * z(i, k);
    count += weight;
  }
  peers.sum(mean);
  count = peers.sum(count);
  for (double& value : mean) value /= count;
  return mean;
}

}  // namespace treecca

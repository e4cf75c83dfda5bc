#include "infer/ranges.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/order.hpp"
#include "support/parallel.hpp"

namespace treecca {
namespace {

constexpr double kTail = 0.025;  // on each side of a range

/// The quantile, interpolated between the two nearest values.
double quantile(std::vector<double> values, double probability) {
  std::sort(values.begin(), values.end());
  const double at = probability * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

Index usual_top(Index features) {
  return std::max<Index>(1, static_cast<Index>(std::sqrt(0.8 * static_cast<double>(features))));
}

}  // namespace

RefitRange range_of(const Matrix<double>& refits) {
  RefitRange range;
  for (Index c = 0; c < refits.cols(); ++c) {
    std::vector<double> values;
    for (Index b = 0; b < refits.rows(); ++b) values.push_back(refits(b, c));
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    range.mean.push_back(sum / static_cast<double>(values.size()));
    range.low.push_back(quantile(values, kTail));
    range.high.push_back(quantile(values, 1 - kTail));
  }
  return range;
}

FeatureStability feature_stability(Matrix<double> importance, const std::vector<const Matrix<double>*>& refits,
                                   Index n_top, Threads threads) {
  FeatureStability features;
  features.importance = std::move(importance);
  const Index k = features.importance.rows(), p = features.importance.cols();
  features.n_top = std::min(p, n_top > 0 ? n_top : usual_top(p));
  features.low = features.high = features.frequency = Matrix<double>(k, p);
  const auto count = static_cast<double>(refits.size());
  for (const Matrix<double>* refit : refits) {
    for (Index c = 0; c < k; ++c) {
      const double* values = refit->row(c);
      const std::vector<Index> order = descending_order(std::vector<double>(values, values + p));
      for (Index i = 0; i < features.n_top; ++i) {
        const Index j = order[static_cast<std::size_t>(i)];
        if (values[j] > 0) features.frequency(c, j) += 1 / count;
      }
    }
  }
  parallel_for(k * p, threads, [&](Index at) {
    std::vector<double> values;
    for (const Matrix<double>* refit : refits) values.push_back(refit->values()[static_cast<std::size_t>(at)]);
    const auto i = static_cast<std::size_t>(at);
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    const double shift = features.importance.values()[i] - mean;
    features.low.values()[i] = std::max(0.0, quantile(values, kTail) + shift);
    features.high.values()[i] = std::min(1.0, quantile(values, 1 - kTail) + shift);
  });
  return features;
}

}  // namespace treecca

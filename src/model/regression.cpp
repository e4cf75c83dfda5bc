#include <fmt/format.h>

#include <cmath>

#include "treecca/error.hpp"
#include "treecca/transform.hpp"

namespace treecca {
namespace {

/// Standard deviation of a component of a view, in the embeddings that the correlations were taken from.
double deviation_of(const Model& model, Index view, Index component) {
  if (model.parameters.rotate) return 1.0;  // the rotation scales every component so
  const Matrix<double>& variance = model.history.variance;
  const Index last = static_cast<Index>(model.rounds) - 1;
  if (last < 0 || last >= variance.rows()) return 1.0;
  return std::sqrt(variance(last, view * model.n_components() + component));
}

}  // namespace

std::vector<double> regression(const Model& model, Index from, Index to) {
  const auto m = static_cast<Index>(model.views.size());
  const Index k = model.n_components();
  if (from < 0 || from >= m || to < 0 || to >= m) {
    throw UsageError(fmt::format("The model has views 0 to {}; {} and {} were asked for.", m - 1, from, to));
  }
  std::vector<double> slopes(static_cast<std::size_t>(k), 1.0);
  for (Index c = 0; c < k && from != to; ++c) {
    const double from_deviation = deviation_of(model, from, c);
    const double correlation = model.correlations.pairwise[static_cast<std::size_t>((from * m + to) * k + c)];
    slopes[static_cast<std::size_t>(c)] =
        from_deviation > 0 ? correlation * deviation_of(model, to, c) / from_deviation : 0.0;
  }
  return slopes;
}

}  // namespace treecca

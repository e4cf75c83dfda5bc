#include "boost/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr double kMostUnits = 1 << 30;  // of all rows together: they must fit into 31 bits
constexpr double kMostPerWeight = 256;  // finer than that no tree can tell

}  // namespace

RowWeights make_weights(const std::vector<double>& given, Index n_rows, Index least) {
  if (given.empty()) return {};
  if (static_cast<Index>(given.size()) != n_rows) {
    throw DataError(fmt::format("There are {} sample weights for {} samples.", given.size(), n_rows));
  }
  Index positive = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!(given[i] >= 0) || !std::isfinite(given[i])) {
      throw DataError(
          fmt::format("The weight of sample {} is {}; weights must be finite and not negative.", i + 1, given[i]));
    }
    positive += given[i] > 0 ? 1 : 0;
  }
  if (positive == 0) throw DataError("All sample weights are zero.");
  if (positive < least) {
    throw DataError(fmt::format("Only {} samples have a positive weight; at least {} are needed.", positive, least));
  }
  if (std::all_of(given.begin(), given.end(), [&](double w) { return w == given[0]; })) return {};
  const double largest = *std::max_element(given.begin(), given.end());
  double sum = 0;  // of weights at most 1, so that huge ones cannot overflow it
  for (const double w : given) sum += w / largest;
  const auto n = static_cast<double>(n_rows);
  RowWeights weights;
  weights.per_weight = std::max(1.0, std::floor(std::min(kMostPerWeight, kMostUnits / n)));
  for (const double w : given) {
    const double value = w / largest * n / sum;
    weights.values.push_back(static_cast<float>(value));
    weights.units.push_back(static_cast<std::uint32_t>(std::lround(value * weights.per_weight)));
  }
  return weights;
}

void check_weights_in_folds(const RowWeights& weights, const Folds& folds) {
  if (weights.values.empty() || !folds.held_out) return;
  int with_weight = 0;
  for (int f = 0; f < folds.count; ++f) {
    const auto has_weight = [&](Rows i) { return weights.values[i] > 0; };
    with_weight +=
        std::any_of(folds.order.begin() + folds.begin[f], folds.order.begin() + folds.begin[f + 1], has_weight);
  }
  if (with_weight < 2) {
    throw DataError(
        "All samples with a positive weight are in one fold, so the trees that never see it have nothing to learn "
        "from. "
        "Weight samples of more groups, or set cross_fit to 0.");
  }
}

double effective_samples(const RowWeights& weights, const std::vector<std::int64_t>& groups, Index n_rows) {
  std::map<std::int64_t, double> total;
  for (Index i = 0; i < n_rows; ++i) {
    total[groups.empty() ? i : groups[i]] += weights.values.empty() ? 1.0 : weights.values[i];
  }
  double sum = 0;
  double squares = 0;
  for (const auto& [group, weight] : total) {
    sum += weight;
    squares += weight * weight;
  }
  return std::min(sum * sum / squares, static_cast<double>(n_rows));
}

}  // namespace treecca

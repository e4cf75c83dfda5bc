#include "samples/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "samples/totals.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr double kMaxUnits = 1 << 30;  // of all rows together: they must fit into 31 bits
constexpr double kMaxPerWeight = 256;  // finer than that no tree can tell

/// Number of positive weights here.
Index check_each(const std::vector<double>& given, const Shard& shard) {
  if (static_cast<Index>(given.size()) != shard.rows()) {
    throw DataError(fmt::format("There are {} sample weights for {} samples.", given.size(), shard.rows()));
  }
  Index positive = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!(given[i] >= 0) || !std::isfinite(given[i])) {
      throw DataError(fmt::format("The weight of sample {} is {}; weights must be finite and not negative.",
                                  shard.number(static_cast<Index>(i)) + 1, given[i]));
    }
    positive += given[i] > 0 ? 1 : 0;
  }
  return positive;
}

}  // namespace

RowWeights make_weights(const std::vector<double>& given, const Shard& shard, Index least) {
  const Peers& peers = shard.peers();
  if (peers.sum(static_cast<Index>(given.size())) == 0) return {};
  Index positive = 0;
  peers.agree([&] { positive = check_each(given, shard); });
  positive = peers.sum(positive);
  if (positive == 0) throw DataError("All sample weights are zero.");
  if (positive < least) {
    throw DataError(fmt::format("Only {} samples have a positive weight; at least {} are needed.", positive, least));
  }
  std::vector<double> extremes{
      0, -std::numeric_limits<double>::infinity()};  // largest, and smallest with its sign changed
  for (const double w : given) {
    extremes[0] = std::max(extremes[0], w);
    extremes[1] = std::max(extremes[1], -w);
  }
  peers.max(extremes);
  const double largest = extremes[0];
  if (largest == -extremes[1]) return {};
  double sum = 0;  // of weights at most 1, so that huge ones cannot overflow it
  for (const double w : given) sum += w / largest;
  sum = peers.sum(sum);
  const auto n = static_cast<double>(shard.total());
  RowWeights weights;
  weights.per_weight = std::max(1.0, std::floor(std::min(kMaxPerWeight, kMaxUnits / n)));
  for (const double w : given) {
    const double value = w / largest * n / sum;
    weights.values.push_back(static_cast<float>(value));
    weights.units.push_back(static_cast<std::uint32_t>(std::lround(value * weights.per_weight)));
    weights.total_units += weights.units.back();
  }
  weights.total_units = peers.sum(static_cast<Index>(weights.total_units));
  return weights;
}

void check_weights_in_folds(const RowWeights& weights, const Folds& folds) {
  if (weights.total_units == 0 || !folds.held_out) return;
  std::vector<double> has_weight(static_cast<std::size_t>(folds.count), 0.0);
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    if (weights.values[i] > 0) has_weight[static_cast<std::size_t>(folds.of_row[i])] = 1;
  }
  folds.shard.peers().max(has_weight);
  if (std::accumulate(has_weight.begin(), has_weight.end(), 0.0) < 2) {
    throw DataError(
        "All samples with a positive weight are in one fold, so the trees that never see it have nothing to learn "
        "from. "
        "Weight samples of more groups, or set cross_fit to 0.");
  }
}

double effective_samples(const RowWeights& weights, const std::vector<std::int64_t>& groups, const Shard& shard) {
  const Peers& peers = shard.peers();
  double sum = 0;
  double squares = 0;
  const auto add = [&](double weight) {
    sum += weight;
    squares += weight * weight;
  };
  const auto weight_of = [&](Index i) { return weights.values.empty() ? 1.0 : weights.values[i]; };
  if (peers.max(groups.empty() ? 0.0 : 1.0) > 0) {
    std::map<std::int64_t, double> total;
    for (Index i = 0; i < shard.rows(); ++i) total[groups[i]] += weight_of(i);
    for (const auto& [group, weight] : summed_by_key(total, peers)) add(weight);
  } else {
    for (Index i = 0; i < shard.rows(); ++i) add(weight_of(i));
    sum = peers.sum(sum);
    squares = peers.sum(squares);
  }
  return std::min(sum * sum / squares, static_cast<double>(shard.total()));
}

}  // namespace treecca

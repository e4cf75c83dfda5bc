#include "objective/correlation_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace treecca {
namespace {

constexpr std::size_t kMinRows = 30;
constexpr std::size_t kMaxGroups = 20;
constexpr std::size_t kMinRowsPerGroup = 5;

std::vector<std::size_t> ascending(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  return order;
}

/// Ranks; equal values have the mean of their ranks.
std::vector<double> ranks(const std::vector<double>& values) {
  const std::vector<std::size_t> order = ascending(values);
  std::vector<double> result(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) result[order[i]] = static_cast<double>(begin + end - 1) / 2;
  }
  return result;
}

/// Number of the group of every row.
std::vector<std::size_t> groups_of(const std::vector<double>& x) {
  const std::vector<std::size_t> order = ascending(x);
  std::size_t distinct = 1;
  for (std::size_t i = 1; i < order.size(); ++i) distinct += x[order[i]] != x[order[i - 1]] ? 1 : 0;
  const std::size_t count = std::min(kMaxGroups, x.size() / kMinRowsPerGroup);
  const std::size_t least = distinct <= kMaxGroups ? 1 : (x.size() + count - 1) / count;
  std::vector<std::size_t> group(x.size());
  std::size_t number = 0, size = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (size >= least && x[order[i]] != x[order[i - 1]]) {
      ++number;
      size = 0;
    }
    group[order[i]] = number;
    ++size;
  }
  return group;
}

}  // namespace

double correlation_ratio(std::span<const double> x, std::span<const double> y) {
  std::vector<double> own_x, own_y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    own_x.push_back(x[i]);
    own_y.push_back(y[i]);
  }
  if (own_x.size() < kMinRows) return 0;
  const std::vector<double> rank = ranks(own_y);
  const std::vector<std::size_t> group = groups_of(own_x);
  const std::size_t groups = *std::max_element(group.begin(), group.end()) + 1;
  std::vector<double> sum(groups, 0.0), count(groups, 0.0);
  const auto n = static_cast<double>(rank.size());
  const double mean = (n - 1) / 2;
  double total = 0;
  for (std::size_t i = 0; i < rank.size(); ++i) {
    const double deviation = rank[i] - mean;
    sum[group[i]] += deviation;
    count[group[i]] += 1;
    total += deviation * deviation;
  }
  if (!(total > 0)) return 0;
  double between = 0;
  for (std::size_t g = 0; g < groups; ++g) between += sum[g] * sum[g] / count[g];
  return 1 - (total - between) / total * (n - 1) / (n - static_cast<double>(groups));
}

}  // namespace treecca

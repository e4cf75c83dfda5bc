// Orders of items by a number, and random orders.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/random.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// 0 .. count - 1, the highest value_of(i) first; ties stay in order.
template <class ValueOf>
std::vector<Index> descending_order(Index count, ValueOf&& value_of) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return value_of(a) > value_of(b); });
  return order;
}

inline std::vector<Index> descending_order(const std::vector<double>& values) {
  return descending_order(static_cast<Index>(values.size()), [&](Index i) { return values[i]; });
}

/// 0 .. count - 1 in a random order drawn with the key.
template <class Number = Index>
std::vector<Number> random_order(Index count, const RandomKey& key) {
  std::vector<Number> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Number{0});
  std::sort(order.begin(), order.end(), [&](Number a, Number b) {
    const auto draw_a = key.bits(static_cast<std::uint64_t>(a)), draw_b = key.bits(static_cast<std::uint64_t>(b));
    return draw_a != draw_b ? draw_a < draw_b : a < b;
  });
  return order;
}

}  // namespace treecca

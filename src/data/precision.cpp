#include "data/precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treecca {
namespace {

constexpr double kFarFromZero = 256;
constexpr double kBlurred = 0.9;
constexpr Index kRowsLookedAt = 1000;

bool inexact(double value) { return static_cast<double>(static_cast<float>(value)) != value; }

/// Number of distinct numbers.
template <class T>
double distinct(std::vector<T>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  return static_cast<double>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

}  // namespace

std::vector<double> column_offsets(const MatrixView& values, const Peers& peers) {
  const auto p = static_cast<std::size_t>(values.cols());
  // Highest values, negated lowest values, and whether floats lose digits: the maximum over processes serves all three.
  std::vector<double> extremes(3 * p, -std::numeric_limits<double>::infinity());
  for (Index i = 0; i < values.rows(); ++i) {
    for (std::size_t j = 0; j < p; ++j) {
      const double value = values.value(i, static_cast<Index>(j));
      if (!std::isfinite(value)) continue;
      extremes[j] = std::max(extremes[j], value);
      extremes[p + j] = std::max(extremes[p + j], -value);
      if (inexact(value)) extremes[2 * p + j] = 1;
    }
  }
  peers.max(extremes);
  std::vector<double> offsets(p, 0.0);
  bool any = false;
  for (std::size_t j = 0; j < p; ++j) {
    const double high = extremes[j];
    const double low = -extremes[p + j];
    const bool varies = high > low;
    if (extremes[2 * p + j] != 1 || !varies) continue;
    if ((high - low) * kFarFromZero >= std::max(std::abs(high), std::abs(low))) continue;
    offsets[j] = low;
    any = true;
  }
  return any ? offsets : std::vector<double>{};
}

std::vector<Index> blurred_columns(const MatrixView& values, const Peers& peers) {
  const Index step = std::max<Index>(1, values.rows() / kRowsLookedAt);
  const std::vector<double>& offsets = values.offsets();
  std::vector<double> blurred(static_cast<std::size_t>(values.cols()), 0.0);
  std::vector<double> exact;
  std::vector<float> rounded;
  for (std::size_t j = 0; j < blurred.size(); ++j) {
    exact.clear();
    rounded.clear();
    bool loses = false;
    for (Index i = 0; i < values.rows(); i += step) {
      const double value = values.value(i, static_cast<Index>(j)) - (offsets.empty() ? 0.0 : offsets[j]);
      if (!std::isfinite(value)) continue;
      loses = loses || inexact(value);
      exact.push_back(value);
      rounded.push_back(static_cast<float>(value));
    }
    if (loses && distinct(rounded) <= kBlurred * distinct(exact)) blurred[j] = 1;
  }
  peers.max(blurred);
  std::vector<Index> columns;
  for (std::size_t j = 0; j < blurred.size(); ++j) {
    if (blurred[j] > 0) columns.push_back(static_cast<Index>(j));
  }
  return columns;
}

}  // namespace treecca

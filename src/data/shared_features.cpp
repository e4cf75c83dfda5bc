#include "data/shared_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/levels.hpp"
#include "support/random.hpp"
#include "support/text.hpp"

namespace treecca {
namespace {

constexpr double kRounding = 1e-6;  // of features of length 1
constexpr double kFewRows = 3;      // effective number of rows: (sum of x^2)^2 / (sum of x^4)

/// A feature, centred and scaled to length 1, projected on two random directions: equal features have equal
/// projections, different features do not.
struct Sketch {
  std::size_t view = 0;
  Index column = 0;
  double values = 0;            // values present
  double mean = 0, length = 0;  // of the original feature; a negative length: its sign is flipped
  double first = 0, second = 0;
  bool category = false;  // positions have no scale

  bool operator<(const Sketch& other) const { return first < other.first; }
  bool is_equal(const Sketch& other) const {
    if (category != other.category || (category && !has_same_values(other))) return false;
    return values == other.values && std::abs(first - other.first) <= kRounding &&
           std::abs(second - other.second) <= kRounding;
  }
  bool has_same_values(const Sketch& other) const {
    const double tolerance = kRounding * std::abs(length);
    return std::abs(length - other.length) <= tolerance && std::abs(mean - other.mean) <= tolerance;
  }
};

/// For all features of a view that vary in more than a few rows; a missing value counts as the mean.
void add_sketches(const View& view, std::size_t number, const Samples& samples, std::vector<Sketch>& sketches) {
  const auto p = static_cast<std::size_t>(view.values.cols());
  std::vector<double> sums(2 * p, 0.0);  // of values, and their number
  for (Index i = 0; i < view.values.rows(); ++i) {
    for (std::size_t j = 0; j < p; ++j) {
      const double value = view.values.value(i, static_cast<Index>(j));
      if (!std::isfinite(value)) continue;
      sums[j] += value;
      sums[p + j] += 1;
    }
  }
  samples.peers().sum(sums);
  std::vector<double> moments(4 * p, 0.0);  // squares, products with the two directions, fourth powers
  const RandomKey first(1, Draw::sketch), second(2, Draw::sketch);
  for (Index i = 0; i < view.values.rows(); ++i) {
    const auto row = static_cast<std::uint64_t>(samples.number(i));
    const double a = first.normal(row);
    const double b = second.normal(row);
    for (std::size_t j = 0; j < p; ++j) {
      const double value = view.values.value(i, static_cast<Index>(j));
      if (!std::isfinite(value)) continue;
      const double x = value - sums[j] / sums[p + j];
      moments[j] += x * x;
      moments[p + j] += a * x;
      moments[2 * p + j] += b * x;
      moments[3 * p + j] += x * x * x * x;
    }
  }
  samples.peers().sum(moments);
  for (std::size_t j = 0; j < p; ++j) {
    if (!(moments[j] * moments[j] > kFewRows * moments[3 * p + j])) continue;
    const double length = std::copysign(std::sqrt(moments[j]), moments[p + j]);
    sketches.push_back({number, static_cast<Index>(j), sums[p + j], sums[j] / sums[p + j], length,
                        moments[p + j] / length, moments[2 * p + j] / length,
                        is_category(view.levels, static_cast<Index>(j))});
  }
}

}  // namespace

std::string shared_features_warning(const Dataset& data, const std::function<bool(std::size_t, Index)>& skip) {
  if (data.views.size() < 2) return "";
  std::vector<Sketch> sketches;
  for (std::size_t v = 0; v < data.views.size(); ++v) add_sketches(data.views[v], v, data.samples, sketches);
  std::vector<Sketch> sorted = sketches;
  std::stable_sort(sorted.begin(), sorted.end());
  const Sketch* example[2] = {nullptr, nullptr};
  std::size_t count = 0;
  for (const Sketch& own : sketches) {
    Sketch from = own;
    from.first -= kRounding;
    for (auto at = std::lower_bound(sorted.begin(), sorted.end(), from);
         at != sorted.end() && at->first <= own.first + kRounding; ++at) {
      if (at->view >= own.view || !own.is_equal(*at) || skip(own.view, own.column)) continue;
      if (count++ == 0) {
        example[0] = &*at;
        example[1] = &own;
      }
      break;
    }
  }
  if (count == 0) return "";
  const auto named = [&](const Sketch& one) {
    const View& view = data.views[one.view];
    return fmt::format("eature {} of view {}", in_quotes(view.feature_names[static_cast<std::size_t>(one.column)]),
                       in_quotes(view.name));
  };
  return fmt::format(
      "F{} and f{} {}{}. Such a feature makes a correlation of 1 by itself: leave it out of one view, unless you want "
      "that.",
      named(*example[0]), named(*example[1]),
      example[0]->has_same_values(*example[1]) ? "have the same values" : "are equal except for scale and offset",
      count == 1   ? ""
      : count == 2 ? " (and one more pair)"
                   : fmt::format(" (and {} more pairs)", count - 1));
}

}  // namespace treecca

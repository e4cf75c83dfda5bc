#include "report/label_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <unordered_map>

#include "read/cell.hpp"

namespace treecca {
namespace {

constexpr std::size_t kMostClasses = 20;
constexpr std::size_t kRanges = 5;
const std::string kMissing = "missing";

/// Quantile classes, each named by its minimum and maximum. NaN is missing.
std::vector<std::string> ranges(const std::vector<double>& values) {
  std::vector<double> sorted;
  for (const double value : values) {
    if (!std::isnan(value)) sorted.push_back(value);
  }
  if (sorted.empty()) return std::vector<std::string>(values.size(), kMissing);
  std::sort(sorted.begin(), sorted.end());
  std::set<double> cuts;  // each the maximum of its class
  for (std::size_t q = 1; q < kRanges; ++q) cuts.insert(sorted[(sorted.size() - 1) * q / kRanges]);
  cuts.insert(sorted.back());
  std::map<double, std::pair<double, double>> bounds;  // by the cut: minimum and maximum
  for (const double value : sorted) {
    const auto [own, is_new] = bounds.try_emplace(*cuts.lower_bound(value), value, value);
    own->second.second = value;
  }
  std::map<double, std::string> names;
  for (int digits = 3; digits < 18; ++digits) {  // the fewest that tell the classes apart
    std::set<std::string> different;
    for (const auto& [cut, bound] : bounds) {
      names[cut] = fmt::format("{0:.{2}g} to {1:.{2}g}", bound.first, bound.second, digits);
      different.insert(names[cut]);
    }
    if (different.size() == bounds.size()) break;
  }
  std::vector<std::string> classes;
  for (const double value : values) {
    classes.push_back(std::isnan(value) ? kMissing : names.at(*cuts.lower_bound(value)));
  }
  return classes;
}

}  // namespace

std::vector<std::string> label_classes(const std::vector<std::string>& labels) {
  std::unordered_map<std::string, std::size_t> counts;
  std::vector<std::string> in_order;  // different labels, by first appearance
  for (const std::string& label : labels) {
    if (counts[label]++ == 0) in_order.push_back(label);
  }
  if (in_order.size() <= kMostClasses) return labels;
  std::vector<double> numbers;
  const bool numeric = std::all_of(labels.begin(), labels.end(), [&](const std::string& label) {
    const Cell cell = parse_cell(label);
    numbers.push_back(cell.value);
    return cell.kind == CellKind::number || cell.kind == CellKind::missing;
  });
  if (numeric) return ranges(numbers);
  std::stable_sort(in_order.begin(), in_order.end(),
                   [&](const std::string& a, const std::string& b) { return counts[a] > counts[b]; });
  const std::set<std::string> kept(in_order.begin(), in_order.begin() + (kMostClasses - 1));
  std::vector<std::string> classes;
  for (const std::string& label : labels) classes.push_back(kept.contains(label) ? label : "other");
  return classes;
}

}  // namespace treecca

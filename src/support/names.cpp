#include "support/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace treecca {

std::vector<std::string> generated_names(std::size_t count) {
  std::vector<std::string> names(count);
  for (std::size_t j = 0; j < count; ++j) names[j] = fmt::format("f{}", j);
  return names;
}

bool are_generated(const std::vector<std::string>& names) { return names == generated_names(names.size()); }

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> distance((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return distance[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({replaced, at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return at(a.size(), b.size());
}

std::string nearest_name(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t kLongest = 64;  // longer words are not typing errors
  if (word.size() > kLongest) return "";
  const int near_enough = std::max(1, static_cast<int>(word.size()) / 3);
  int best = near_enough + 1;
  std::string nearest;
  for (const std::string_view name : known) {
    if (name.size() > kLongest) continue;
    const int distance = edit_distance(word, name);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string nearest = nearest_name(word, known);
  return nearest.empty() ? "" : fmt::format(" Did you mean \"{}\"?", nearest);
}

}  // namespace treecca

#include "infer/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "treecca/stability.hpp"

namespace treecca {
namespace {

constexpr double kLevel = 0.05;

/// "component 1", "components 1 and 2", "components 1 to 4".
std::string first_components(std::size_t count) {
  if (count == 1) return "component 1";
  return fmt::format("components 1 {} {}", count == 2 ? "and" : "to", count);
}

}  // namespace

Suggestion suggest(const ComponentEvidence& evidence) {
  const std::size_t k = evidence.recovered.size();
  const bool tested = !evidence.p_values.empty();
  const auto is_real = [&](std::size_t c) { return tested ? evidence.p_values[c] <= kLevel : bool{evidence.found[c]}; };
  const auto is_stable = [&](std::size_t c) { return evidence.recovered[c] >= kStable; };
  std::size_t count = 0;
  while (count < k && is_real(count) && is_stable(count)) ++count;
  std::string reason;
  const std::string real = tested ? fmt::format("significant (p <= {})", kLevel) : "above noise";
  if (count > 0) {
    std::vector<std::string> values;
    for (std::size_t c = 0; c < count; ++c) values.push_back(fmt::format("{:.2f}", evidence.recovered[c]));
    reason = fmt::format("{} {} {}, and fits to two halves of the samples agree on {} (correlation {}; minimum {:.2f})",
                         first_components(count), count == 1 ? "is" : "are", real, count == 1 ? "it" : "them",
                         fmt::join(values, ", "), kStable);
  }
  if (count < k) {
    if (!reason.empty()) reason += "; ";
    if (!is_real(count)) {
      reason += fmt::format("component {} is not {}", count + 1,
                            tested ? fmt::format("significant (p = {:.3g})", evidence.p_values[count]) : real);
    } else {
      reason += fmt::format(
          "component {} is {}, but fits to two halves of the samples do not agree on it (correlation "
          "{:.2f}; minimum {:.2f})",
          count + 1, real, evidence.recovered[count], kStable);
    }
  }
  return {static_cast<Index>(count), fmt::format("K = {}: {}.", count, reason)};
}

}  // namespace treecca

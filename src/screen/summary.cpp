#include "screen/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "screen/choose.hpp"
#include "support/order.hpp"
#include "treecca/screen.hpp"

namespace treecca {
namespace {

constexpr std::size_t kBest = 3;  // features named per view

struct KeptCounts {
  std::size_t fewest = 0;
  std::size_t most = 0;
};

KeptCounts kept_counts(const Screening& screening) {
  const auto [fewest, most] = std::minmax_element(screening.kept.begin(), screening.kept.end(),
                                                  [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return {fewest->size(), most->size()};
}

Index significant_features(const FeatureScores& scores) {
  constexpr double kLevel = 1.0 / (1.0 + kAutoPermutations) + 1e-9;
  return std::count_if(scores.p_value.begin(), scores.p_value.end(), [](double p) { return p <= kLevel; });
}

bool looked_at(const Model& model, const ViewModel& view) {
  return is_wide(static_cast<Index>(view.feature_names.size()), static_cast<Index>(model.n_samples),
                 model.parameters.trained_components());
}

std::string count_text(const Model& model, const ViewModel& view) {
  const std::size_t p = view.feature_names.size();
  const KeptCounts counts = kept_counts(view.screening);
  if (counts.fewest < p) {
    return counts.fewest == counts.most
               ? fmt::format("{} of {} features", counts.most, p)
               : fmt::format("{} to {} of {} features, depending on the fold", counts.fewest, counts.most, p);
  }
  if (!model.parameters.screen.is_auto()) return fmt::format("all {} features: not more than requested", p);
  return significant_features(view.screening.scores) == 0
             ? fmt::format("all {} features: none is significant", p)
             : fmt::format("all {} features: the signal is spread over many of them", p);
}

std::string best_text(const Model& model, const FeatureScores& scores, const ViewModel& view) {
  std::vector<Index> order = descending_order(scores.score);
  order.resize(std::min(order.size(), kBest));
  std::vector<std::string> best;
  for (const Index j : order) {
    const auto at = static_cast<std::size_t>(j);
    if (scores.partner_view[at] < 0) continue;
    const ViewModel& other = model.views[static_cast<std::size_t>(scores.partner_view[at])];
    best.push_back(fmt::format("{} ({:.1f}, with {} of {})", view.feature_names[at], scores.score[at],
                               other.feature_names[static_cast<std::size_t>(scores.partner[at])], other.name));
  }
  return best.empty() ? "" : fmt::format("; highest score{}: {}", best.size() == 1 ? "" : "s", fmt::join(best, ", "));
}

}  // namespace

std::vector<std::string> screening_summary(const Model& model) {
  std::vector<std::string> lines;
  for (const ViewModel& view : model.views) {
    // By default, views with few features get no line.
    if (view.screening.empty() || (model.parameters.screen.is_auto() && !looked_at(model, view))) continue;
    lines.push_back(
        fmt::format("{}: {}{}", view.name, count_text(model, view), best_text(model, view.screening.scores, view)));
  }
  return lines;
}

std::vector<std::string> views_without_significant_features(const Model& model) {
  std::vector<std::string> names;
  for (const ViewModel& view : model.views) {
    if (view.screening.empty() || !model.parameters.screen.is_auto() || !looked_at(model, view)) continue;
    const bool all = kept_counts(view.screening).fewest == view.feature_names.size();
    if (all && significant_features(view.screening.scores) == 0) names.push_back(view.name);
  }
  return names;
}

}  // namespace treecca

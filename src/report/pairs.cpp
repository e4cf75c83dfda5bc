#include "report/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/text.hpp"
#include "support/text.hpp"
#include "treecca/intervals.hpp"

namespace treecca {
namespace {

constexpr std::size_t kNamedInText = 3;
constexpr std::size_t kNameWidth = 20;

}  // namespace

std::vector<ViewPair> view_pairs(std::size_t n_views, std::size_t n_components) {
  std::vector<ViewPair> pairs;
  for (std::size_t v = 0; v < n_views; ++v) {
    for (std::size_t w = v + 1; w < n_views; ++w) pairs.push_back({v, w, (v * n_views + w) * n_components});
  }
  return pairs;
}

std::vector<SharedPair> shared_pairs(const Model& model, Index component) {
  const std::vector<bool> found = model.found_pairs();
  std::vector<SharedPair> pairs;
  if (found.empty()) return pairs;
  for (const ViewPair& pair : view_pairs(model.views.size(), static_cast<std::size_t>(model.n_components()))) {
    const std::size_t at = pair.at + static_cast<std::size_t>(component);
    if (!found[at]) continue;
    pairs.push_back(
        {pair.first, pair.second, model.correlations.pairwise[at], model.correlations.pairwise_standard_errors[at]});
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const SharedPair& a, const SharedPair& b) { return a.correlation > b.correlation; });
  return pairs;
}

std::string shared_pairs_in_words(const Model& model, Index component, std::size_t most) {
  const std::vector<SharedPair> pairs = shared_pairs(model, component);
  if (pairs.empty()) return model.found()[static_cast<std::size_t>(component)] ? "only the mean of all pairs" : "none";
  const std::size_t m = model.views.size();
  if (pairs.size() == m * (m - 1) / 2) {
    return fmt::format("all pairs, {:.2f} to {:.2f}", pairs.back().correlation, pairs.front().correlation);
  }
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(most, pairs.size()); ++i) {
    words.push_back(fmt::format("{} and {} {:.2f}", shortened(model.views[pairs[i].first].name, kNameWidth),
                                shortened(model.views[pairs[i].second].name, kNameWidth), pairs[i].correlation));
  }
  std::string text = fmt::format("{}", fmt::join(words, ", "));
  if (pairs.size() > most) text += fmt::format(", and {} more", pairs.size() - most);
  return text;
}

std::string shared_pairs_text(const Model& model) {
  if (model.views.size() < 3 || model.correlations.out_of_fold.empty()) return "";
  std::string text = "Pairs of views above the noise threshold\n";
  for (Index c = 0; c < model.n_components(); ++c) {
    text += wrapped(fmt::format("cc{}: {}", c + 1, shared_pairs_in_words(model, c, kNamedInText)), 2);
  }
  return text;
}

Document intervals_document(const std::vector<Interval>& intervals) {
  std::vector<double> low, high;
  for (const Interval& interval : intervals) {
    low.push_back(interval.low);
    high.push_back(interval.high);
  }
  return Document::object().add("low", std::move(low)).add("high", std::move(high));
}

Document pairs_document(const Model& model) {
  const std::vector<bool> found = model.found_pairs();
  const std::vector<Interval> intervals = correlation_intervals(model).pairwise;
  const std::size_t m = model.views.size();
  const auto k = static_cast<std::ptrdiff_t>(model.n_components());
  std::vector<Document> pairs;
  for (std::size_t i = 0; i < m && !found.empty(); ++i) {
    for (std::size_t j = i + 1; j < m; ++j) {
      const auto begin = static_cast<std::ptrdiff_t>(i * m + j) * k;
      const auto slice = [&](const auto& values) {
        return std::vector<double>(values.begin() + begin, values.begin() + begin + k);
      };
      const std::vector<Interval> of_pair(intervals.begin() + begin, intervals.begin() + begin + k);
      pairs.push_back(Document::object()
                          .add("views", std::vector<std::string>{model.views[i].name, model.views[j].name})
                          .add("correlations", slice(model.correlations.pairwise))
                          .add("standard_errors", slice(model.correlations.pairwise_standard_errors))
                          .add("intervals", intervals_document(of_pair))
                          .add("noise_thresholds", slice(model.correlations.pairwise_noise_thresholds))
                          .add("found", Document(slice(found), Document::Type::int64)));
    }
  }
  return Document(std::move(pairs));
}

}  // namespace treecca

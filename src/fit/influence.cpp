#include "fit/influence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "support/text.hpp"

namespace treecca {
namespace {

constexpr Index kMostSamples = 5;
constexpr double kMostOfAll = 0.01;
constexpr double kShare = 0.5;  // of the covariance

/// A row's contribution to the covariance of two variates.
struct Contribution {
  double product = 0;
  Index row = 0;  // its number among all rows

  bool operator<(const Contribution& other) const {
    return product > other.product || (product == other.product && row < other.row);
  }
};

/// The largest contributions, of all processes.
std::vector<Contribution> largest(std::vector<Contribution> own, std::ptrdiff_t count, const Peers& peers) {
  const auto keep = [&](std::vector<Contribution>& rows) {
    const auto kept = std::min(count, std::ssize(rows));
    std::partial_sort(rows.begin(), rows.begin() + kept, rows.end());
    rows.resize(static_cast<std::size_t>(kept));
  };
  keep(own);
  if (peers.alone()) return own;
  std::string bytes;
  append_bytes(bytes, std::span<const Contribution>(own));
  std::vector<Contribution> all;
  for (const std::string& part : peers.gather(bytes)) {
    for (const Contribution& row : values_from<Contribution>(part)) all.push_back(row);
  }
  keep(all);
  return all;
}

struct Decisive {
  Index component = 0, first = 0, second = 0;  // first and second view
  std::vector<Index> rows = {};
  double share = 0;
};

/// `at`: the component and its two views.
Decisive decisive_rows(const FitResult& result, const Samples& samples, Decisive at) {
  const Matrix<float>& a = result.out_of_fold[static_cast<std::size_t>(at.first)];
  const Matrix<float>& b = result.out_of_fold[static_cast<std::size_t>(at.second)];
  std::vector<Contribution> rows;
  double total = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    if (!samples.has(at.first, i) || !samples.has(at.second, i)) continue;
    const double product = samples.weight(i) * static_cast<double>(a(i, at.component)) * b(i, at.component);
    rows.push_back({product, samples.number(i)});
    total += product;
  }
  total = samples.peers().sum(total);
  const auto most = std::clamp<std::ptrdiff_t>(
      static_cast<std::ptrdiff_t>(kMostOfAll * static_cast<double>(samples.total())), 1, kMostSamples);
  double sum = 0;
  std::vector<Index> together;
  for (const Contribution& row : largest(std::move(rows), most, samples.peers())) {
    sum += row.product;
    together.push_back(row.row);
    if (!(total > 0) || sum <= kShare * total) continue;
    at.rows = together;
    at.share = std::min(1.0, sum / total);
    break;  // this is the smallest set
  }
  return at;
}

}  // namespace

std::string decisive_samples(const FitResult& result, const Samples& samples) {
  const Model& model = result.model;
  const auto m = static_cast<Index>(model.views.size());
  const Index k = model.n_components();
  const std::vector<bool> found = model.found_pairs();
  if (found.empty() || result.out_of_fold.empty()) return "";
  Decisive worst;
  std::set<Index> components;  // counted from 1
  for (Index v = 0; v < m; ++v) {
    for (Index w = v + 1; w < m; ++w) {
      for (Index c = 0; c < k; ++c) {
        if (!found[static_cast<std::size_t>((v * m + w) * k + c)]) continue;
        Decisive one = decisive_rows(result, samples, {.component = c, .first = v, .second = w});
        if (!one.rows.empty()) components.insert(c + 1);
        if (one.share > worst.share) worst = std::move(one);
      }
    }
  }
  if (worst.rows.empty()) return "";
  std::vector<std::string> names;
  const bool alone = samples.peers().alone();
  for (const Index row : worst.rows) names.push_back(alone ? samples.name(row) : std::to_string(row + 1));
  if (!alone || !samples.named()) names.back() += " (counted from 1)";
  const bool one = names.size() == 1;
  std::string of_views;
  if (m > 2) {
    of_views = fmt::format(" of views {} and {}", in_quotes(model.views[static_cast<std::size_t>(worst.first)].name),
                           in_quotes(model.views[static_cast<std::size_t>(worst.second)].name));
  }
  components.erase(worst.component + 1);
  std::string others;
  if (!components.empty()) {
    others = fmt::format(" (likewise component{} {})", components.size() == 1 ? "" : "s", fmt::join(components, ", "));
  }
  return fmt::format(
      "Component {}{} depends on {}, which contribute{} {:.0f}% of its covariance{}. Check {} in all views. If the "
      "values are wrong, leave {} out; if they are right, mention this when you report the correlation.",
      worst.component + 1, of_views,
      one ? fmt::format("one sample, {}", names[0]) : fmt::format("{} samples, {}", names.size(), listed(names)),
      one ? "s" : "", 100 * worst.share, others, one ? "it" : "them", one ? "it" : "them");
}

}  // namespace treecca

// Chooses the best setting of a cross-validation and estimates its TCC without selection bias.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <set>

#include "fit/choose.hpp"
#include "fit/warnings.hpp"
#include "support/order.hpp"
#include "treecca/cv.hpp"

namespace treecca {
namespace {

std::optional<double> as_number(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool differ_only_in(const Parameters& a, const Parameters& b, std::string_view name) {
  bool others_equal = true;
  for_each_parameter([&](const Declaration& declaration, auto) {
    if (declaration.name == name) return;
    others_equal = others_equal && to_text(a, declaration.name) == to_text(b, declaration.name);
  });
  return others_equal && to_text(a, name) != to_text(b, name);
}

}  // namespace

std::size_t best_setting(const std::vector<CvResult>& results) {
  std::size_t best = 0;
  for (std::size_t s = 1; s < results.size(); ++s) {
    if (results[s].found_tcc > results[best].found_tcc) best = s;
  }
  const auto highest = std::max_element(results.begin(), results.end(),
                                        [](const CvResult& a, const CvResult& b) { return a.tcc < b.tcc; });
  // If no setting has a component above noise: the highest TCC.
  if (results[best].found_tcc == 0 && highest->tcc > 0) return static_cast<std::size_t>(highest - results.begin());
  const double enough = results[best].found_tcc - results[best].standard_error;
  const auto better = [](const CvResult& a, const CvResult& b) {
    if (a.parameters.n_components != b.parameters.n_components) {
      return a.parameters.n_components < b.parameters.n_components;
    }
    return a.found_tcc > b.found_tcc;
  };
  for (std::size_t s = 0; s < results.size(); ++s) {
    if (results[s].found_tcc >= enough && better(results[s], results[best])) best = s;
  }
  return best;
}

std::vector<Index> best_first(const std::vector<CvResult>& results) {
  const auto best = static_cast<Index>(best_setting(results));
  const bool none = std::all_of(results.begin(), results.end(), [](const CvResult& one) { return one.found == 0; });
  return descending_order(static_cast<Index>(results.size()), [&](Index i) {
    const CvResult& one = results[static_cast<std::size_t>(i)];
    return i == best ? std::numeric_limits<double>::infinity() : none ? one.tcc : one.found_tcc;
  });
}

double nested_tcc(const std::vector<CvResult>& results) {
  const CvResult& best = results[best_setting(results)];
  std::vector<FoldCovariances> plain, shipped;
  std::size_t settings = 0;
  for (const CvResult& one : results) {
    if (one.correlations.size() != best.correlations.size() || one.folds.of_row != best.folds.of_row) continue;
    ++settings;
    plain.insert(plain.end(), one.folds.plain.begin(), one.folds.plain.end());
    shipped.insert(shipped.end(), one.folds.shipped.begin(), one.folds.shipped.end());
  }
  if (settings == 1 && results.size() > 1) return std::numeric_limits<double>::quiet_NaN();
  return nested_correlations(plain, shipped, best.folds.n_views, static_cast<Index>(best.folds.of_row.size())).tcc();
}

std::vector<std::string> edge_advice(const std::vector<CvResult>& results, const std::vector<std::string>& names) {
  const CvResult& best = results[best_setting(results)];
  std::vector<std::string> sentences;
  for_each_parameter([&](const Declaration& declaration, auto) {
    const std::string name(declaration.name);
    if (std::find(names.begin(), names.end(), name) == names.end()) return;
    const std::string shown = to_text(best.given, name);
    const std::optional<double> value = as_number(shown);
    if (!value || !declaration.affects_model || name == "random_state") return;
    if (best.linear_weight == 1 && !matters_without_trees(name)) return;
    if (*value <= declaration.low || *value >= declaration.high) return;  // no value lies further out
    std::set<double> tried;
    bool matters = true;
    for (const CvResult& one : results) {
      const std::string text = to_text(one.given, name);
      if (const auto number = as_number(text)) tried.insert(*number);
      if (text != shown && differ_only_in(one.given, best.given, name) && one.correlations == best.correlations) {
        matters = false;
      }
    }
    const bool lowest = *value <= *tried.begin();
    if (!matters || tried.size() < 3 || (!lowest && *value < *tried.rbegin())) return;
    sentences.push_back(fmt::format("The best {} is the {} of the grid ({}): try {} values too.", name,
                                    lowest ? "lowest" : "highest", shown, lowest ? "lower" : "higher"));
  });
  return sentences;
}

}  // namespace treecca

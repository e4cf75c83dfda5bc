#include "data/sample_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "data/row_hashes.hpp"
#include "support/text.hpp"

namespace treecca {
namespace {

/// Fraction of the values of each row that are missing.
std::vector<double> missing_shares(const View& view) {
  std::vector<double> shares;
  for (Index i = 0; i < view.values.rows(); ++i) {
    Index missing = 0;
    for (Index j = 0; j < view.values.cols(); ++j) missing += std::isnan(view.values(i, j)) ? 1 : 0;
    shares.push_back(static_cast<double>(missing) / static_cast<double>(view.values.cols()));
  }
  return shares;
}

/// Samples without a value in any view.
void warn_of_empty_samples(const std::vector<std::vector<double>>& missing, const Samples& samples,
                           std::vector<std::string>& warnings) {
  Index own = 0;
  Index first = -1;
  for (std::size_t i = 0; i < missing[0].size(); ++i) {
    const bool empty = std::all_of(missing.begin(), missing.end(), [&](const auto& shares) { return shares[i] == 1; });
    if (empty && own++ == 0) first = static_cast<Index>(i);
  }
  const Index empty = samples.peers().sum(own);
  if (empty == 0) return;
  std::string example;
  if (samples.peers().alone()) example = fmt::format(" ({}{})", empty == 1 ? "" : "the first: ", samples.name(first));
  warnings.push_back(fmt::format("{} sample{} no value in any view{}, so nothing is learned from {}. Leave {} out.",
                                 empty, empty == 1 ? " has" : "s have", example, empty == 1 ? "it" : "them",
                                 empty == 1 ? "it" : "them"));
}

/// Correlation of the fractions of missing values in two views. Ignores samples that lack one of the views completely.
double correlation_of_gaps(const std::vector<double>& a, const std::vector<double>& b, const Peers& peers) {
  std::vector<double> sums(6, 0.0);  // a, b, a^2, b^2, a b, 1
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 1 || b[i] == 1) continue;
    sums[5] += 1;
    sums[0] += a[i];
    sums[1] += b[i];
    sums[2] += a[i] * a[i];
    sums[3] += b[i] * b[i];
    sums[4] += a[i] * b[i];
  }
  peers.sum(sums);
  const double n = std::max(1.0, sums[5]);
  const double variances = (sums[2] - sums[0] * sums[0] / n) * (sums[3] - sums[1] * sums[1] / n);
  return variances > 0 ? (sums[4] - sums[0] * sums[1] / n) / std::sqrt(variances) : 0.0;
}

void warn_of_common_gaps(const Dataset& data, const std::vector<std::vector<double>>& missing,
                         std::vector<std::string>& warnings) {
  constexpr double kNotable = 0.3;
  constexpr double kSure = 5;  // standard errors
  for (std::size_t v = 0; v < data.views.size(); ++v) {
    for (std::size_t w = v + 1; w < data.views.size(); ++w) {
      const double r = correlation_of_gaps(missing[v], missing[w], data.samples.peers());
      if (r < kNotable || r * std::sqrt(static_cast<double>(data.samples.total())) < kSure) continue;
      warnings.push_back(fmt::format(
          "Samples that lack values in view {} lack them in view {} too (correlation {:.2f}). Trees see which values "
          "are missing, so this alone makes the views correlate. Leave these samples out, or fill the gaps.",
          in_quotes(data.views[v].name), in_quotes(data.views[w].name), r));
      return;
    }
  }
}

/// Whether any feature has many different values. Otherwise rows are equal by chance.
bool is_measured(const Dataset& data) {
  constexpr std::size_t kCategories = 20;
  for (const View& view : data.views) {
    const auto enough = std::max(kCategories, static_cast<std::size_t>(view.values.rows() / 10));
    for (Index j = 0; j < view.values.cols(); ++j) {
      std::unordered_set<float> different;
      for (Index i = 0; i < view.values.rows(); ++i) {
        different.insert(view.values(i, j));
        if (different.size() > enough) return true;
      }
    }
  }
  return false;
}

void warn_of_repeated_samples(const Dataset& data, const std::vector<std::vector<double>>& missing,
                              std::vector<std::string>& warnings) {
  constexpr double kNotable = 0.02;  // of the samples
  const Samples& samples = data.samples;
  std::unordered_map<std::uint64_t, Index> first;  // row with this hash
  const std::vector<std::uint64_t> hashes = row_hashes(matrices_of(data.views), 1);
  Index repeated = 0;
  std::string example;
  const auto is_empty = [&](Index i) {
    return std::all_of(missing.begin(), missing.end(),
                       [&](const std::vector<double>& shares) { return shares[static_cast<std::size_t>(i)] == 1; });
  };
  for (Index i = 0; i < samples.here(); ++i) {
    if (is_empty(i)) continue;  // reported separately
    const auto [known, is_new] = first.emplace(hashes[static_cast<std::size_t>(i)], i);
    const auto group = [&](Index row) { return samples.groups()[static_cast<std::size_t>(row)]; };
    if (is_new || (samples.grouped() && group(i) == group(known->second))) continue;
    if (repeated++ == 0) example = fmt::format("{} and {}", samples.name(known->second), samples.name(i));
  }
  if (static_cast<double>(repeated) < kNotable * static_cast<double>(samples.here()) || repeated == 0) return;
  if (!is_measured(data)) return;
  warnings.push_back(fmt::format(
      "{} of {} samples have the same values as another sample in all views{} (such as {}). A fit that has seen one "
      "copy knows the other, so correlations are too high. Keep one copy of each, or give all copies the same group.",
      repeated, samples.here(), samples.grouped() ? " and are in another group" : "", example));
}

/// A sample id in two parts: the donor, and the label of the donor's sample.
struct CutId {
  std::string_view stem, label;
};

/// "P020_rep1": split after the last mark; "T-P020": at the first one; "P020b": before a final letter. Empty if it
/// cannot be split.
enum class Cut { after_last_mark, at_first_mark, before_letter };

CutId cut_id(std::string_view id, Cut how) {
  constexpr std::string_view kMarks = "_-. ";
  if (how == Cut::before_letter) {
    const bool lettered = id.size() > 1 && std::isalpha(static_cast<unsigned char>(id.back())) &&
                          std::isdigit(static_cast<unsigned char>(id[id.size() - 2]));
    return lettered ? CutId{id.substr(0, id.size() - 1), id.substr(id.size() - 1)} : CutId{};
  }
  const bool first = how == Cut::at_first_mark;
  const std::size_t at = first ? id.find_first_of(kMarks) : id.find_last_of(kMarks);
  if (at == std::string_view::npos || at == 0 || at + 1 == id.size()) return {};
  const CutId cut{id.substr(0, at), id.substr(at + 1)};
  return first ? CutId{cut.label, cut.stem} : cut;
}

/// Two samples of one donor, if ids look like several samples for each of many donors. Nearly all ids can then be
/// split, most donors have two to six samples, and all have the same few labels.
std::optional<std::pair<Index, Index>> samples_of_one_stem(const std::vector<std::string>& ids, Cut how) {
  constexpr std::size_t kMaxPerStem = 6;
  std::map<std::string_view, std::vector<Index>> rows_of_stem;
  std::set<std::string_view> labels;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const CutId cut = cut_id(ids[i], how);
    if (cut.stem.empty()) continue;
    rows_of_stem[cut.stem].push_back(static_cast<Index>(i));
    labels.insert(cut.label);
  }
  std::size_t together = 0;
  std::optional<std::pair<Index, Index>> example;
  for (const auto& [stem, rows] : rows_of_stem) {
    if (rows.size() > kMaxPerStem) return std::nullopt;
    if (rows.size() < 2) continue;
    together += rows.size();
    if (!example) example = {rows[0], rows[1]};
  }
  const bool most = 2 * together >= ids.size();
  return most && labels.size() <= kMaxPerStem ? example : std::nullopt;
}

void warn_of_replicates(const Samples& samples, std::vector<std::string>& warnings) {
  if (samples.grouped() || !samples.named() || !samples.peers().alone()) return;
  for (const Cut how : {Cut::after_last_mark, Cut::at_first_mark, Cut::before_letter}) {
    const auto example = samples_of_one_stem(samples.names(), how);
    if (!example) continue;
    warnings.push_back(
        fmt::format("Several samples share most of their id, such as {} and {}. If they come from the same donor "
                    "(replicates, visits, "
                    "tissues), give the donors as groups; else correlations are too high.",
                    samples.name(example->first), samples.name(example->second)));
    return;
  }
}

}  // namespace

std::vector<std::string> sample_warnings(const Dataset& data) {
  std::vector<std::string> warnings;
  std::vector<std::vector<double>> missing;
  for (const View& view : data.views) missing.push_back(missing_shares(view));
  warn_of_empty_samples(missing, data.samples, warnings);
  warn_of_common_gaps(data, missing, warnings);
  warn_of_replicates(data.samples, warnings);
  if (data.samples.peers().alone()) warn_of_repeated_samples(data, missing, warnings);
  return warnings;
}

}  // namespace treecca

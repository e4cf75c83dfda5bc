#include "fit/same_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "data/levels.hpp"
#include "objective/correlation_ratio.hpp"
#include "support/random.hpp"
#include "support/text.hpp"

namespace treecca {
namespace {

constexpr double kHighCorrelation = 0.9;
constexpr double kDetermined = 0.9;  // of the variance of ranks, both ways: a copy with up to 20% of noise
constexpr double kCopy = 1 - 1e-9;   // squared correlation of features that differ only by scale and offset
constexpr double kFunction = 0.7;    // of the variance of ranks; at most 0.55 in the tables of benchmarks/splits.py
constexpr Index kMaxRows = 500;
constexpr std::size_t kMinCommon = 5;     // rows with a value
constexpr std::size_t kMinDifferent = 5;  // distinct values of a feature

/// At most kMaxRows rows, evenly spaced.
std::vector<Index> some_rows(Index rows) {
  const Index count = std::min(rows, kMaxRows);
  std::vector<Index> result;
  for (Index i = 0; i < count; ++i) result.push_back(i * rows / count);
  return result;
}

std::vector<double> column_of(const Matrix<float>& z, Index component, const std::vector<Index>& rows) {
  std::vector<double> values;
  for (const Index i : rows) values.push_back(z(i, component));
  return values;
}

std::vector<double> feature_of(const View& view, Index feature, const std::vector<Index>& rows) {
  std::vector<double> values;
  for (const Index i : rows) values.push_back(view.values.value(i, feature));
  return values;
}

/// The feature that determines a variate best.
Index leading_feature(const View& view, const std::vector<double>& variate, const std::vector<Index>& rows) {
  Index best = 0;
  double most = -1;
  for (Index j = 0; j < view.values.cols(); ++j) {
    const double ratio = correlation_ratio(feature_of(view, j, rows), variate);
    if (ratio <= most) continue;
    most = ratio;
    best = j;
  }
  return best;
}

/// Whether two features are equal up to scale and offset, missing values included.
bool differ_by_scale_alone(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isfinite(x[i]) != std::isfinite(y[i])) return false;
    if (!std::isfinite(x[i])) continue;
    n += 1;
    sx += x[i];
    sy += y[i];
  }
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i] + y[i])) continue;
    xx += (x[i] - sx / n) * (x[i] - sx / n);
    yy += (y[i] - sy / n) * (y[i] - sy / n);
    xy += (x[i] - sx / n) * (y[i] - sy / n);
  }
  return xy * xy >= kCopy * xx * yy;
}

std::string named(const View& view, Index feature) {
  return fmt::format("eature {} of view {}", in_quotes(view.feature_names[static_cast<std::size_t>(feature)]),
                     in_quotes(view.name));
}

/// A frequent value of a feature, or the frequent lack of one.
struct CommonValue {
  std::size_t view = 0;
  Index feature = 0;
  double value = 0;       // NaN: missing
  std::size_t count = 0;  // number of rows with it
};

/// The common values of all features, by a hash of the rows that have them. Features with few distinct values count as
/// classes and are left out.
std::map<std::uint64_t, std::vector<CommonValue>> common_values(const std::vector<View>& views,
                                                                const std::vector<Index>& rows) {
  std::map<std::uint64_t, std::vector<CommonValue>> by_rows;
  for (std::size_t v = 0; v < views.size(); ++v) {
    for (Index j = 0; j < views[v].values.cols(); ++j) {
      if (is_category(views[v].levels, j)) continue;  // classes cannot mean missing
      const std::vector<double> values = feature_of(views[v], j, rows);
      std::map<double, std::pair<std::size_t, std::uint64_t>> counted;  // rows with the value, their hash
      std::pair<std::size_t, std::uint64_t> missing{0, 0};
      for (std::size_t i = 0; i < values.size(); ++i) {
        auto& [count, hash] = std::isnan(values[i]) ? missing : counted[values[i]];
        ++count;
        hash += mix_bits(i + 1);
      }
      const auto add = [&](double value, const std::pair<std::size_t, std::uint64_t>& own) {
        if (own.first < kMinCommon || 2 * own.first > values.size()) return;
        by_rows[own.second].push_back({v, j, value, own.first});
      };
      if (counted.size() < kMinDifferent) continue;
      for (const auto& [value, own] : counted) add(value, own);
      add(std::nan(""), missing);
    }
  }
  return by_rows;
}

}  // namespace

std::string near_copies(const FitResult& result, const Dataset& data) {
  const std::vector<bool> found = result.model.found_pairs();
  if (found.empty() || result.out_of_fold.empty() || !data.samples.peers().alone()) return "";
  const std::vector<Index> rows = some_rows(data.samples.here());
  const auto m = static_cast<Index>(data.views.size());
  const Index k = result.model.n_components();
  for (Index c = 0; c < k; ++c) {
    std::vector<Index> leading(data.views.size(), -1);  // computed when needed
    const auto leading_of = [&](Index v) {
      Index& feature = leading[static_cast<std::size_t>(v)];
      if (feature < 0) {
        feature = leading_feature(data.views[static_cast<std::size_t>(v)],
                                  column_of(result.out_of_fold[static_cast<std::size_t>(v)], c, rows), rows);
      }
      return feature;
    };
    for (Index v = 0; v < m; ++v) {
      for (Index w = v + 1; w < m; ++w) {
        const auto at = static_cast<std::size_t>((v * m + w) * k + c);
        if (!found[at] || result.model.correlations.pairwise[at] <= kHighCorrelation) continue;
        const View& a = data.views[static_cast<std::size_t>(v)];
        const View& b = data.views[static_cast<std::size_t>(w)];
        const std::vector<double> x = feature_of(a, leading_of(v), rows);
        const std::vector<double> y = feature_of(b, leading_of(w), rows);
        if (differ_by_scale_alone(x, y)) continue;
        if (std::min(correlation_ratio(x, y), correlation_ratio(y, x)) < kDetermined) continue;
        return fmt::format(
            "F{} and f{} nearly determine each other, and component {} rests on them. If they are one measurement "
            "(rounded, recoded, in other units), leave one out: together they make this correlation by themselves.",
            named(a, leading_of(v)), named(b, leading_of(w)), c + 1);
      }
    }
  }
  return "";
}

std::string dependent_components(const FitResult& result, const Samples& samples) {
  const std::vector<bool> found = result.model.found();
  if (result.out_of_fold.empty() || !samples.peers().alone()) return "";
  const std::vector<Index> rows = some_rows(samples.here());
  std::vector<std::string> pairs;
  constexpr Index kMaxComponents = 10;  // only the leading ones matter
  const Index k = std::min(static_cast<Index>(found.size()), kMaxComponents);
  for (Index later = 1; later < k; ++later) {
    if (!found[static_cast<std::size_t>(later)]) continue;
    Index source = -1;
    double most = kFunction;
    for (Index earlier = 0; earlier < later; ++earlier) {
      double least = 1;
      for (const Matrix<float>& z : result.out_of_fold) {
        least = std::min(least, correlation_ratio(column_of(z, earlier, rows), column_of(z, later, rows)));
      }
      if (least <= most) continue;
      most = least;
      source = earlier;
    }
    if (source < 0) continue;
    pairs.push_back(
        fmt::format("component {} of component {} ({:.0f}% of its variance)", later + 1, source + 1, 100 * most));
  }
  if (pairs.empty()) return "";
  return fmt::format(
      "Some components are nearly functions of earlier ones: {}. They describe the same shared variable, for example "
      "its level and its square: do not count them as separate findings.",
      listed(pairs));
}

std::string shared_placeholders(const FitResult& result, const Dataset& data) {
  const std::vector<bool> found = result.model.found();
  if (std::find(found.begin(), found.end(), true) == found.end() || !data.samples.peers().alone()) return "";
  const std::vector<Index> rows = some_rows(data.samples.here());
  const auto in_words = [](const CommonValue& one) {
    return std::isnan(one.value) ? std::string("lack a value") : fmt::format("have {:.6g}", one.value);
  };
  for (const auto& [hash, values] : common_values(data.views, rows)) {
    const CommonValue& a = values.front();
    const auto other = std::find_if(values.begin(), values.end(), [&](const CommonValue& b) {
      if (b.view == a.view || (std::isnan(a.value) && std::isnan(b.value)))
        return false;  // gaps: see
                       // data/sample_warnings
      const std::vector<double> x = feature_of(data.views[a.view], a.feature, rows);
      const std::vector<double> y = feature_of(data.views[b.view], b.feature, rows);
      return !differ_by_scale_alone(x, y) && std::min(correlation_ratio(x, y), correlation_ratio(y, x)) < kDetermined;
    });
    if (other == values.end()) continue;
    return fmt::format(
        "The {} samples that {} in f{} {} in f{}. If this means missing in both, mark it (command line: --na) and "
        "leave these samples out: gaps in the same samples make a correlation by themselves.",
        a.count, in_words(a), named(data.views[a.view], a.feature), in_words(*other),
        named(data.views[other->view], other->feature));
  }
  return "";
}

}  // namespace treecca

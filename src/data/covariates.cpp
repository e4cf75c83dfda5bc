#include "data/covariates.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "linalg/decompose.hpp"
#include "linalg/row_products.hpp"
#include "support/levels.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr std::size_t kMaxKnotsAtValues = 10;
// Minimum number of samples at a knot, or beyond an outer knot. Fewer samples may all be in one fold. The spline fitted
// to the other folds would then extrapolate, and the same large error in both views would look like a correlation.
constexpr std::size_t kSamplesPerKnot = 5;
constexpr double kMinOuterQuantile = 0.025, kMaxOuterQuantile = 0.1;
constexpr std::array kInnerQuantiles = {0.1, 0.3, 0.5, 0.7, 0.9};
constexpr std::array kFewInnerQuantiles = {0.25, 0.5, 0.75};
constexpr std::size_t kFewValues = 100;
// The spline is linear beyond its outer knots, over this fraction of the distance between them, then constant.
constexpr double kTail = 3;
constexpr double kSamplesPerColumn = 4;
constexpr double kMaxValue = 1e15;

/// Position and number of the columns of one term.
struct TermColumns {
  Index first = 0, count = 0;
  Index in_products = 0;  // how many of them, from the first on, a product with another term has
};

std::size_t place_of(const std::vector<CovariateTerm>& terms, const std::string& name) {
  const auto found = std::find_if(terms.begin(), terms.end(), [&](const CovariateTerm& t) { return t.name == name; });
  return static_cast<std::size_t>(found - terms.begin());
}

std::vector<TermColumns> layout_of(const std::vector<CovariateTerm>& terms) {
  std::vector<TermColumns> layout;
  Index first = 0;
  for (const CovariateTerm& term : terms) {
    Index count = std::max<Index>(0, static_cast<Index>(std::max(term.knots.size(), term.levels.size())) - 1);
    if (const std::optional<Factors> factors = factors_of(term)) {
      const std::size_t a = place_of(terms, factors->first), b = place_of(terms, factors->second);
      count = std::max(a, b) < layout.size() ? layout[a].in_products * layout[b].in_products : 0;
    }
    layout.push_back({first, count, term.knots.empty() ? count : std::min<Index>(count, 1)});
    first += count;
  }
  return layout;
}

/// Values that at least kSamplesPerKnot samples have. `values`: ascending.
std::vector<double> frequent_values(const std::vector<double>& values) {
  std::vector<double> frequent;
  for (auto first = values.begin(); first != values.end();) {
    const auto last = std::upper_bound(first, values.end(), *first);
    if (static_cast<std::size_t>(last - first) >= kSamplesPerKnot) frequent.push_back(*first);
    first = last;
  }
  return frequent;
}

std::vector<double> knots_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::vector<double> different = values;
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (different.size() <= 2) return different;
  if (different.size() <= kMaxKnotsAtValues) {
    if (const std::vector<double> frequent = frequent_values(values); frequent.size() >= 2) return frequent;
  }
  std::vector<double> knots;
  const auto steps = static_cast<double>(values.size() - 1);
  const auto add = [&](double quantile) { knots.push_back(values[static_cast<std::size_t>(quantile * steps + 0.5)]); };
  const double outer = std::clamp((kSamplesPerKnot - 1) / steps, kMinOuterQuantile, kMaxOuterQuantile);
  add(outer);
  if (values.size() < kFewValues) {
    std::for_each(kFewInnerQuantiles.begin(), kFewInnerQuantiles.end(), add);
  } else {
    std::for_each(kInnerQuantiles.begin(), kInnerQuantiles.end(), add);
  }
  add(1 - outer);
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  if (knots.size() >= 2) return knots;
  // Nearly all samples have one value. The knots are this value and its neighbour, so that the column separates the
  // other samples.
  const auto usual = std::lower_bound(different.begin(), different.end(), knots[0]);
  const auto neighbour = usual + 1 == different.end() ? usual - 1 : usual + 1;
  return {std::min(*usual, *neighbour), std::max(*usual, *neighbour)};
}

/// Values beyond a limit count as the limit.
struct CovariateLimits {
  double low, high;
};

CovariateLimits limits_of(const std::vector<double>& knots) {
  const double tail = kTail * (knots.back() - knots.front());
  return {knots.front() - tail, knots.back() + tail};
}

double cube_above(double x) { return x > 0 ? x * x * x : 0; }

/// Harrell's form of the natural cubic spline, in the units of x. Values beyond a limit count as the limit.
void write_spline(double x, const std::vector<double>& knots, double* out) {
  const CovariateLimits limits = limits_of(knots);
  x = std::clamp(x, limits.low, limits.high);
  out[0] = x;
  const std::size_t m = knots.size();
  if (m < 3) return;
  const double last = knots[m - 1], before = knots[m - 2];
  const double scale = (last - knots[0]) * (last - knots[0]);
  for (std::size_t j = 0; j + 2 < m; ++j) {
    out[j + 1] = (cube_above(x - knots[j]) - cube_above(x - before) * (last - knots[j]) / (last - before) +
                  cube_above(x - last) * (before - knots[j]) / (last - before)) /
                 scale;
  }
}

[[noreturn]] void refuse(const Covariate& covariate, const std::string& what) {
  throw DataError(fmt::format("Covariate {}: {}", in_quotes(covariate.name), what));
}

/// `name`: what messages call a row.
template <class Name>
void check_values(const Covariate& covariate, Index rows, const Name& name) {
  if (static_cast<Index>(covariate.values.size()) != rows) {
    refuse(covariate, fmt::format("it has {} values for {} samples.", covariate.values.size(), rows));
  }
  for (Index i = 0; i < rows; ++i) {
    const double value = covariate.values[static_cast<std::size_t>(i)];
    if (!std::isfinite(value)) {
      refuse(covariate, std::isnan(value)
                            ? fmt::format("sample {} has no value. Fill it in, or leave the sample out.", name(i))
                            : fmt::format("sample {} has an infinite value.", name(i)));
    }
    if (std::abs(value) > kMaxValue) {
      refuse(covariate,
             fmt::format("sample {} has the value {}; at most {:g} can be used. Check it.", name(i), value, kMaxValue));
    }
    const auto levels = static_cast<double>(covariate.levels.size());
    if (levels > 0 && (value < 0 || value >= levels || value != std::floor(value))) {
      refuse(covariate, fmt::format("sample {} has the level {}; there are {} levels.", name(i), value, levels));
    }
  }
}

CovariateTerm term_of(const Covariate& covariate) {
  CovariateTerm term{covariate.name, {}, {}};
  if (covariate.levels.empty()) {
    term.knots = knots_of(covariate.values);
  } else {
    const std::set<double> used(covariate.values.begin(), covariate.values.end());
    for (const double level : used) term.levels.push_back(covariate.levels[static_cast<std::size_t>(level)]);
    std::sort(term.levels.begin(), term.levels.end());
    if (std::adjacent_find(term.levels.begin(), term.levels.end()) != term.levels.end()) {
      refuse(covariate, "two of its levels have the same name.");
    }
  }
  if (layout_of({term})[0].count < 1) refuse(covariate, "all samples have the same value. Leave it out.");
  return term;
}

/// The sentence about values beyond the limits; empty if there are none.
std::string far_values(const Covariate& covariate, const std::vector<double>& knots, const Samples& samples) {
  const CovariateLimits limits = limits_of(knots);
  Index count = 0, farthest = 0;
  double distance = 0;
  for (Index i = 0; i < samples.here(); ++i) {
    const double value = covariate.values[static_cast<std::size_t>(i)];
    const double beyond = std::max(limits.low - value, value - limits.high);
    if (beyond <= 0) continue;
    ++count;
    if (beyond > distance) farthest = i, distance = beyond;
  }
  if (count == 0) return "";
  const double value = covariate.values[static_cast<std::size_t>(farthest)];
  return fmt::format(
      "Covariate {}: {} value{} far from the others; the farthest is {} in sample {}. Such values count as {:.4g}. "
      "Check "
      "them; if they are right, the logarithm of the covariate may fit better.",
      in_quotes(covariate.name), count, count == 1 ? " is" : "s are", value, samples.name(farthest),
      value > limits.high ? limits.high : limits.low);
}

/// Fills mean, combination and columns. The columns of a spline are nearly collinear if one value is far out: products
/// in single precision (linear/linear_views.hpp) would lose their differences.
void orthonormalise(Matrix<double> raw, const Samples& samples, CovariateBasis& basis) {
  constexpr double kTolerance = 1e-9;  // of the largest eigenvalue of the columns' correlations
  const Index rows = raw.rows(), width = raw.cols();
  const auto n = static_cast<double>(rows);  // weights have mean 1
  Eigen::VectorXd deviation(width);
  for (Index j = 0; j < width; ++j) {
    double mean = 0, square = 0;
    for (Index i = 0; i < rows; ++i) mean += samples.weight(i) * raw(i, j) / n;
    for (Index i = 0; i < rows; ++i) {
      raw(i, j) -= mean;
      square += samples.weight(i) * raw(i, j) * raw(i, j) / n;
    }
    deviation(j) = square > 0 ? std::sqrt(square) : 1.0;
    for (Index i = 0; i < rows; ++i) raw(i, j) /= deviation(j);
    basis.mean.push_back(mean);
  }
  Eigen::MatrixXd correlations = Eigen::MatrixXd::Zero(width, width);
  for (Index i = 0; i < rows; ++i) {
    const Eigen::Map<const Eigen::VectorXd> row(raw.row(i), width);
    correlations += samples.weight(i) / n * row * row.transpose();
  }
  const Spectrum spectrum = positive_spectrum(correlations, kTolerance);
  const Eigen::MatrixXd scaled = spectrum.vectors * spectrum.values.cwiseSqrt().cwiseInverse().asDiagonal();
  basis.columns = times(raw, scaled);
  basis.combination = Matrix<double>(width, scaled.cols());
  for (Index j = 0; j < width; ++j) {
    for (Index c = 0; c < scaled.cols(); ++c) basis.combination(j, c) = scaled(j, c) / deviation(j);
  }
}

/// Writes the products of the columns of two terms, from column `first` on.
void write_products(const TermColumns& a, const TermColumns& b, Index first, Matrix<double>& columns) {
  for (Index i = 0; i < columns.rows(); ++i) {
    double* row = columns.row(i);
    for (Index j = 0; j < a.in_products; ++j) {
      for (Index k = 0; k < b.in_products; ++k)
        row[first + j * b.in_products + k] = row[a.first + j] * row[b.first + k];
    }
  }
}

/// Writes the columns of one term, from column `first` on.
void write_columns(const CovariateTerm& term, const Covariate& covariate, Index first, Matrix<double>& columns) {
  std::vector<Index> level_number;  // position of each given level in the term; -1: unknown
  for (const std::string& level : covariate.levels) {
    const auto found = std::find(term.levels.begin(), term.levels.end(), level);
    level_number.push_back(found == term.levels.end() ? -1 : found - term.levels.begin());
  }
  for (Index i = 0; i < columns.rows(); ++i) {
    const double value = covariate.values[static_cast<std::size_t>(i)];
    if (term.levels.empty()) {
      write_spline(value, term.knots, columns.row(i) + first);
      continue;
    }
    const Index level = level_number[static_cast<std::size_t>(value)];
    if (level < 0) {
      refuse(covariate,
             fmt::format("the model does not know the class {}; it was fitted with {}. Leave such samples "
                         "out, or fit with some of them.",
                         in_quotes(covariate.levels[static_cast<std::size_t>(value)]), fmt::join(term.levels, ", ")));
    }
    if (level > 0) columns(i, first + level - 1) = 1;
  }
}

/// If the samples cannot determine this number of columns: the numbers, as part of a sentence; else empty.
std::string too_many_effects(Index columns, const Samples& samples) {
  if (static_cast<double>(columns) * kSamplesPerColumn <= static_cast<double>(samples.independent())) return "";
  return fmt::format("{} effects to estimate, too many for {} independent {}", columns, samples.independent(),
                     samples.grouped() ? "groups" : "samples");
}

}  // namespace

CovariateBasis covariate_basis(const std::vector<Covariate>& given, const Samples& samples) {
  CovariateBasis basis;
  if (given.empty()) return basis;
  if (!samples.peers().alone()) {
    throw UsageError("Covariates cannot be used over several processes. Fit a sample of the rows in one process.");
  }
  std::set<std::string> names;
  for (const Covariate& covariate : given) {
    if (covariate.name.empty() || !names.insert(covariate.name).second) {
      throw DataError(
          fmt::format("Every covariate needs its own name; {} is empty or used twice.", in_quotes(covariate.name)));
    }
    if (covariate.values.empty() && factors_of({covariate.name, {}, {}})) continue;
    check_values(covariate, samples.here(), [&](Index i) { return samples.name(i); });
    basis.terms.push_back(term_of(covariate));
    if (covariate.levels.empty()) {
      std::string far = far_values(covariate, basis.terms.back().knots, samples);
      if (!far.empty()) basis.warnings.push_back(std::move(far));
    }
  }
  const std::size_t n_single = basis.terms.size();
  for (const Covariate& covariate : given) {
    const std::optional<Factors> factors = factors_of({covariate.name, {}, {}});
    if (!covariate.values.empty() || !factors) continue;
    for (const std::string& name : {factors->first, factors->second}) {
      if (place_of(basis.terms, name) < n_single) continue;
      refuse(covariate, fmt::format("there is no covariate {}. A product needs both of its factors.", in_quotes(name)));
    }
    basis.terms.push_back({covariate.name, {}, {}});
  }
  for (std::size_t t = 0; const TermColumns& own : layout_of(basis.terms)) {
    if (const std::string excess = too_many_effects(own.count, samples); !excess.empty()) {
      refuse({basis.terms[t].name, {}}, fmt::format("it has {}. Join classes, or leave it out.", excess));
    }
    ++t;
  }
  const Index width = number_of_columns(basis.terms);
  if (const std::string excess = too_many_effects(width, samples); !excess.empty()) {
    throw DataError(fmt::format("The covariates have {}. Use fewer covariates, or join classes.", excess));
  }
  orthonormalise(covariate_columns(basis.terms, given, samples.here()), samples, basis);
  return basis;
}

Matrix<double> covariate_columns(const std::vector<CovariateTerm>& terms, const std::vector<Covariate>& given,
                                 Index rows) {
  if (terms.empty() && !given.empty()) {
    throw UsageError("The model was fitted without covariates. Leave them out, or fit a model with them.");
  }
  Matrix<double> columns(rows, number_of_columns(terms));
  const std::vector<TermColumns> layout = layout_of(terms);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const CovariateTerm& term = terms[t];
    const Index first = layout[t].first;
    if (const std::optional<Factors> factors = factors_of(term)) {
      write_products(layout[place_of(terms, factors->first)], layout[place_of(terms, factors->second)], first, columns);
      continue;
    }
    const auto found =
        std::find_if(given.begin(), given.end(), [&](const Covariate& c) { return c.name == term.name; });
    if (found == given.end()) {
      throw UsageError(fmt::format("The model was fitted with covariates ({}), and {} is not given. Give all of them.",
                                   names_of(terms), in_quotes(term.name)));
    }
    if (!found->levels.empty() && term.levels.empty()) refuse(*found, "it is a number in the model, but text here.");
    check_values(*found, rows, [](Index i) { return std::to_string(i + 1); });
    Covariate covariate = *found;
    if (!term.levels.empty() && covariate.levels.empty()) {
      covariate.values = positions_of_numbers(covariate.values, covariate.levels);
    }
    write_columns(term, covariate, first, columns);
  }
  return columns;
}

Index number_of_columns(const std::vector<CovariateTerm>& terms) {
  if (terms.empty()) return 0;
  const TermColumns last = layout_of(terms).back();
  return last.first + last.count;
}

std::optional<Factors> factors_of(const CovariateTerm& term) {
  if (!term.knots.empty() || !term.levels.empty()) return std::nullopt;
  const std::size_t star = term.name.find('*');
  if (star == std::string::npos || star == 0 || star + 1 == term.name.size()) return std::nullopt;
  return Factors{term.name.substr(0, star), term.name.substr(star + 1)};
}

std::string names_of(const std::vector<CovariateTerm>& terms) {
  std::vector<std::string> names;
  for (const CovariateTerm& term : terms) names.push_back(term.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace treecca

#include "infer/half_samples.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include "data/covariates.hpp"
#include "data/levels.hpp"
#include "support/random.hpp"

namespace treecca {
namespace {

template <class T>
std::vector<T> entries(const std::vector<T>& all, const std::vector<Index>& rows) {
  std::vector<T> some;
  if (all.empty()) return some;
  for (const Index row : rows) some.push_back(all[static_cast<std::size_t>(row)]);
  return some;
}

void to_levels_of(const ViewModel& known, Levels& levels, Matrix<double>& values) {
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (levels[j].empty()) continue;
    const std::vector<std::string> none;
    const LevelMatch match = match_levels(levels[j], known.levels.empty() ? none : known.levels[j]);
    for (Index i = 0; i < values.rows(); ++i) {
      double& value = values(i, static_cast<Index>(j));
      if (!std::isnan(value)) value = match.position[static_cast<std::size_t>(value)];
    }
  }
  levels = known.levels;
}

bool is_constant(const Covariate& covariate) {
  return std::adjacent_find(covariate.values.begin(), covariate.values.end(), std::not_equal_to<>()) ==
         covariate.values.end();
}

/// Removes covariates that have only one value, and their products. `known`: the terms to keep instead, if given.
void leave_out_constant(std::vector<Covariate>& covariates, const Model* known) {
  std::set<std::string> kept;
  for (const Covariate& covariate : covariates) {
    if (known == nullptr && !covariate.values.empty() && !is_constant(covariate)) kept.insert(covariate.name);
  }
  for (const Covariate& covariate : covariates) {
    if (known != nullptr || !covariate.values.empty()) continue;
    const std::optional<Factors> factors = factors_of({covariate.name, {}, {}});
    if (!factors || (kept.contains(factors->first) && kept.contains(factors->second))) kept.insert(covariate.name);
  }
  if (known != nullptr) {
    for (const CovariateTerm& term : known->covariates) kept.insert(term.name);
  }
  std::erase_if(covariates, [&](const Covariate& covariate) { return !kept.contains(covariate.name); });
}

}  // namespace

std::vector<Index> adjustable_rows(const SampleOptions& options, const std::vector<Index>& rows,
                                   const std::vector<Index>& seen) {
  std::vector<Index> adjustable = rows;
  for (const Covariate& covariate : options.covariates) {
    if (covariate.values.empty()) continue;  // a product
    const std::vector<double> values = entries(covariate.values, seen);
    const std::set<double> known(values.begin(), values.end());
    if (covariate.levels.empty() && known.size() > 1) continue;
    std::erase_if(adjustable,
                  [&](Index row) { return !known.contains(covariate.values[static_cast<std::size_t>(row)]); });
  }
  return adjustable;
}

std::array<std::vector<Index>, 2> random_halves(const Samples& samples, std::uint64_t seed, std::uint64_t number) {
  std::vector<std::vector<Index>> units;  // groups, or single rows
  if (samples.grouped()) {
    std::map<std::int64_t, std::vector<Index>> by_group;
    for (Index i = 0; i < samples.here(); ++i) by_group[samples.groups()[static_cast<std::size_t>(i)]].push_back(i);
    for (auto& [group, rows] : by_group) units.push_back(std::move(rows));
  } else {
    for (Index i = 0; i < samples.here(); ++i) units.push_back({i});
  }
  std::vector<std::size_t> order(units.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const RandomKey key(seed, Draw::subsample, {number});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const std::uint64_t draw_a = key.bits(a), draw_b = key.bits(b);
    return draw_a != draw_b ? draw_a < draw_b : a < b;
  });
  std::array<std::vector<Index>, 2> halves;
  for (const std::size_t unit : order) {
    std::vector<Index>& smaller = halves[0].size() <= halves[1].size() ? halves[0] : halves[1];
    smaller.insert(smaller.end(), units[unit].begin(), units[unit].end());
  }
  for (std::vector<Index>& half : halves) std::sort(half.begin(), half.end());
  return halves;
}

RowSubset::RowSubset(const std::vector<View>& views, const SampleOptions& options, const std::vector<Index>& rows,
                     const Model* known)
    : views_(views), options_(options) {
  values_.reserve(views.size());
  for (View& view : views_) {
    const MatrixView from = view.values;
    Matrix<double>& values = values_.emplace_back(static_cast<Index>(rows.size()), from.cols());
    for (Index i = 0; i < values.rows(); ++i) {
      for (Index j = 0; j < values.cols(); ++j) values(i, j) = from.value(rows[static_cast<std::size_t>(i)], j);
    }
    if (known != nullptr) to_levels_of(known->views[values_.size() - 1], view.levels, values);
    view.values = MatrixView(values).less(from.offsets());
  }
  options_.groups = entries(options.groups, rows);
  options_.sample_weight = entries(options.sample_weight, rows);
  options_.names = entries(options.names, rows);
  options_.row_numbers.clear();
  for (Covariate& covariate : options_.covariates) covariate.values = entries(covariate.values, rows);
  leave_out_constant(options_.covariates, known);
}

}  // namespace treecca

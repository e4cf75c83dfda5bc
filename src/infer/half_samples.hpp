// Random halves of the samples, and the data of a subset of the samples.
//
// Covariates: a refit leaves out covariates that are constant in its samples. It cannot adjust other samples that have
// another value, or a class that it has not seen: adjustable_rows leaves these out.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "samples/samples.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// Rows of two halves, each ascending. Every row is in one half, and all rows of a group are in the same half. Their
/// sizes differ by at most the largest group. A pure function of the samples, seed and number.
std::array<std::vector<Index>, 2> random_halves(const Samples& samples, std::uint64_t seed, std::uint64_t number);

/// The rows of `rows` whose covariates a fit to `seen` can adjust for.
std::vector<Index> adjustable_rows(const SampleOptions& options, const std::vector<Index>& rows,
                                   const std::vector<Index>& seen);

/// A copy of some rows: views, groups, weights, names and covariates, without covariates that are constant in these
/// rows. `known`: null, or a model of these views. The copy then has the model's covariates, and levels of categories
/// in the model's order; a level that the model does not have is a missing value.
class RowSubset {
 public:
  RowSubset(const std::vector<View>& views, const SampleOptions& options, const std::vector<Index>& rows,
            const Model* known = nullptr);
  RowSubset(const RowSubset&) = delete;
  RowSubset& operator=(const RowSubset&) = delete;

  const std::vector<View>& views() const { return views_; }
  const SampleOptions& options() const { return options_; }

 private:
  std::vector<Matrix<double>> values_;
  std::vector<View> views_;
  SampleOptions options_;
};

}  // namespace treecca

// Random halves of the samples, and the data of some of the samples.
//
// Covariates: a covariate that is constant in the samples of a refit is left out of it. Other samples with another
// value, or of a class that the refit has not seen, cannot be adjusted: adjustable_rows leaves them out.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "samples/samples.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// Rows of two halves, each ascending: every row is in one of them, rows of a group in the same. Their sizes differ by
/// at most the largest group. A pure function of the samples, seed and number.
std::array<std::vector<Index>, 2> random_halves(const Samples& samples, std::uint64_t seed, std::uint64_t number);

/// Those of `rows` whose covariates a fit to `seen` can adjust for.
std::vector<Index> adjustable_rows(const SampleOptions& options, const std::vector<Index>& rows,
                                   const std::vector<Index>& seen);

/// A copy of some rows: of the views and of what the options say about each row, without covariates that are constant
/// in these rows. If `known` is given, a model of these views: with its covariates, and levels of categories in its
/// order; a level that it does not have is a missing value.
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

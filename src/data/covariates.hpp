// Covariates as columns of numbers that embeddings can be regressed on (CovariateTerm in model.hpp).
//
// A number becomes a natural cubic spline. With at most ten different values, the knots are the values that at least
// five samples have: then any function of these values is removed. Other numbers have seven knots (five with fewer than
// 100 samples), the outer knots at the fifth value from each end (at 2.5% of the samples if these are more; at most
// 10%). The spline is linear beyond the outer knots, and constant beyond limits that lie farther out by three times the
// distance of the outer knots. Regressions on these columns do not extrapolate (inverse_of_part in
// objective/adjustment.hpp). Effects of several covariates add up, unless their product is a covariate too: "age*sex",
// without values of its own, lets the slope of age differ by sex. Its columns are the products of age with each column
// of sex. The other functions of the spline of age are not used, because few samples determine their products.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "samples/samples.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"
#include "treecca/samples.hpp"

namespace treecca {

struct CovariateBasis {
  std::vector<CovariateTerm> terms;
  std::vector<double> mean;           // d: of the columns of the terms, by the weights of the samples
  Matrix<double> combination;         // d x r: (columns of the terms - mean) times this is `columns`
  Matrix<double> columns;             // N x r, r <= d: orthonormal in the weighted mean over the samples
  std::vector<std::string> warnings;  // sentences for the user about values far beyond the limits

  bool empty() const { return terms.empty(); }
};

/// The two covariates whose product a term is, from its name; only for terms without knots and levels.
struct Factors {
  std::string first, second;
};
std::optional<Factors> factors_of(const CovariateTerm& term);

/// Products follow all other terms. One process. Failure: DataError, naming covariate and sample: a value that is
/// missing or not a level, a constant covariate, empty or repeated names, a wrong number of values, a product of
/// covariates that are not given, more columns than a quarter of the independent samples; UsageError with several
/// processes.
CovariateBasis covariate_basis(const std::vector<Covariate>& given, const Samples& samples);

/// N x d columns of other samples, neither centred nor combined. Terms are found in `given` by name; products are
/// computed from their factors. Failure: UsageError for a term that is not given, and for covariates without terms;
/// DataError as above and for a level that the term does not have.
Matrix<double> covariate_columns(const std::vector<CovariateTerm>& terms, const std::vector<Covariate>& given,
                                 Index rows);

/// d, the number of columns of all terms together.
Index number_of_columns(const std::vector<CovariateTerm>& terms);

/// age, sex, batch
std::string names_of(const std::vector<CovariateTerm>& terms);

}  // namespace treecca

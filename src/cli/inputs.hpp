// Turns tables into the input of a fit: joined, with groups, weights and engine parameters.
#pragma once

#include <string>
#include <vector>

#include "cli/data_options.hpp"
#include "treecca/fit.hpp"
#include "treecca/report.hpp"
#include "treecca/table.hpp"

namespace treecca::cli {

/// Joins the tables in place. sources: the file of each table; empty strings for generated data. DataError.
JoinedInputs join_inputs(std::vector<Table>& tables, const std::vector<std::string>& sources, Join join = Join::inner);

/// Prints the warnings of the join and, with `text`, what was read.
void print_inputs(const JoinedInputs& inputs, bool text);

/// Reads groups, weights and covariates for the joined tables; covariates that are columns of the tables are moved out
/// of them. DataError, FileError.
FitOptions fit_options_of(const DataOptions& data, std::vector<Table>& tables);

/// The covariates of a model in `file`, for the samples of a table; none for a model without. UsageError without a
/// file; DataError, FileError.
std::vector<Covariate> covariates_for(const Model& model, const CovariateFile& file, const Table& table);

}  // namespace treecca::cli

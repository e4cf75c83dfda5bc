// Applies a fitted model to new rows. Thread-safe: the model is only read.
#pragma once

#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"
#include "treecca/samples.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// Variates (N x K) of new rows of one view of the model. Columns in the model's order, categories as positions in the
/// model's levels (ViewModel::levels). `covariates`: matched by name; covariates that the model does not have are
/// ignored. Failure: UsageError for a view that the model does not have and for covariates that are not given;
/// DataError for a wrong number of columns and for a class of a covariate that the fit did not have.
Matrix<float> transform(const Model& model, Index view, const MatrixView& values, Index n_jobs = -1,
                        const std::vector<Covariate>& covariates = {});

/// The same for views matched by name; the result is in the order given. If a view has feature names, its columns are
/// matched by name: their order does not matter and unknown columns are ignored. Generated names (f0, f1, ...) do not
/// count as names.
/// Levels of categories are matched by name. A level that the fit did not have counts as missing: `warnings` (or null)
/// gets a sentence.
/// Failure: DataError for a view that the model does not have, for absent features, which it names, and for a number
/// for a categorical feature or the reverse.
std::vector<Matrix<float>> transform(const Model& model, const std::vector<View>& views, Index n_jobs = -1,
                                     const std::vector<Covariate>& covariates = {},
                                     std::vector<std::string>* warnings = nullptr);

/// The covariate effect that transform subtracts from the variates of one view, N x K; zeros for a model without
/// covariates. Failure: as transform.
Matrix<double> covariate_effect(const Model& model, Index view, const std::vector<Covariate>& covariates, Index rows);

/// Slopes of the linear regression of view `to` on view `from`, per component: the best linear estimate of component k
/// of `to` is regression[k] times the variate of `from`. Failure: UsageError for a view that the model does not have.
std::vector<double> regression(const Model& model, Index from, Index to);

}  // namespace treecca

// Access to a view of a model by number, and the rows that lack it.
#pragma once

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// Returns view `view`, counted from 0. Failure: UsageError for a view that the model does not have. Thread-safe.
const ViewModel& view_at(const Model& model, Index view);

/// The same for values of this view. Failure: also DataError for a wrong number of columns.
const ViewModel& view_for(const Model& model, Index view, const MatrixView& values);

/// Whether all values of a row are missing, so that the sample has no variates. False if the model has a single view.
bool lacks_view(const Model& model, const MatrixView& values, Index row);

}  // namespace treecca

// Access to a view of a model by number.
#pragma once

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// Returns view `view`, counted from 0. Failure: UsageError for a view that the model does not have. Thread-safe.
const ViewModel& view_at(const Model& model, Index view);

/// The same for values with its columns. Failure: also DataError for another number of columns.
const ViewModel& view_for(const Model& model, Index view, const MatrixView& values);

}  // namespace treecca

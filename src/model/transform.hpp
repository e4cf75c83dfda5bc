// The two steps of transform: embeddings by the encoders of a view, then variates.
//
// Thread-safe; results do not depend on the number of threads.
#pragma once

#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// z(x) of model.hpp for every row, N x W, before mean and rotation. `values` has the columns of the view, in its
/// order.
Matrix<float> embed(const ViewModel& view, const MatrixView& values, Threads threads);

/// (z - mean) * rotation, N x K.
Matrix<float> to_variates(const Matrix<float>& embedding, const ViewModel& view, Threads threads);

}  // namespace treecca

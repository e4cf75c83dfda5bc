// Embeddings of rows by the encoders of a model: z(x) of model.hpp, before means and rotation.
#pragma once

#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// N x K. `values` has the columns of the view, in its order.
Matrix<float> embed(const ViewModel& view, const MatrixView& values, Threads threads);

}  // namespace treecca

// The steps of transform: embeddings by the encoders of a view's parts, then variates.
//
// Thread-safe; results do not depend on the number of threads.
#pragma once

#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// Computes z_p(x) of model.hpp for every row, N x W, before mean and rotation. `values` has the columns of the view,
/// in its order; `part` is one of the view's.
Matrix<float> embed(const ViewModel& view, const PartModel& part, const MatrixView& values, Threads threads);

/// (z - mean) * rotation of one part, N x K.
Matrix<float> to_variates(const Matrix<float>& embedding, const PartModel& part, Threads threads);

/// Variates: all parts and linear CCA together, N x K. `values` as above.
Matrix<float> variates_of(const ViewModel& view, Index n_components, const MatrixView& values, Threads threads);

}  // namespace treecca

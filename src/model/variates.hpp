// From embeddings to variates: (z - mean) * rotation.
#pragma once

#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

Matrix<float> to_variates(const Matrix<float>& embedding, const ViewModel& view, Threads threads);

}  // namespace treecca

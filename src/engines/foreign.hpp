// What the engines of other libraries share: gradients for all rows of a view, where rows that an encoder must not
// learn from (held out, not drawn) weigh nothing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "boost/engine.hpp"
#include "boost/folds.hpp"
#include "boost/weights.hpp"
#include "select/choose.hpp"  // for KeptFeatures
#include "support/threads.hpp"
#include "treecca/fit.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// (name, value) pairs handed to the library as they are.
using EngineParameters = decltype(FitOptions::engine_params);

/// What every engine is made from; references must outlive it.
struct EngineInput {
  const std::vector<View>& views;
  const Parameters& parameters;  // without "auto" values
  const Folds& folds;
  const RowWeights& weights;
  const KeptFeatures& kept;
  const EngineParameters& more;
  Threads threads;
};

/// Gradients and Hessians of one job, N x K each.
struct WeightedGradients {
  std::vector<float> gradient;
  std::vector<float> hessian;
};

/// Element (i, k) stands at i * K + k, or at k * N + i when `component_major`.
void weighted_gradients(const EngineInput& input, Index round, const BoostJob& job, bool component_major,
                        WeightedGradients& out);

/// Engine::rewind for trees that are known by raw values.
void rewind_by_walking(const EngineInput& input, EncoderState& encoder, Index rounds, const Matrix<float>* base);

/// What an encoder may see of its view: the features that were kept for it, in single precision, contiguous.
Matrix<float> visible_values(const EngineInput& input, Index view, int fold);

/// Encoders of a view that see the same may share it: the fold to ask for.
int fold_to_see(const EngineInput& input, const EncoderState& encoder);

/// Trees grown on `visible_values` speak of the features of the view from now on.
void name_features_of_view(const EngineInput& input, EncoderState& encoder);

/// "0.1" or "3": parameters as text.
std::string as_text(double value);

}  // namespace treecca

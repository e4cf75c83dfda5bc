#include "engines/foreign.hpp"

#include <fmt/format.h>

#include "engines/sampled_rows.hpp"
#include "support/parallel.hpp"
#include "trees/predict.hpp"

namespace treecca {

void weighted_gradients(const EngineInput& input, Index round, const BoostJob& job, bool component_major,
                        WeightedGradients& out) {
  constexpr Index kBlock = 4096;
  const Index n = input.folds.rows();
  const Index k = input.parameters.trained_components();
  const SampledRows rows(input.parameters, input.folds, round, *job.encoder);
  out.gradient.resize(static_cast<std::size_t>(n * k));
  out.hessian.resize(static_cast<std::size_t>(n * k));
  parallel_blocks(n, kBlock, input.threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const float weight = !rows.contains(i) ? 0.0F : input.weights.values.empty() ? 1.0F : input.weights.values[i];
      for (Index c = 0; c < k; ++c) {
        const Index at = component_major ? c * n + i : i * k + c;
        const float difference = (*job.current)(i, c) - (job.target == nullptr ? 0.0F : (*job.target)(i, c));
        out.gradient[at] = weight * difference;
        out.hessian[at] = weight;
      }
    }
  });
}

void rewind_by_walking(const EngineInput& input, EncoderState& encoder, Index rounds, const Matrix<float>* base) {
  const Index k = input.parameters.trained_components();
  const Index per_round = input.parameters.trees == Trees::joint ? 1 : k;
  encoder.trees.resize(static_cast<std::size_t>(rounds * per_round));
  const MatrixView& values = input.views[static_cast<std::size_t>(encoder.view)].values;
  encoder.embedding = embed_rows(Predictor({&encoder.trees, 1}, k), values, k, input.threads);
  if (base == nullptr) return;
  for (std::size_t i = 0; i < encoder.embedding.values().size(); ++i)
    encoder.embedding.values()[i] += base->values()[i];
}

Matrix<float> visible_values(const EngineInput& input, Index view, int fold) {
  const MatrixView& values = input.views[static_cast<std::size_t>(view)].values;
  const auto* kept = features_of(input.kept, view, fold);
  Matrix<float> result(values.rows(), kept == nullptr ? values.cols() : static_cast<Index>(kept->size()));
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      result(i, j) = values(i, kept == nullptr ? j : (*kept)[static_cast<std::size_t>(j)]);
    }
  }
  return result;
}

int fold_to_see(const EngineInput& input, const EncoderState& encoder) {
  return features_of(input.kept, encoder.view, encoder.fold) == nullptr ? 0 : encoder.fold;
}

void name_features_of_view(const EngineInput& input, EncoderState& encoder) {
  const auto* kept = features_of(input.kept, encoder.view, encoder.fold);
  if (kept == nullptr) return;
  for (Tree& tree : encoder.trees) {
    for (Node& node : tree.nodes) {
      if (!node.is_leaf()) node.feature = kept->at(static_cast<std::size_t>(node.feature));
    }
  }
}

std::string as_text(double value) { return fmt::format("{}", value); }

}  // namespace treecca

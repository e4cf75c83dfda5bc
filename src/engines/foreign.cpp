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
  const Predictor predictor({&encoder.trees, 1}, k);
  const MatrixView& values = input.views[static_cast<std::size_t>(encoder.view)].values;
  parallel_blocks(values.rows(), 4 * Predictor::kBlockRows, input.threads, [&](Index begin, Index end) {
    std::vector<double> sums(static_cast<std::size_t>((end - begin) * k));
    predictor.embed(values, begin, end, sums.data());
    for (Index i = begin * k; i < end * k; ++i) {
      const float start = base == nullptr ? 0.0F : base->data()[i];
      encoder.embedding.data()[i] = start + static_cast<float>(sums[static_cast<std::size_t>(i - begin * k)]);
    }
  });
}

Matrix<float> single_precision(const MatrixView& values) {
  Matrix<float> result(values.rows(), values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) result(i, j) = values(i, j);
  }
  return result;
}

std::string as_text(double value) { return fmt::format("{}", value); }

}  // namespace treecca

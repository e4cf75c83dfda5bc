#include "engines/foreign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engines/sampled_rows.hpp"
#include "support/parallel.hpp"
#include "support/stop.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

constexpr Index kBlock = 4096;

/// A tree without a split that adds nothing.
Tree empty_tree(Index component) {
  Tree tree;
  tree.component = static_cast<std::int32_t>(component);
  tree.nodes.resize(1);
  tree.nodes[0].leaf = 0;
  tree.leaf_values = {0.0F};
  return tree;
}

Index trees_per_round(const Parameters& parameters) {
  return parameters.trees == Trees::joint ? 1 : parameters.trained_components();
}

}  // namespace

void weighted_gradients(const EngineInput& input, Index round, const BoostJob& job, bool component_major,
                        WeightedGradients& out) {
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

Matrix<float> visible_codes(const EngineInput& input, Index view, int fold) {
  const BinnedView& bins = input.bins[static_cast<std::size_t>(view)];
  const auto* kept = features_of(input.kept, view, fold);
  Matrix<float> codes(bins.rows(), kept == nullptr ? bins.features() : static_cast<Index>(kept->size()));
  parallel_blocks(codes.rows(), kBlock, input.threads, [&](Index begin, Index end) {
    for (Index j = 0; j < codes.cols(); ++j) {
      const Index feature = kept == nullptr ? j : (*kept)[static_cast<std::size_t>(j)];
      const std::uint8_t* column = bins.column(feature);
      const int missing = bins.missing_code(feature);
      for (Index i = begin; i < end; ++i) {
        codes(i, j) = column[i] == missing ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(column[i]);
      }
    }
  });
  return codes;
}

void decode_trees(const EngineInput& input, Index view, int fold, Encoder& trees) {
  const BinnedView& bins = input.bins[static_cast<std::size_t>(view)];
  const auto* kept = features_of(input.kept, view, fold);
  for (Tree& tree : trees) {
    for (Node& node : tree.nodes) {
      if (node.is_leaf()) continue;
      if (kept != nullptr) node.feature = kept->at(static_cast<std::size_t>(node.feature));
      // "code < t" is "code <= b" with the last whole number b below t. No code at all below it: only missing values
      // can go left.
      const double last = std::ceil(static_cast<double>(node.threshold)) - 1;
      const int bins_of_feature = bins.n_bins(node.feature);
      node.threshold =
          last < 0 ? std::numeric_limits<float>::lowest()
                   : bins.threshold(node.feature,
                                    static_cast<int>(std::min<double>(last, static_cast<double>(bins_of_feature - 1))));
    }
  }
}

void ForeignEngine::boost(Index round, std::span<const BoostJob> jobs) {
  for (const BoostJob& job : jobs) {  // in turn: boosters of one view share data, which no library locks
    check_stop(input_.threads.stop);
    if (input_.rows_change) {
      add_lone_round(round, job);
    } else {
      add_round(round, job, booster_of(*job.encoder));
    }
  }
}

void ForeignEngine::add_round(Index round, const BoostJob& job, Booster& booster) const {
  const Index n = input_.folds.rows();
  const Index k = input_.parameters.trained_components();
  WeightedGradients gradients;
  weighted_gradients(input_, round, job, component_major_, gradients);
  booster.grew.push_back(update(booster.handle, booster.data, round, gradients));
  std::vector<float>& margins = gradients.gradient;  // not needed any more
  read_margins(booster.handle, booster.data, margins);
  Matrix<float>& embedding = job.encoder->embedding;
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < k; ++c) {
      const Index at = component_major_ ? c * n + i : i * k + c;
      embedding(i, c) = booster.base(i, c) + margins[static_cast<std::size_t>(at)];
    }
  }
}

/// A round on rows of its own. The encoder's embedding is not kept up to date: other rows come next.
void ForeignEngine::add_lone_round(Index round, const BoostJob& job) {
  EncoderState& encoder = *job.encoder;
  Booster booster;
  booster.data = make_data(encoder.view, visible_codes(input_, encoder.view, encoder.fold));
  booster.handle = make_booster(booster.data, encoder.view, encoder.fold);
  WeightedGradients gradients;
  weighted_gradients(input_, round, job, component_major_, gradients);
  booster.grew.push_back(update(booster.handle, booster.data, round, gradients));
  const Encoder grown = trees_of(booster, encoder);
  encoder.trees.insert(encoder.trees.end(), grown.begin(), grown.end());
}

void ForeignEngine::finish(EncoderState& encoder) {
  if (input_.rows_change) return;
  encoder.trees = trees_of(booster_of(encoder), encoder);
}

Encoder ForeignEngine::trees_of(const Booster& booster, const EncoderState& encoder) const {
  Encoder grown = read_trees(booster.handle);
  decode_trees(input_, encoder.view, encoder.fold, grown);
  const Index per_round = trees_per_round(input_.parameters);
  Encoder trees;
  std::size_t next = 0;
  for (const bool grew : booster.grew) {
    for (Index c = 0; c < per_round; ++c) trees.push_back(grew ? std::move(grown.at(next++)) : empty_tree(c));
  }
  return trees;
}

void ForeignEngine::rewind(EncoderState& encoder, Index rounds, const Matrix<float>* base) {
  const Index k = input_.parameters.trained_components();
  encoder.trees.resize(static_cast<std::size_t>(rounds * trees_per_round(input_.parameters)));
  const MatrixView& values = input_.views[static_cast<std::size_t>(encoder.view)].values;
  encoder.embedding = embed_rows(Predictor({&encoder.trees, 1}, k), values, k, input_.threads);
  if (base == nullptr) return;
  for (std::size_t i = 0; i < encoder.embedding.values().size(); ++i)
    encoder.embedding.values()[i] += base->values()[i];
}

ForeignEngine::Handle ForeignEngine::data_of(const EncoderState& encoder) {
  // Encoders of a view that see the same features share their data.
  const int fold = features_of(input_.kept, encoder.view, encoder.fold) == nullptr ? 0 : encoder.fold;
  Handle& data = data_[{encoder.view, fold}];
  if (data == nullptr) data = make_data(encoder.view, visible_codes(input_, encoder.view, encoder.fold));
  return data;
}

ForeignEngine::Booster& ForeignEngine::booster_of(const EncoderState& encoder) {
  const auto [found, is_new] = boosters_.try_emplace({encoder.view, encoder.fold});
  Booster& booster = found->second;
  if (is_new) {
    booster.base = encoder.embedding;
    booster.data = data_of(encoder);
    booster.handle = make_booster(booster.data, encoder.view, encoder.fold);
  }
  return booster;
}

std::string as_text(double value) { return fmt::format("{}", value); }

}  // namespace treecca

#include "engines/library_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engines/sampled_rows.hpp"
#include "support/parallel.hpp"
#include "support/random.hpp"
#include "support/threads.hpp"
#include "treecca/error.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

constexpr Index kBlock = 4096;

/// A tree without splits that adds nothing.
Tree empty_tree(Index component) {
  Tree tree;
  tree.component = static_cast<std::int32_t>(component);
  tree.nodes.resize(1);
  tree.nodes[0].leaf = 0;
  tree.leaf_values = {0.0F};
  return tree;
}

void add(const Matrix<float>& summand, Matrix<float>& sum) {
  for (std::size_t i = 0; i < sum.values().size(); ++i) sum.values()[i] += summand.values()[i];
}

}  // namespace

void weighted_gradients(const EngineInput& input, Index round, const GrowJob& job, bool component_major,
                        WeightedGradients& out) {
  const Index n = input.folds.rows();
  const Index k = input.parameters.trained_components();
  const SampledRows rows(input.parameters, input.folds, round, *job.encoder);
  const std::span<const float> weights = input.folds.samples->weights();
  out.gradient.resize(static_cast<std::size_t>(n * k));
  out.hessian.resize(static_cast<std::size_t>(n * k));
  parallel_blocks(n, kBlock, input.threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const float weight = !rows.contains(i) ? 0.0F : weights.empty() ? 1.0F : weights[static_cast<std::size_t>(i)];
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
  const auto* kept = input.kept.of(view, fold);
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
  const auto* kept = input.kept.of(view, fold);
  for (Tree& tree : trees) {
    for (Node& node : tree.nodes) {
      if (node.is_leaf()) continue;
      const auto features = kept == nullptr ? bins.features() : static_cast<Index>(kept->size());
      if (node.feature >= features) throw ModelError("A tree splits on a feature that does not exist.");
      if (std::isnan(node.threshold)) throw ModelError("A tree splits at a threshold that is not a number.");
      if (kept != nullptr) node.feature = (*kept)[static_cast<std::size_t>(node.feature)];
      // "code < t" is "code <= b" for the last integer b below t. If no code is below t, only missing values can go
      // left.
      const double last = std::ceil(static_cast<double>(node.threshold)) - 1;
      const int bins_of_feature = bins.n_bins(node.feature);
      node.threshold =
          last < 0 ? std::numeric_limits<float>::lowest()
                   : bins.threshold(node.feature,
                                    static_cast<int>(std::min<double>(last, static_cast<double>(bins_of_feature - 1))));
    }
  }
}

/// Encoders of a view that may use the same features share their data.
LibraryEngine::Place LibraryEngine::data_place(const EncoderState& encoder) const {
  const bool own = input_.rows_change || input_.kept.of(encoder.view, encoder.fold) != nullptr;
  return {encoder.view, own ? encoder.fold : 0};
}

void LibraryEngine::boost(Index round, std::span<const GrowJob> jobs) {
  for (const GrowJob& job : jobs) {
    check_stop(input_.threads.stop);
    if (input_.rows_change) {
      add_lone_round(round, job);
    } else {
      add_round(round, job, booster_of(*job.encoder));
    }
  }
}

void LibraryEngine::read_margins(const Booster& booster, std::vector<float>& buffer, Matrix<float>& margins) const {
  const Index n = margins.rows();
  const Index k = margins.cols();
  buffer.resize(margins.values().size());
  read_margins(booster.handle, booster.data, buffer);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < k; ++c) {
      const Index at = traits_.component_major ? c * n + i : i * k + c;
      margins(i, c) = buffer[static_cast<std::size_t>(at)];
    }
  }
}

void LibraryEngine::add_round(Index round, const GrowJob& job, Booster& booster) const {
  WeightedGradients gradients;
  weighted_gradients(input_, round, job, traits_.component_major, gradients);
  booster.grew.push_back(update(booster.handle, booster.data, round, gradients));
  read_margins(booster, gradients.gradient, job.encoder->embedding);  // the gradient is no longer needed
  add(booster.base, job.encoder->embedding);
}

/// Adds a round if the rows change every round. The encoder's embedding is not updated, because the next round has
/// other rows.
void LibraryEngine::add_lone_round(Index round, const GrowJob& job) const {
  EncoderState& encoder = *job.encoder;
  const Matrix<float> codes = visible_codes(input_, encoder.view, encoder.fold);
  Booster booster;
  booster.data = make_data(encoder.view, codes);
  booster.handle = make_booster(booster.data, encoder.view, encoder.fold);
  WeightedGradients gradients;
  weighted_gradients(input_, round, job, traits_.component_major, gradients);
  booster.grew.push_back(update(booster.handle, booster.data, round, gradients));
  Encoder grown = read_rounds(booster);
  if (round == 0) {
    Matrix<float> margins(codes.rows(), input_.parameters.trained_components());
    read_margins(booster, gradients.gradient, margins);
    check_trees(grown, codes, margins);
  }
  decode_trees(input_, encoder.view, encoder.fold, grown);
  encoder.trees.insert(encoder.trees.end(), grown.begin(), grown.end());
}

void LibraryEngine::finish(EncoderState& encoder) {
  if (input_.rows_change) return;
  const Booster& booster = booster_of(encoder);
  encoder.trees = read_rounds(booster);
  decode_trees(input_, encoder.view, encoder.fold, encoder.trees);
  std::vector<float> buffer;
  Matrix<float> margins(encoder.embedding.rows(), encoder.embedding.cols());
  read_margins(booster, buffer, margins);
  check_trees(encoder.trees, input_.views[static_cast<std::size_t>(encoder.view)].values, margins);
}

/// The library's trees, with empty trees for rounds in which it added none.
Encoder LibraryEngine::read_rounds(const Booster& booster) const {
  Encoder grown = read_trees(booster.handle);
  const Index per_round = input_.parameters.trees_per_round();
  const auto rounds = static_cast<std::size_t>(std::count(booster.grew.begin(), booster.grew.end(), true));
  if (grown.size() != rounds * static_cast<std::size_t>(per_round)) {
    throw ModelError(fmt::format("{} grew {} trees in {} rounds, but TreeCCA needs {} per round.", traits_.name,
                                 grown.size(), rounds, per_round));
  }
  Encoder trees;
  std::size_t next = 0;
  for (const bool grew : booster.grew) {
    for (Index c = 0; c < per_round; ++c) trees.push_back(grew ? std::move(grown[next++]) : empty_tree(c));
  }
  return trees;
}

/// Checks that the library's predictions are the sums of its trees.
void LibraryEngine::check_trees(const Encoder& trees, const MatrixView& values, const Matrix<float>& margins) const {
  constexpr float kTolerance = 1e-4F;  // sums of many single-precision numbers in different orders
  const Index k = margins.cols();
  const Matrix<float> ours = embed_rows(Predictor({&trees, 1}, k), values, k, input_.threads);
  float largest = 0;
  for (const float margin : margins.values()) largest = std::max(largest, std::abs(margin));
  for (std::size_t i = 0; i < ours.values().size(); ++i) {
    if (std::abs(ours.values()[i] - margins.values()[i]) <= kTolerance * largest) continue;
    if (input_.engine_params.empty()) {
      throw Error(
          fmt::format("{}: the sum of its trees is {}, but its own prediction is {}. Use another version of it.",
                      traits_.name, ours.values()[i], margins.values()[i]));
    }
    std::string names;
    for (const auto& [name, value] : input_.engine_params) names += (names.empty() ? "" : ", ") + name + "=" + value;
    throw UsageError(
        fmt::format("engine_params ({}) make a model that TreeCCA cannot represent: {}'s predictions are not the "
                    "sums of its trees.",
                    names, traits_.name));
  }
}

void LibraryEngine::rewind(EncoderState& encoder, Index rounds, const Matrix<float>* base) {
  const Index k = input_.parameters.trained_components();
  encoder.trees.resize(static_cast<std::size_t>(rounds * input_.parameters.trees_per_round()));
  const MatrixView& values = input_.views[static_cast<std::size_t>(encoder.view)].values;
  encoder.embedding = embed_rows(Predictor({&encoder.trees, 1}, k), values, k, input_.threads);
  if (base != nullptr) add(*base, encoder.embedding);
}

LibraryEngine::Booster& LibraryEngine::booster_of(const EncoderState& encoder) {
  const auto [found, is_new] = boosters_.try_emplace({encoder.view, encoder.fold});
  Booster& booster = found->second;
  if (is_new) {
    booster.base = encoder.embedding;
    Handle& data = data_[data_place(encoder)];
    if (data == nullptr) data = make_data(encoder.view, visible_codes(input_, encoder.view, encoder.fold));
    booster.data = data;
    booster.handle = make_booster(booster.data, encoder.view, encoder.fold);
  }
  return booster;
}

int library_threads(const EngineInput& input, Index view) {
  constexpr Index kWorthThreads = 2'000'000;  // cells of a view
  const BinnedView& bins = input.bins[static_cast<std::size_t>(view)];
  return bins.rows() * bins.features() < kWorthThreads ? 1 : input.threads.count;
}

std::string library_seed(const EngineInput& input, Index view, int fold) {
  const RandomKey key(input.parameters.random_state, Draw::library, {static_cast<std::uint64_t>(view)});
  return std::to_string(key.bits(static_cast<std::uint64_t>(fold)) >> 33);
}

std::string as_text(double value) { return fmt::format("{}", value); }

}  // namespace treecca

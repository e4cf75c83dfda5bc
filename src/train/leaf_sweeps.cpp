#include "train/leaf_sweeps.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "samples/lockstep.hpp"
#include "support/parallel.hpp"

namespace treecca {
namespace {

/// Maximum number of columns of a chain: a row fits one cache line, and the sums of 256 leaves fit the first-level
/// cache.
constexpr Index kWide = 16;
constexpr Index kNarrow = 4;
constexpr Index kMaxTasksInStep = 32;  // threads

/// Calls use(std::integral_constant<int, lanes>) for the number of lanes that holds `width` columns.
template <class Use>
void with_lanes(Index width, Use&& use) {
  if (width == 1) {
    use(std::integral_constant<int, 1>());
  } else if (width <= kNarrow) {
    use(std::integral_constant<int, kNarrow>());
  } else {
    use(std::integral_constant<int, kWide>());
  }
}

/// Columns [first, first + width) of the leaf values of a tree: leaves x lanes, padded with zeros.
template <int kLanes>
void gather_values(const Tree& tree, Index first, Index width, Index leaves, std::vector<float>& out) {
  const Index stride = static_cast<Index>(tree.leaf_values.size()) / leaves;
  out.assign(static_cast<std::size_t>(leaves * kLanes), 0.0F);
  for (Index l = 0; l < leaves; ++l) {
    const float* from = tree.leaf_values.data() + l * stride + (tree.component < 0 ? first : 0);
    std::copy_n(from, width, out.data() + l * kLanes);
  }
}

/// The inverse of gather_values.
template <int kLanes>
void scatter_values(const std::vector<float>& values, Index first, Index width, Index leaves, Tree& tree) {
  const Index stride = static_cast<Index>(tree.leaf_values.size()) / leaves;
  for (Index l = 0; l < leaves; ++l) {
    float* to = tree.leaf_values.data() + l * stride + (tree.component < 0 ? first : 0);
    std::copy_n(values.data() + l * kLanes, width, to);
  }
}

}  // namespace

LeafSweeps::LeafSweeps(std::vector<Swept> encoders, const Folds& folds, std::uint64_t seed, Threads threads)
    : encoders_(std::move(encoders)), folds_(folds), seed_(seed), threads_(threads) {
  for (std::size_t e = 0; e < encoders_.size(); ++e) {
    std::vector<RowIndex>& rows = rows_.emplace_back();
    for (Index i = 0; i < folds.rows(); ++i) {
      const EncoderState& state = *encoders_[e].state;
      if (folds.trains_on(state.view, state.fold, i)) rows.push_back(static_cast<RowIndex>(i));
    }
    make_chains(e);
  }
  number_leaves();
  weigh_leaves();
}

void LeafSweeps::make_chains(std::size_t encoder) {
  const EncoderState& state = *encoders_[encoder].state;
  const Index columns = state.embedding.cols();
  std::vector<std::vector<std::size_t>> of_component(static_cast<std::size_t>(columns) + 1);  // 0: of all
  for (std::size_t t = 0; t < state.trees.size(); ++t) {
    of_component[static_cast<std::size_t>(state.trees[t].component + 1)].push_back(t);
  }
  if (!of_component[0].empty()) {
    for (Index first = 0; first < columns; first += kWide) {
      chains_.push_back({encoder, first, std::min(kWide, columns - first), of_component[0]});
    }
    return;
  }
  for (Index c = 0; c < columns; ++c) {
    chains_.push_back({encoder, c, 1, std::move(of_component[static_cast<std::size_t>(c) + 1])});
  }
}

void LeafSweeps::number_leaves() {
  std::vector<std::pair<std::size_t, std::size_t>> trees;  // encoder, tree
  for (std::size_t e = 0; e < encoders_.size(); ++e) {
    leaves_.emplace_back(encoders_[e].state->trees.size());
    for (std::size_t t = 0; t < leaves_[e].size(); ++t) trees.emplace_back(e, t);
  }
  parallel_for(static_cast<Index>(trees.size()), threads_for(1), [&](Index i) {
    const auto [e, t] = trees[static_cast<std::size_t>(i)];
    leaves_[e][t] = LeafNumbers(encoders_[e].state->trees[t], *encoders_[e].bins);
  });
}

void LeafSweeps::weigh_leaves() {
  const std::span<const float> weight = folds_.samples->weights();
  std::vector<double> all;
  for (std::size_t e = 0; e < encoders_.size(); ++e) {
    for (const LeafNumbers& leaves : leaves_[e]) {
      const std::size_t begin = all.size();
      all.resize(begin + static_cast<std::size_t>(leaves.leaves()), 0.0);
      leaves.visit([&](const auto* leaf) {
        for (const RowIndex row : rows_[e]) all[begin + leaf[row]] += weight.empty() ? 1.0 : weight[row];
      });
    }
  }
  folds_.samples->peers().sum(all);
  auto next = all.begin();
  for (const std::vector<LeafNumbers>& trees : leaves_) {
    std::vector<std::vector<double>>& of_encoder = weights_.emplace_back();
    for (const LeafNumbers& leaves : trees) {
      of_encoder.emplace_back(next, next + leaves.leaves());
      next += leaves.leaves();
    }
  }
}

/// Number of threads for this number of passes over all rows, columns and trees.
Threads LeafSweeps::threads_for(double passes) const {
  double operations = 0;
  for (const Chain& chain : chains_)
    operations += static_cast<double>(chain.trees.size()) * static_cast<double>(chain.width);
  operations *= passes * static_cast<double>(folds_.rows());
  return threads_.for_work(static_cast<Index>(std::min(operations, 1e15)));
}

void LeafSweeps::sweep(Index number, std::span<const Matrix<float>* const> targets) {
  const auto run = [&](const Chain& chain, const Peers& peers) {
    const EncoderState& state = *encoders_[chain.encoder].state;
    const RandomKey order(seed_, Draw::leaf_sweep,
                          {static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(state.view),
                           static_cast<std::uint64_t>(state.fold)});
    const Matrix<float>& target = *targets[static_cast<std::size_t>(state.view)];
    with_lanes(chain.width, [&](auto lanes) { sweep_chain<lanes>(chain, target, order, peers); });
  };
  const auto n = static_cast<Index>(chains_.size());
  const Peers& peers = folds_.samples->peers();
  if (peers.alone()) {
    parallel_for(n, threads_for(2), [&](Index c) { run(chains_[static_cast<std::size_t>(c)], peers); });
  } else {
    const Index lanes = std::min(n, kMaxTasksInStep);
    run_in_lockstep(lanes, threads_, peers, [&](Index lane, const Peers& others) {
      for (Index c = lane; c < n; c += lanes) run(chains_[static_cast<std::size_t>(c)], others);
    });
  }
  embed();
}

template <int kLanes>
void LeafSweeps::sweep_chain(const Chain& chain, const Matrix<float>& target, const RandomKey& order,
                             const Peers& peers) {
  EncoderState& state = *encoders_[chain.encoder].state;
  const std::vector<RowIndex>& rows = rows_[chain.encoder];
  const std::span<const float> weight = folds_.samples->weights();
  std::vector<std::size_t> trees = chain.trees;
  std::sort(trees.begin(), trees.end(), [&](std::size_t a, std::size_t b) { return order.bits(a) < order.bits(b); });
  std::vector<float> left(rows.size() * kLanes, 0.0F);  // residual of the target, only for training rows
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float* goal = target.row(rows[i]) + chain.first;
    const float* z = state.embedding.row(rows[i]) + chain.first;
    for (Index c = 0; c < chain.width; ++c) left[i * kLanes + static_cast<std::size_t>(c)] = goal[c] - z[c];
  }
  std::vector<float> values;
  std::vector<double> sums;
  std::vector<float> steps;
  for (const std::size_t t : trees) {
    check_stop(threads_.stop);
    Tree& tree = state.trees[t];
    const LeafNumbers& leaves = leaves_[chain.encoder][t];
    const std::vector<double>& weights = weights_[chain.encoder][t];
    sums.assign(static_cast<std::size_t>(leaves.leaves() * kLanes), 0.0);
    leaves.visit([&](const auto* leaf) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        double* sum = sums.data() + static_cast<std::size_t>(leaf[rows[i]]) * kLanes;
        const float* own = left.data() + i * kLanes;
        const double w = weight.empty() ? 1.0 : weight[rows[i]];
        for (int c = 0; c < kLanes; ++c) sum[c] += w * static_cast<double>(own[c]);
      }
    });
    peers.sum(std::span<double>(sums));
    gather_values<kLanes>(tree, chain.first, chain.width, leaves.leaves(), values);
    steps.resize(values.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
      const double moved = values[at] + kRate * sums[at] / (weights[at / kLanes] + kRidge);
      steps[at] = static_cast<float>(moved) - values[at];
      values[at] = static_cast<float>(moved);
    }
    scatter_values<kLanes>(values, chain.first, chain.width, leaves.leaves(), tree);
    leaves.visit([&](const auto* leaf) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const float* step = steps.data() + static_cast<std::size_t>(leaf[rows[i]]) * kLanes;
        float* own = left.data() + i * kLanes;
        for (int c = 0; c < kLanes; ++c) own[c] -= step[c];
      }
    });
  }
}

template <int kLanes>
void LeafSweeps::embed_chain(const Chain& chain) {
  const Swept& encoder = encoders_[chain.encoder];
  const auto n = static_cast<std::size_t>(folds_.rows());
  std::vector<float> z(n * kLanes, 0.0F);
  std::vector<float> values;
  if (encoder.base != nullptr) {
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(encoder.base->row(static_cast<Index>(i)) + chain.first, chain.width, z.data() + i * kLanes);
    }
  }
  for (const std::size_t t : chain.trees) {
    const LeafNumbers& leaves = leaves_[chain.encoder][t];
    gather_values<kLanes>(encoder.state->trees[t], chain.first, chain.width, leaves.leaves(), values);
    leaves.visit([&](const auto* leaf) {
      for (std::size_t i = 0; i < n; ++i) {
        const float* value = values.data() + static_cast<std::size_t>(leaf[i]) * kLanes;
        for (int c = 0; c < kLanes; ++c) z[i * kLanes + static_cast<std::size_t>(c)] += value[c];
      }
    });
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(z.data() + i * kLanes, chain.width, encoder.state->embedding.row(static_cast<Index>(i)) + chain.first);
  }
}

void LeafSweeps::embed() {
  parallel_for(static_cast<Index>(chains_.size()), threads_for(1), [&](Index c) {
    const Chain& chain = chains_[static_cast<std::size_t>(c)];
    with_lanes(chain.width, [&](auto lanes) { embed_chain<lanes>(chain); });
  });
}

LeafSweeps::State LeafSweeps::state() const {
  State state;
  for (const Swept& encoder : encoders_) {
    auto& values = state.emplace_back();
    for (const Tree& tree : encoder.state->trees) values.push_back(tree.leaf_values);
  }
  return state;
}

void LeafSweeps::restore(const State& state) {
  for (std::size_t e = 0; e < encoders_.size(); ++e) {
    Swept& encoder = encoders_[e];
    for (std::size_t t = 0; t < encoder.state->trees.size(); ++t) encoder.state->trees[t].leaf_values = state[e][t];
  }
  embed();
}

}  // namespace treecca

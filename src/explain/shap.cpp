#include "treecca/shap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "explain/product_game.hpp"
#include "explain/tree_mean.hpp"
#include "explain/used_features.hpp"
#include "model/view_at.hpp"
#include "support/parallel.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// Rows that are explained together, at most kGameRows.
struct RowBlock {
  Index rows;
  std::vector<float> values;  // tested features x rows

  RowBlock(const MatrixView& table, Index begin, Index end, const TestedFeatures& tested) : rows(end - begin) {
    values.reserve(tested.features.size() * static_cast<std::size_t>(rows));
    for (const Index feature : tested.features) {
      for (Index i = begin; i < end; ++i) values.push_back(table(i, feature));
    }
  }

  std::uint64_t all() const { return ~std::uint64_t{0} >> (kGameRows - rows); }

  /// Bit r: row r goes left.
  std::uint64_t goes_left(const Tree& tree, const Node& split, std::int32_t place) const {
    const float* x = values.data() + place * rows;
    std::uint64_t left = 0;
    if (split.level_set >= 0) {
      for (Index r = 0; r < rows; ++r) left |= static_cast<std::uint64_t>(tree.goes_left(split, x[r])) << r;
    } else if (split.default_left) {  // written so that NaN goes left
      for (Index r = 0; r < rows; ++r) left |= static_cast<std::uint64_t>(!(x[r] >= split.threshold)) << r;
    } else {
      for (Index r = 0; r < rows; ++r) left |= static_cast<std::uint64_t>(x[r] < split.threshold) << r;
    }
    return left;
  }
};

/// Visits every leaf of a tree and calls at_leaf(players, leaf number). There is one player per feature on the path,
/// even if the path tests it several times; its `feature` is the position in TestedFeatures. Leaves that neither a row
/// of the block nor an absent feature reaches may be skipped, and so may a root without splits.
class PathWalk {
 public:
  PathWalk(const TestedFeatures& tested, const RowBlock& block)
      : tested_(tested), block_(block), on_path_(tested.features.size(), kUnused) {}

  template <class AtLeaf>
  void walk(const Tree& tree, const AtLeaf& at_leaf) {
    visit(tree, tree.nodes[0], at_leaf);
  }

 private:
  template <class AtLeaf>
  void visit(const Tree& tree, const Node& node, const AtLeaf& at_leaf) {  // recursion depth: at most kMaxTreeDepth
    if (node.is_leaf()) {
      if (!path_.empty()) at_leaf(path_, node.leaf);
      return;
    }
    const std::int32_t feature = tested_.places[static_cast<std::size_t>(node.feature)];
    const std::uint64_t left = block_.goes_left(tree, node, feature);
    const double fraction = left_fraction(tree, node);
    descend(tree, node.left, {feature, fraction, left}, at_leaf);
    descend(tree, node.right, {feature, 1 - fraction, ~left & block_.all()}, at_leaf);
  }

  template <class AtLeaf>
  void descend(const Tree& tree, std::int32_t child, Player step, const AtLeaf& at_leaf) {
    const auto feature = static_cast<std::size_t>(step.feature);
    const std::int32_t at = on_path_[feature];
    if (at == kUnused) {
      on_path_[feature] = static_cast<std::int32_t>(path_.size());
      path_.push_back(step);
    } else {
      std::swap(step, path_[static_cast<std::size_t>(at)]);
      path_[static_cast<std::size_t>(at)].absent *= step.absent;
      path_[static_cast<std::size_t>(at)].present &= step.present;
    }
    const Player& player = path_[static_cast<std::size_t>(on_path_[feature])];
    if (player.absent > 0 || player.present != 0) visit(tree, tree.nodes[static_cast<std::size_t>(child)], at_leaf);
    if (at == kUnused) {
      path_.pop_back();
      on_path_[feature] = kUnused;
    } else {
      path_[static_cast<std::size_t>(at)] = step;
    }
  }

  const TestedFeatures& tested_;
  const RowBlock& block_;
  std::vector<Player> path_;
  std::vector<std::int32_t> on_path_;  // by position of the feature: its player, or kUnused
};

/// Calls add(players, contribution) for every leaf of a view's trees. contribution: the leaf's addition to the K
/// variates of a row that reaches it.
template <class Add>
void for_each_path(const ViewModel& view, const TestedFeatures& tested, const RowBlock& block, Index n_components,
                   Add&& add) {
  std::vector<double> contribution(static_cast<std::size_t>(n_components));
  PathWalk walk(tested, block);
  for (const PartModel& part : view.parts) {
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, part.encoders.size()));
    for (const Encoder& encoder : part.encoders) {
      for (const Tree& tree : encoder) {
        const Index width = tree.component < 0 ? part.rotation.rows() : 1;
        const auto at_leaf = [&](const std::vector<Player>& players, std::int32_t leaf) {
          std::fill(contribution.begin(), contribution.end(), 0.0);
          for (Index l = 0; l < width; ++l) {
            const double value = share * static_cast<double>(tree.leaf_values[leaf * width + l]);
            const double* rotation = part.rotation.row(std::max(0, tree.component) + l);
            for (Index k = 0; k < n_components; ++k) contribution[k] += value * rotation[k];
          }
          add(players, contribution);
        };
        walk.walk(tree, at_leaf);
      }
    }
  }
}

/// Calls add(feature, k, contribution) for row i.
template <class Add>
void for_each_slope(const std::vector<LinearMap>& maps, const MatrixView& table, Index i, Add&& add) {
  for (const LinearMap& map : maps) {
    for (Index j = 0; j < static_cast<Index>(map.mean.size()); ++j) {
      const float x = table(i, j);
      if (std::isnan(x)) continue;
      const LinearMap::Term term = map.term(j, x);
      for (Index k = 0; k < map.weights.cols(); ++k) add(j, k, term.factor * map.weights(term.row, k));
    }
  }
}

std::vector<double> base_values(const ViewModel& view, Index n_components) {
  std::vector<double> base(static_cast<std::size_t>(n_components), 0.0);
  std::vector<double> weights;
  for (const PartModel& part : view.parts) {
    const Index trained = part.rotation.rows();
    std::vector<double> mean(static_cast<std::size_t>(trained), 0.0);
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, part.encoders.size()));
    for (const Encoder& encoder : part.encoders) {
      for (const Tree& tree : encoder) {
        add_mean_prediction(tree, kUnused, 0, share, tree.component < 0 ? trained : 1, weights, mean.data());
      }
    }
    for (Index l = 0; l < trained; ++l) {
      for (Index k = 0; k < n_components; ++k) base[k] += (mean[l] - part.mean[l]) * part.rotation(l, k);
    }
  }
  return base;
}

std::vector<double> zeros(const ViewModel& view, Index rows, Index per_feature) {
  const auto p = static_cast<Index>(view.feature_names.size());
  if (rows > 0 && p > 0 && per_feature > kMaxShapNumbers / p / rows) {
    const Index allowed = kMaxShapNumbers / p / per_feature;
    throw UsageError(fmt::format(
        "View \"{}\": {} samples with {} features have too many SHAP values for the memory. Explain {}.", view.name,
        rows, p, allowed > 0 ? fmt::format("at most {} samples at a time", allowed) : "a model of fewer features"));
  }
  return std::vector<double>(static_cast<std::size_t>(rows * p * per_feature), 0.0);
}

/// Sets rows that lack the view, by the rule of transform, to NaN. numbers_per_row: of `result`.
void blank_absent_rows(const Model& model, const MatrixView& values, Index numbers_per_row,
                       std::vector<double>& result) {
  for (Index i = 0; i < values.rows(); ++i) {
    if (lacks_view(model, values, i)) {
      std::fill_n(result.begin() + i * numbers_per_row, numbers_per_row, std::numeric_limits<double>::quiet_NaN());
    }
  }
}

/// Adds weights[r] * contribution_k to sums (K x rows).
void add_weighted(const std::vector<double>& contribution, const double* weights, Index rows, double* sums) {
  for (const double value : contribution) {
    if (value != 0) {  // zero for most components of scalar trees without a rotation
      for (Index r = 0; r < rows; ++r) sums[r] += value * weights[r];
    }
    sums += rows;
  }
}

/// The number of threads: one for little work.
Threads threads_for(const TestedFeatures& tested, const MatrixView& values, Index n_jobs,
                    const std::atomic<bool>* stop) {
  constexpr Index kOperationsPerNode = 32;
  const double operations =
      static_cast<double>(values.rows()) * static_cast<double>(tested.n_nodes * kOperationsPerNode + values.cols());
  return Threads(thread_count(n_jobs), stop)
      .for_work(static_cast<Index>(std::min(operations, static_cast<double>(Threads::kWorthThreads))));
}

/// Number of rows per block: lower if a block's sums would be large or threads would be idle.
Index block_rows(Index n, Index numbers_per_row, int threads) {
  constexpr Index kMostNumbers = Index{1} << 23;  // 64 MB
  const Index fitting = kMostNumbers / std::max<Index>(1, numbers_per_row);
  return std::clamp<Index>(std::min(fitting, (n + threads - 1) / threads), 1, kGameRows);
}

}  // namespace

ShapValues shap_values(const Model& model, Index view_number, const MatrixView& values, Index n_jobs,
                       const std::atomic<bool>* stop) {
  const ViewModel& view = view_for(model, view_number, values);
  const Index k = model.n_components();
  const Index p = values.cols();
  ShapValues result{zeros(view, values.rows(), k), base_values(view, k)};
  const TestedFeatures tested(view);
  const std::vector<LinearMap> maps = linear_parts(view, k);
  const MatrixView table = values.less(view.offset);
  const Threads threads = threads_for(tested, values, n_jobs, stop);
  const auto n_tested = static_cast<Index>(tested.features.size());
  const Index block_size = block_rows(values.rows(), n_tested * k, threads.count);
  parallel_blocks(values.rows(), block_size, threads, [&](Index begin, Index end) {
    const RowBlock block(table, begin, end, tested);
    std::vector<double> sums(static_cast<std::size_t>(n_tested * k * block.rows), 0.0);  // tested x K x rows
    std::vector<double> weights;                                                         // players x rows
    ProductGame game;
    for_each_path(view, tested, block, k, [&](const std::vector<Player>& players, const auto& contribution) {
      weights.resize(players.size() * static_cast<std::size_t>(block.rows));
      game.set(players);
      for (std::uint64_t left = block.all(); left != 0;) {
        const std::uint64_t same = game.solve_next(left);
        left &= ~same;
        for (std::uint64_t rest = same; rest != 0; rest &= rest - 1) {
          double* weight = weights.data() + std::countr_zero(rest);
          for (const double shapley : game.shapley()) {
            *weight = shapley;
            weight += block.rows;
          }
        }
      }
      for (std::size_t j = 0; j < players.size(); ++j) {
        add_weighted(contribution, weights.data() + static_cast<Index>(j) * block.rows, block.rows,
                     sums.data() + players[j].feature * k * block.rows);
      }
    });
    for (Index i = begin; i < end; ++i) {
      double* out = result.values.data() + i * p * k;
      for (Index f = 0; f < n_tested; ++f) {
        for (Index c = 0; c < k; ++c) out[tested.features[f] * k + c] = sums[(f * k + c) * block.rows + i - begin];
      }
      for_each_slope(maps, table, i, [&](Index j, Index c, double amount) { out[j * k + c] += amount; });
    }
  });
  blank_absent_rows(model, values, p * k, result.values);
  return result;
}

std::vector<double> shap_interactions(const Model& model, Index view_number, const MatrixView& values, Index component,
                                      Index n_jobs, const std::atomic<bool>* stop) {
  const ViewModel& view = view_for(model, view_number, values);
  const Index k = model.n_components();
  if (component < 0 || component >= k) {
    throw UsageError(fmt::format("There is no component {}; the model has {}, counted from 0.", component, k));
  }
  const Index p = values.cols();
  std::vector<double> result = zeros(view, values.rows(), p);
  const TestedFeatures tested(view);
  const std::vector<LinearMap> maps = linear_parts(view, k);
  const MatrixView table = values.less(view.offset);
  const Threads threads = threads_for(tested, values, n_jobs, stop);
  parallel_blocks(values.rows(), block_rows(values.rows(), 1, threads.count), threads, [&](Index begin, Index end) {
    const RowBlock block(table, begin, end, tested);
    ProductGame game;
    for_each_path(view, tested, block, k, [&](const std::vector<Player>& players, const auto& contribution) {
      const double value = contribution[static_cast<std::size_t>(component)];
      game.set(players);
      for (std::uint64_t left = block.all(); left != 0 && value != 0;) {
        const std::uint64_t same = game.solve_next(left);
        left &= ~same;
        const std::vector<double>& pairs = game.interactions();
        for (std::uint64_t rest = same; rest != 0; rest &= rest - 1) {
          double* out = result.data() + (begin + std::countr_zero(rest)) * p * p;
          const double* pair = pairs.data();
          for (const Player& a : players) {
            for (const Player& b : players) {
              out[tested.features[a.feature] * p + tested.features[b.feature]] += value * *pair++;
            }
          }
        }
      }
    });
    for (Index i = begin; i < end; ++i) {
      for_each_slope(maps, table, i, [&](Index j, Index c, double amount) {
        if (c == component) result[i * p * p + j * p + j] += amount;
      });
    }
  });
  blank_absent_rows(model, values, p * p, result);
  return result;
}

std::vector<FeaturePair> interacting_pairs(const Model& model, Index view_number, const MatrixView& values,
                                           Index component, Index n_jobs, const std::atomic<bool>* stop) {
  const ViewModel& view = view_for(model, view_number, values);
  const TestedFeatures tested(view);
  const auto p = static_cast<Index>(tested.features.size());
  std::vector<FeaturePair> pairs;
  if (p == 0 || values.rows() == 0) return pairs;
  // A view of only the tested features; linear maps contribute no interactions.
  Model of_tested;
  of_tested.parameters = model.parameters;
  ViewModel& small = of_tested.views.emplace_back();
  small.name = view.name;
  small.parts = view.parts;
  for (const Index feature : tested.features) {
    small.feature_names.push_back(view.feature_names[static_cast<std::size_t>(feature)]);
  }
  for (PartModel& part : small.parts) {
    for (Encoder& encoder : part.encoders) {
      for (Tree& tree : encoder) {
        for (Node& node : tree.nodes) {
          if (!node.is_leaf()) node.feature = tested.places[static_cast<std::size_t>(node.feature)];
        }
      }
    }
  }
  constexpr Index kMostNumbers = Index{1} << 24;  // 128 MB
  const Index block = std::clamp<Index>(kMostNumbers / (p * p), 1, values.rows());
  const MatrixView table = values.less(view.offset);
  std::vector<double> sums(static_cast<std::size_t>(p * p), 0.0);
  Index explained = 0;
  for (Index begin = 0; begin < values.rows(); begin += block) {
    Matrix<float> rows(std::min(block, values.rows() - begin), p);
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index j = 0; j < p; ++j) rows(i, j) = table(begin + i, tested.features[static_cast<std::size_t>(j)]);
    }
    const std::vector<double> found = shap_interactions(of_tested, 0, rows, component, n_jobs, stop);
    for (Index i = 0; i < rows.rows(); ++i) {
      if (lacks_view(model, values, begin + i)) continue;
      ++explained;
      const double* of_row = found.data() + i * p * p;
      for (Index at = 0; at < p * p; ++at) sums[static_cast<std::size_t>(at)] += std::abs(of_row[at]);
    }
  }
  for (Index a = 0; a < p; ++a) {
    for (Index b = a + 1; b < p; ++b) {
      const double both = sums[static_cast<std::size_t>(a * p + b)] + sums[static_cast<std::size_t>(b * p + a)];
      if (both == 0) continue;
      pairs.push_back({tested.features[static_cast<std::size_t>(a)], tested.features[static_cast<std::size_t>(b)],
                       both / static_cast<double>(explained)});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const FeaturePair& x, const FeaturePair& y) { return x.mean_abs > y.mean_abs; });
  return pairs;
}

}  // namespace treecca

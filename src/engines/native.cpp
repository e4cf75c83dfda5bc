#include "engines/native.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "engines/sampled_rows.hpp"
#include "samples/lockstep.hpp"
#include "support/parallel.hpp"
#include "support/random.hpp"
#include "trees/leaf_values.hpp"
#include "trees/predict.hpp"
#include "trees/sketch.hpp"

namespace treecca {

/// The part of an encoder's state that all its trees share.
struct NativeEngine::EncoderPlan {
  GrowSettings settings;
  std::vector<Index> usable;  // features that it may use and that can be split
  Index drawn = 0;            // number of them drawn for each tree
};

/// The rows of one encoder's round, which all its trees share: training rows, then the others.
struct NativeEngine::DrawnRows {
  std::vector<RowIndex> rows;
  Index training = 0;
};

struct NativeEngine::Workspace {
  std::unique_ptr<Grower> grower;
  std::unique_ptr<GradientSketch> sketch;   // null: splits are found on the full gradients,
  std::unique_ptr<LeafValues> leaf_values;  // and leaf values are the grower's
  std::vector<std::pair<std::uint64_t, Index>> draws;
  std::vector<Index> features;
};

/// Rows per step of the update: their embeddings stay in the second-level cache for all trees of a round.
static constexpr Index kUpdateBlock = 4096;

/// Number of trees grown concurrently if their histograms are exchanged together: as many as fit into a memory limit,
/// in the process with the most rows.
static Index trees_in_step(Index trees, Index rows, Index histogram_entries, Index entry_bytes, const Peers& peers) {
  constexpr double kBytes = 512e6;
  constexpr double kMost = 32;  // threads
  const auto bytes = static_cast<double>(rows * (2 * entry_bytes + 12) + histogram_entries * entry_bytes);
  const double affordable = std::floor(kBytes / std::max(1.0, peers.max(bytes)));
  return std::min(trees, static_cast<Index>(std::clamp(affordable, 1.0, kMost)));
}

NativeEngine::NativeEngine(const std::vector<BinnedView>& views, const Parameters& parameters, const Folds& folds,
                           const FeatureSets& kept, Threads threads)
    : views_(views), parameters_(parameters), folds_(folds), threads_(threads) {
  Index max_drawn = 0;
  Index max_entries = 0;
  Index max_depth = 0;
  Index max_features = 0;
  for (Index e = 0; e < static_cast<Index>(views.size()) * folds.count; ++e) {
    const Index v = e / folds.count;
    EncoderPlan plan;
    plan.settings = {parameters.max_depth.at(v), parameters.min_child_weight.at(v), parameters.reg_lambda.at(v),
                     parameters.learning_rate.at(v), /*short_leaves=*/parameters.n_repeats > 0};
    std::vector<Index> entries;
    const auto consider = [&](Index j) {
      if (!views[v].varies(j)) return;
      plan.usable.push_back(j);
      entries.push_back(views[v].n_bins(j) + 1);
    };
    if (const auto* features = kept.of(v, static_cast<int>(e % folds.count)); features != nullptr) {
      for (const Index j : *features) consider(j);
    } else {
      for (Index j = 0; j < views[v].features(); ++j) consider(j);
    }
    const auto n_usable = static_cast<Index>(plan.usable.size());
    plan.drawn = std::clamp<Index>(std::llround(parameters.colsample_bytree.at(v) * static_cast<double>(n_usable)), 1,
                                   std::max<Index>(1, n_usable));
    std::sort(entries.begin(), entries.end(), std::greater<>());
    Index most = 0;
    for (Index f = 0; f < std::min(plan.drawn, n_usable); ++f) most += entries[f];
    max_drawn = std::max(max_drawn, plan.drawn);
    max_entries = std::max(max_entries, most);
    max_depth = std::max(max_depth, plan.settings.max_depth);
    max_features = std::max(max_features, n_usable);
    plans_.push_back(std::move(plan));
  }
  const bool joint = parameters.trees == Trees::joint;
  const Index n_rows = folds.rows();
  const Index width = joint ? parameters.trained_components() : 1;
  const bool sketched = joint && uses_sketch(parameters.sketch, width);
  const Index split_width = sketched ? Index{parameters.sketch} : width;
  const Index most_trees = static_cast<Index>(views.size()) * folds.count * parameters.trees_per_round();
  Index n_workspaces = std::min<Index>(threads_.count, most_trees);
  if (!folds.samples->peers().alone()) {
    n_workspaces = trees_in_step(most_trees, n_rows, max_entries * (max_depth + 2),
                                 joint ? padded_lanes(split_width) * 4 : 8, folds.samples->peers());
  }
  for (Index w = 0; w < n_workspaces; ++w) {
    auto workspace = std::make_unique<Workspace>();
    workspace->grower = make_grower(joint, split_width, n_rows, max_drawn, max_entries, max_depth,
                                    folds.samples->total_units(), folds.samples->total());
    if (sketched) {
      const Index total = folds.samples->total();
      workspace->sketch = std::make_unique<GradientSketch>(n_rows, split_width);
      workspace->leaf_values = std::make_unique<LeafValues>(width, std::min(Index{1} << max_depth, total), total);
    }
    workspace->draws.reserve(static_cast<std::size_t>(max_features));
    workspace->features.reserve(static_cast<std::size_t>(max_features));
    workspaces_.push_back(std::move(workspace));
  }
}

NativeEngine::~NativeEngine() = default;

const NativeEngine::EncoderPlan& NativeEngine::plan_of(const EncoderState& encoder) const {
  return plans_[static_cast<std::size_t>(encoder.view * folds_.count + encoder.fold)];
}

void NativeEngine::boost(Index round, std::span<const GrowJob> jobs) {
  const Index per_round = parameters_.trees_per_round();
  for (const GrowJob& job : jobs) job.encoder->trees.resize(static_cast<std::size_t>((round + 1) * per_round));
  const auto n_jobs = static_cast<Index>(jobs.size());
  const Index n_trees = n_jobs * per_round;
  drawn_.resize(std::max(drawn_.size(), jobs.size()));
  leaves_.resize(std::max(leaves_.size(), static_cast<std::size_t>(n_trees)));
  parallel_for(n_jobs, threads_.for_work(n_jobs * folds_.rows()), [&](Index j) {
    draw_rows(round, *jobs[static_cast<std::size_t>(j)].encoder, drawn_[static_cast<std::size_t>(j)]);
  });
  const Peers& peers = folds_.samples->peers();
  // Trees that grow at the same time belong to different encoders where possible: they then write to different memory.
  const auto grow_task = [&](Index task, Index workspace, Threads threads, const Peers& others) {
    const Index j = task % n_jobs, component = task / n_jobs;
    grow_one(round, jobs[static_cast<std::size_t>(j)], component, drawn_[static_cast<std::size_t>(j)],
             leaves_[static_cast<std::size_t>(j * per_round + component)],
             *workspaces_[static_cast<std::size_t>(workspace)], threads, others);
  };
  if (!peers.alone()) {
    const Index lanes = std::min(n_trees, static_cast<Index>(workspaces_.size()));
    const Threads own = threads_.with_count(static_cast<int>(std::max<Index>(1, threads_.count / lanes)));
    run_in_lockstep(lanes, threads_, peers, [&](Index lane, const Peers& others) {
      for (Index task = lane; task < n_trees; task += lanes) grow_task(task, lane, own, others);
    });
  } else {
    const bool tree_by_tree = n_trees >= threads_.count && static_cast<Index>(workspaces_.size()) >= threads_.count;
    const Threads across = tree_by_tree ? threads_ : threads_.with_count(1);
    const Threads within = tree_by_tree ? threads_.with_count(1) : threads_;
    parallel_for_workers(n_trees, across, [&](Index task, int worker) { grow_task(task, worker, within, peers); });
  }
  update_embeddings(round, jobs);
}

/// One pass over the embeddings for all trees of the round.
void NativeEngine::update_embeddings(Index round, std::span<const GrowJob> jobs) {
  const Index per_round = parameters_.trees_per_round();
  const Index blocks = (folds_.rows() + kUpdateBlock - 1) / kUpdateBlock;
  const auto n_jobs = static_cast<Index>(jobs.size());
  const Index work = n_jobs * folds_.rows() * parameters_.trained_components();
  parallel_for(n_jobs * blocks, threads_.for_work(work), [&](Index task) {
    const Index j = task / blocks, begin = task % blocks * kUpdateBlock;
    EncoderState& encoder = *jobs[static_cast<std::size_t>(j)].encoder;
    for (Index t = 0; t < per_round; ++t) {
      leaves_[static_cast<std::size_t>(j * per_round + t)].add_values(
          encoder.trees[static_cast<std::size_t>(round * per_round + t)], begin,
          std::min(begin + kUpdateBlock, folds_.rows()), encoder.embedding);
    }
  });
}

void NativeEngine::grow_one(Index round, const GrowJob& job, Index component, const DrawnRows& drawn,
                            LeafNumbers& leaves, Workspace& workspace, Threads threads, const Peers& peers) {
  EncoderState& encoder = *job.encoder;
  const BinnedView& view = views_[static_cast<std::size_t>(encoder.view)];
  const EncoderPlan& plan = plan_of(encoder);
  const Samples& samples = *folds_.samples;
  const bool joint = parameters_.trees == Trees::joint;
  Grower& grower = *workspace.grower;
  std::copy(drawn.rows.begin(), drawn.rows.end(), grower.rows().begin());
  const RowCounts counts(drawn.training, folds_.rows() - drawn.training);
  draw_features(round, encoder, component, workspace);
  const GradientSource gradients{job.current,
                                 job.target,
                                 joint ? 0 : component,
                                 joint ? parameters_.trained_components() : 1,
                                 samples.weight_units().empty() ? nullptr : samples.weight_units().data(),
                                 samples.units_per_weight()};
  std::span<const float> leaf_values;
  if (workspace.sketch != nullptr) {
    const Matrix<float> directions =
        random_directions(gradients.width, parameters_.sketch,
                          {parameters_.random_state,
                           Draw::gradient_sketch,
                           {static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(encoder.view),
                            static_cast<std::uint64_t>(encoder.fold)}});
    const GradientSource sums = workspace.sketch->apply(
        gradients, directions, grower.rows().first(static_cast<std::size_t>(counts.training)), threads);
    grower.grow(view, sums, counts, workspace.features, plan.settings, threads, peers);
    leaf_values = workspace.leaf_values->fit(grower, counts.training, gradients, plan.settings, threads, peers);
  } else {
    grower.grow(view, gradients, counts, workspace.features, plan.settings, threads, peers);
    leaf_values = grower.leaf_values();
  }
  number_leaves(grower, folds_.rows(), leaves);
  encoder.trees[static_cast<std::size_t>(round * parameters_.trees_per_round() + component)] =
      to_tree(grower, leaf_values, view, joint ? -1 : component);
}

void NativeEngine::draw_rows(Index round, const EncoderState& encoder, DrawnRows& drawn) const {
  const SampledRows sampled(parameters_, folds_, round, encoder);
  const Index n_rows = folds_.rows();
  drawn.rows.resize(static_cast<std::size_t>(n_rows));
  // Training rows from the front, the others from the back. Both places are written, which needs no branch: the next
  // row of the same kind overwrites the wrong one.
  RowIndex* const rows = drawn.rows.data();
  Index n = 0;
  for (Index i = 0; i < n_rows; ++i) {
    rows[n] = static_cast<RowIndex>(i);
    rows[n_rows - 1 - (i - n)] = static_cast<RowIndex>(i);
    n += sampled.contains(i) ? 1 : 0;
  }
  std::reverse(rows + n, rows + n_rows);
  drawn.training = n;
}

void NativeEngine::draw_features(Index round, const EncoderState& encoder, Index component,
                                 Workspace& workspace) const {
  const EncoderPlan& plan = plan_of(encoder);
  const auto n_usable = static_cast<Index>(plan.usable.size());
  if (plan.drawn >= n_usable) {
    workspace.features.assign(plan.usable.begin(), plan.usable.end());
    return;
  }
  const RandomKey key(parameters_.random_state, Draw::columns,
                      {static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(encoder.view),
                       static_cast<std::uint64_t>(encoder.fold), static_cast<std::uint64_t>(component)});
  workspace.draws.clear();
  for (const Index feature : plan.usable) {
    workspace.draws.emplace_back(key.bits(static_cast<std::uint64_t>(feature)), feature);
  }
  std::nth_element(workspace.draws.begin(), workspace.draws.begin() + plan.drawn, workspace.draws.end());
  workspace.features.clear();
  for (Index f = 0; f < plan.drawn; ++f) workspace.features.push_back(workspace.draws[f].second);
  std::sort(workspace.features.begin(), workspace.features.end());
}

void NativeEngine::rewind(EncoderState& encoder, Index rounds, const Matrix<float>* base) {
  encoder.trees.resize(static_cast<std::size_t>(rounds * parameters_.trees_per_round()));
  encoder.embedding = base != nullptr ? *base : Matrix<float>(folds_.rows(), parameters_.trained_components());
  for (const Tree& tree : encoder.trees) {
    add_tree(tree, views_[static_cast<std::size_t>(encoder.view)], encoder.embedding);
  }
}

}  // namespace treecca

// TreeCCA's own engine: histogram trees on binned views.
//
// Threads work on different trees if there are at least as many trees as threads, else inside the histograms of one.
// Rows and columns are drawn by counter (seed, round, view, fold, tree, index), and all sums are integers, so the
// result does not depend on this. With rows in several processes, the trees of a round are grown in step, so that their
// histograms are exchanged together.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "data/binning.hpp"
#include "data/feature_sets.hpp"
#include "engines/engine.hpp"
#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/parameters.hpp"
#include "trees/grow.hpp"

namespace treecca {

class NativeEngine final : public Engine {
 public:
  /// `parameters` without "auto" values. All references except `kept` must outlive the engine.
  NativeEngine(const std::vector<BinnedView>& views, const Parameters& parameters, const Folds& folds,
               const FeatureSets& kept, Threads threads);
  ~NativeEngine() override;

  void boost(Index round, std::span<const GrowJob> jobs) override;
  void rewind(EncoderState& encoder, Index rounds, const Matrix<float>* base) override;
  const BinnedView* bins(Index view) const override { return &views_[static_cast<std::size_t>(view)]; }

 private:
  struct Workspace;
  struct EncoderPlan;
  struct DrawnRows;

  void grow_one(Index round, const GrowJob& job, Index component, const DrawnRows& drawn, LeafNumbers& leaves,
                Workspace& workspace, Threads threads, const Peers& peers);
  void update_embeddings(Index round, std::span<const GrowJob> jobs);
  void draw_rows(Index round, const EncoderState& encoder, DrawnRows& drawn) const;
  void draw_features(Index round, const EncoderState& encoder, Index component, Workspace& workspace) const;
  const EncoderPlan& plan_of(const EncoderState& encoder) const;

  const std::vector<BinnedView>& views_;
  const Parameters& parameters_;
  const Folds& folds_;
  Threads threads_;
  std::vector<EncoderPlan> plans_;                      // view-major: view * folds + fold
  std::vector<std::unique_ptr<Workspace>> workspaces_;  // one per tree that is grown at the same time
  std::vector<DrawnRows> drawn_;                        // one per job of a round
  std::vector<LeafNumbers> leaves_;                     // one per tree of a round
};

}  // namespace treecca

// Refits for stability and out-of-fold importances: fits of a model's settings to some of its samples, and their
// rotation to the components of the model. With the native engine each thread runs one fit. With other engines fits run
// one after the other, with all threads, because XGBoost fails if several threads train at the same time.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "fit/alignment.hpp"
#include "support/parallel.hpp"
#include "support/run.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// The model must outlive the object.
class Refits {
 public:
  /// `total`: how many fits there will be, for progress.
  Refits(const Model& model, const FitOptions& options, Index total);

  Threads threads() const { return run_.threads(); }
  /// Threads for the work of one fit inside in_batches.
  Index jobs_each() const { return side_by_side() ? 1 : threads().count; }
  const std::atomic<bool>* stop() const { return quiet_.stop; }
  /// Fits the model's settings, without progress and warnings. Thread-safe. `samples`: groups, weights and covariates
  /// of the rows of the views.
  FitResult of(const std::vector<View>& views, const SampleOptions& samples, std::uint64_t seed, Index n_jobs) const;
  /// Reports that this number of further refits is done.
  void done(Index refits);

  /// Runs body(0) to body(count - 1) in parallel; each makes `fits_each` fits of jobs_each() threads.
  template <class Body>
  void in_batches(Index count, Index fits_each, Body&& body) {
    const Threads together = side_by_side() ? threads() : Threads(1, stop());
    const Index batch = together.count;
    for (Index begin = 0; begin < count; begin += batch) {
      const Index end = std::min(begin + batch, count);
      parallel_for(end - begin, together, [&](Index i) { body(begin + i); });
      done(fits_each * (end - begin));
    }
  }

 private:
  bool side_by_side() const { return model_.asked.engine == EngineKind::native; }

  const Model& model_;
  FitOptions quiet_;
  Run run_;
  Index done_ = 0, total_;
};

/// The variates in double precision, 0 where a sample lacks the view.
Variates as_variates(const std::vector<Matrix<float>>& views);

/// The model whose variates are the variates of `model` times a K x K rotation. Loadings and correlations are
/// unchanged.
Model rotated_model(Model model, const Eigen::MatrixXd& by);

/// A sentence if the data are not the samples of the fit; else empty. `data`: the views of the model, in its order.
std::string other_samples(const Model& model, const Dataset& data);

/// DataError unless the data are the samples of the fit, in the model's order of the views. `why`: a sentence.
void check_samples_of_fit(const Model& model, const Dataset& data, std::string_view why);

/// UsageError for several processes and a model of one table. `what`: the subject of the sentence.
void check_can_refit(const Model& model, const FitOptions& options, std::string_view what);

}  // namespace treecca

// Feature screening: which features depend on a feature of another view, before any tree is grown.
//
// Every feature is cut into up to six bins of about equal counts. Every pair of features of two views is tested by
// the chi-square statistic of their table. A feature's score is the score of its best pair, as a standard normal
// deviate (Wilson-Hilferty), so that features with fewer bins are comparable. Equal values share a bin. A bin has at
// least sqrt(N) rows, so the expected count of each cell of a table is at least one; a nearly constant feature cannot
// be cut like this and scores 0. Missing values have their own bin if there are sqrt(N) or more; else they join the
// middle bin.
// Pairs do not detect pure interactions: a feature that matters only together with another feature scores like noise.
//
// Time: about 3 * 10^9 features x features x rows per second and thread (AVX2). Memory: the input once, as bytes.
// Deterministic for any number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "treecca/model.hpp"
#include "treecca/view.hpp"

namespace treecca {

struct ScreenOptions {
  /// Permutations for p-values; 0: none. Each permutes whole rows of every view except the first. p = (1 + permutations
  /// whose highest score is at least this score) / (1 + permutations): the probability that any feature scores as high
  /// if the views are independent.
  Index n_permutations = 99;
  std::vector<double> sample_weight;  // empty, or N; with weights p-values are approximate
  std::uint64_t random_state = 0;
  Index n_jobs = -1;
  const std::atomic<bool>* stop = nullptr;
};

/// Scores of all features, per view. Rows are assumed independent; if they are not (repeated measurements), p-values
/// are too small. Failure: UsageError, DataError (as fit), Interrupted.
std::vector<FeatureScores> screen(const std::vector<View>& views, const ScreenOptions& options = {});

/// A line per view for the user: the number of features that the trees could use, and the features with the highest
/// scores. Empty if the model was fitted without screening.
std::vector<std::string> screening_summary(const Model& model);

}  // namespace treecca

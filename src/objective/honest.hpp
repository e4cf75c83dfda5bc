// Correlations of embeddings: on their own rows, or honestly.
//
// Out of fold, not only the embeddings but also the rotation must not have seen the rows it is judged on: fold f is
// turned by the rotation fitted to the moments of the other folds, and the turned moments of all folds are pooled.
// Works on moments alone, so it costs the same for any number of rows.
#pragma once

#include <vector>

#include "objective/moments.hpp"

namespace treecca {

struct ComponentCorrelations {
  std::vector<double> pairwise;       // M x M x K
  std::vector<double> per_component;  // K: mean over pairs
  double tcc() const;                 // their sum
};

/// rotate = false judges the components as they are.
ComponentCorrelations out_of_fold_correlations(const Moments& moments, int n_views, bool rotate = true);

/// Rotation (if any) and judgement on the same pooled moments. Without rotation the magnitudes count.
ComponentCorrelations in_sample_correlations(const Moments& moments, int n_views, bool rotate = true);

}  // namespace treecca

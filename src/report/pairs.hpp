// The pairs of views that share a component, for models of more than two views.
#pragma once

#include <string>
#include <vector>

#include "support/document.hpp"
#include "treecca/loadings.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// A pair of views, by number, and the position of its first component in M x M x K numbers.
struct ViewPair {
  std::size_t first = 0, second = 0, at = 0;
};

/// Every pair once.
std::vector<ViewPair> view_pairs(std::size_t n_views, std::size_t n_components);

/// One pair of views in one component, above its noise threshold.
struct SharedPair {
  std::size_t first = 0;  // numbers of the views
  std::size_t second = 0;
  double correlation = 0;  // out of fold
  double standard_error = 0;
};

/// The highest correlation first. Empty without cross-fitting.
std::vector<SharedPair> shared_pairs(const Model& model, Index component);

/// "rna and protein 0.91, rna and mirna 0.85", "all pairs, 0.62 to 0.91" or "none"; at most `most` are named.
std::string shared_pairs_in_words(const Model& model, Index component, std::size_t most);

/// A block of the summary: a line per component. Empty for two views and without cross-fitting.
std::string shared_pairs_text(const Model& model);

/// An object with the arrays low and high, because readers of a summary do not support arrays of arrays.
Document intervals_document(const std::vector<Interval>& intervals);

/// Per pair of views its names, correlations, standard errors, 95% intervals, and whether they exceed the noise
/// threshold.
Document pairs_document(const Model& model);

}  // namespace treecca

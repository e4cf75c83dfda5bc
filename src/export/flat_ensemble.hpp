// A view's encoders in the form of other libraries: K outputs, each an intercept plus a sum of leaves.
//
//     variates(x) = intercept + maps(x) + sum over trees of leaf(x)
// The mean over encoders, the parts, centring and rotation are part of these numbers, computed in double precision
// before leaves are rounded to float.
#pragma once

#include <string>
#include <vector>

#include "treecca/model.hpp"

namespace treecca {

struct FlatEnsemble {
  std::vector<std::string> feature_names;
  Levels levels;                  // of the categories, whose values are positions of levels
  Index n_outputs = 0;            // K
  std::vector<double> intercept;  // K
  std::vector<LinearMap> maps;    // weights p x K: base margin, linear CCA, if present
  std::vector<Tree> trees;        // of all components: leaves x K values; never empty
};

FlatEnsemble flat_ensemble(const ViewModel& view, Index n_components);

/// The value of each node, nodes x K: a leaf's own value; for a split, the mean of its leaves by cover.
Matrix<float> node_values(const Tree& tree, Index n_outputs);

}  // namespace treecca

// Suggests the number of components to keep, with the reason.
#pragma once

#include <string>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// K each, in the order of the components.
struct ComponentEvidence {
  std::vector<bool> found;        // above its noise threshold
  std::vector<double> p_values;   // of a permutation test, instead of `found`; or none
  std::vector<double> recovered;  // mean over half-samples
};

struct Suggestion {
  Index n_components = 0;
  std::string reason;  // a sentence
};

/// Components from the first on, as long as each is above noise (with p-values: p <= 0.05) and half-samples recover it
/// (kStable).
Suggestion suggest(const ComponentEvidence& evidence);

}  // namespace treecca

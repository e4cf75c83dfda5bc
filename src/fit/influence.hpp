// Whether a component rests on a few samples: an outlier in all views makes a correlation of 1 by itself.
#pragma once

#include <string>

#include "samples/samples.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// A sentence that names the samples, at most five and at most one in a hundred (but one at least), that make more than
/// half of the out-of-fold covariance of a component; of the component where they make most. Empty if there is none
/// among those that were found. (The correlation without them is not given: the other rows were centred with them.)
/// Collective.
std::string decisive_samples(const FitResult& result, const Samples& samples);

}  // namespace treecca

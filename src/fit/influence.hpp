// Detects components that depend on a few samples: an outlier in all views alone makes a correlation of 1.
#pragma once

#include <string>

#include "samples/samples.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// A sentence that names the samples that contribute more than half of a component's out-of-fold covariance: at most
/// five of them, and at most one in a hundred (but at least one). It is about the component above noise where their
/// contribution is largest; empty if there is none. (The correlation without them is not computed: the other rows were
/// centred with them.)
/// Collective.
std::string decisive_samples(const FitResult& result, const Samples& samples);

}  // namespace treecca

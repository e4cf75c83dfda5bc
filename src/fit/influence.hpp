// Detects components that depend on a few samples. A single outlier in all views can make a correlation near 1.
#pragma once

#include <string>

#include "samples/samples.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// A sentence that names the samples that contribute more than half of a component's out-of-fold covariance: at most
/// five samples, and at most one in a hundred (but at least one). It describes the component above noise with the
/// largest such contribution; empty if there is none. (The correlation without them is not computed: the other rows
/// were centred with them.)
/// Collective.
std::string decisive_samples(const FitResult& result, const Samples& samples);

}  // namespace treecca

// Warns about samples that make views correlate by themselves: gaps in the same samples, and repeated samples.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.hpp"

namespace treecca {

/// Sentences for the user about: samples without any value in a view; views whose missing values are in the same
/// samples; samples outside a common group with equal values in all views (unless all features are categories, whose
/// rows repeat by chance). Collective; with several processes repeated samples are not searched.
std::vector<std::string> sample_warnings(const Dataset& data);

}  // namespace treecca

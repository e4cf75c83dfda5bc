// Warnings about samples that make views correlate by themselves: gaps in the same samples, and samples that repeat.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.hpp"

namespace treecca {

/// Sentences for the user: samples without any value in a view; views whose missing values are in the same samples;
/// samples that have the values of another one in all views without being in its group (where features are not mere
/// categories, whose rows repeat by chance). Collective; with several processes repeated samples are not looked for.
std::vector<std::string> sample_warnings(const Dataset& data);

}  // namespace treecca

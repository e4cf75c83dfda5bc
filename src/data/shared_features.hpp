// Finds features that are in two views, e.g. age in years and in months. Such a feature alone makes a correlation of 1.
#pragma once

#include <functional>
#include <string>

#include "data/dataset.hpp"

namespace treecca {

/// A sentence about the first pair of features of two views that are equal except for scale, sign and offset, and the
/// number of further pairs; empty if there is none. Ignores features that vary in three rows or fewer, and features
/// with skip(view, column). Collective.
std::string shared_features_warning(const Dataset& data, const std::function<bool(std::size_t, Index)>& skip);

}  // namespace treecca

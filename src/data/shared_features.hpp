// Features that are in two views: age in years here, in months there. They make a correlation of 1 by themselves.
#pragma once

#include <functional>
#include <string>

#include "data/dataset.hpp"

namespace treecca {

/// A sentence about the first pair of features of two views that are equal but for scale, sign and offset, and how many
/// more there are; empty if there is none. Features that vary in three rows or fewer and those of which
/// skip(view, column) is true do not count. Collective.
std::string shared_features_warning(const Dataset& data, const std::function<bool(std::size_t, Index)>& skip);

}  // namespace treecca

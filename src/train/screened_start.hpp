// Start values of a view whose features were screened.
#pragma once

#include "samples/folds.hpp"
#include "screen/choose.hpp"
#include "train/start.hpp"

namespace treecca {

/// As start_values, from the features that are left: with so many others a start would be noise. Every row starts from
/// the features that its fold kept, so that the choice is no more theirs than the trees' are; the folds' starts are
/// turned to meet each other. A start that stays as base margin is one function for all rows and uses all features.
/// `kept`: per fold, or empty.
Start screened_start(const View& view, Index view_number, const std::vector<std::vector<std::int32_t>>& kept,
                     const Folds& folds, const Parameters& parameters, Threads threads);

}  // namespace treecca

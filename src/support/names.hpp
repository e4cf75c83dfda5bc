// Generates feature names, and suggests corrections: "Did you mean ...?"
//
// Pure functions; thread-safe; never fail.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treecca {

/// Names of unnamed features: f0, f1, ...
std::vector<std::string> generated_names(std::size_t count);

/// Whether the names equal those of `generated_names`.
bool are_generated(const std::vector<std::string>& names);

/// Edit distance of two words: insertions, deletions, replacements and swaps of neighbouring characters.
int edit_distance(std::string_view a, std::string_view b);

/// The nearest of `known` if it is a plausible correction, else "". Of equally near names, the first.
std::string nearest_name(std::string_view word, const std::vector<std::string_view>& known);

/// ` Did you mean "x"?` (with the space before it), or "" if no name is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace treecca

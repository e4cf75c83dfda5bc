// Names: generated ones, and "Did you mean ...?" for names that are almost right.
//
// Pure functions; thread-safe; never fail.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treecca {

/// Names of features that have none: f0, f1, ...
std::vector<std::string> generated_names(std::size_t count);

/// Whether these are generated names: f0, f1, ... in order.
bool are_generated(const std::vector<std::string>& names);

/// Number of single-character insertions, removals, replacements and swaps of neighbours between
/// two words.
int edit_distance(std::string_view a, std::string_view b);

/// The nearest of `known` when it is near enough to be what was meant, else "". The first of equals
/// wins.
std::string nearest_name(std::string_view word, const std::vector<std::string_view>& known);

/// ` Did you mean "x"?` (with the space before it), or "" when no name is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace treecca

// One view: a table of the data, given by reference.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// Per feature the names of its levels; empty for a number. Empty as a whole: all features are numbers. The value of a
/// category is the position of its level, from 0.
using Levels = std::vector<std::vector<std::string>>;

/// Maximum number of levels of a category: a bin is one byte, and missing values need one bin.
inline constexpr std::size_t kMaxLevels = 255;

/// A name, numbers (owned by the caller, alive during the call) and the names of the features (f0, f1, ... when empty).
struct View {
  std::string name;
  MatrixView values;
  std::vector<std::string> feature_names = {};
  Levels levels = {};
};

}  // namespace treecca

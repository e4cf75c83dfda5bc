// One view: a table of the data, given by reference.
#pragma once

#include <string>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// A name, numbers (owned by the caller, alive during the call) and the names of the features (f0, f1, ... when empty).
struct View {
  std::string name;
  MatrixView values;
  std::vector<std::string> feature_names = {};
};

}  // namespace treecca

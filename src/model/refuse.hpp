// Throws the ModelError of a failed check, with the path of the element at fault.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "treecca/error.hpp"

namespace treecca {

[[noreturn]] inline void refuse(std::string_view path, std::string_view reason) {
  throw ModelError(fmt::format("{} {}.", path, reason));
}

template <class T>
void check_finite(std::string_view path, const std::vector<T>& values) {
  if (!std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); })) {
    refuse(path, "holds a number that is not finite");
  }
}

}  // namespace treecca

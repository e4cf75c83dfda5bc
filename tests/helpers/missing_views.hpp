// Samples that lack views, for tests.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "samples/samples.hpp"
#include "treecca/matrix.hpp"

namespace treecca::testing {

/// Whether a row lacks a view, in a pattern without order: about a sixth of the rows of two views, and row 5 all of
/// them.
inline bool lacks(Index view, Index row) { return row == 5 || (row * 7 + row / 3) % 12 == 2 * view; }

/// Samples with `views` views, of which they lack some as `lacks` says (row numbers count).
inline Samples with_gaps(Samples samples, Index views) {
  std::vector<std::string> names;
  for (Index v = 0; v < views; ++v) names.push_back(std::string(1, static_cast<char>('a' + v)));
  std::vector<std::uint8_t> present;
  for (Index i = 0; i < samples.here(); ++i) {
    for (Index v = 0; v < views; ++v) present.push_back(lacks(v, samples.number(i)) ? 0 : 1);
  }
  samples.set_presence(std::move(names), std::move(present));
  return samples;
}

/// Sets the values of rows that lack the view to NaN.
template <class T>
Matrix<T> with_gaps(Matrix<T> values, Index view) {
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols() && lacks(view, i); ++j) values(i, j) = std::numeric_limits<T>::quiet_NaN();
  }
  return values;
}

}  // namespace treecca::testing

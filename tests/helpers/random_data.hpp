// Small random tables for tests: a pure function of the seed.
#pragma once

#include <cmath>
#include <limits>
#include <random>

#include "treecca/matrix.hpp"

namespace treecca::testing {

inline Matrix<float> normal_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Matrix<float> m(rows, cols);
  for (float& x : m.values()) x = static_cast<float>(normal(generator));
  return m;
}

/// Values on a coarse grid (many ties), a share of them missing.
inline Matrix<float> gridded_matrix(Index rows, Index cols, unsigned seed, double missing_share) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Matrix<float> m(rows, cols);
  for (float& x : m.values()) {
    x = static_cast<float>(std::round(4 * normal(generator)) / 4);
    if (uniform(generator) < missing_share) x = std::numeric_limits<float>::quiet_NaN();
  }
  return m;
}

}  // namespace treecca::testing

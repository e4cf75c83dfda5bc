// Views with a known relation, for tests of whole fits.
#pragma once

#include <cmath>
#include <vector>

#include "helpers/random_data.hpp"
#include "treecca/fit.hpp"
#include "treecca/matrix.hpp"

namespace treecca::testing {

struct TwoViews {
  Matrix<float> a;
  Matrix<float> b;
  std::vector<View> views() const { return {{"a", a}, {"b", b}}; }
};

inline TwoViews independent_views(Index n, Index p, unsigned seed) {
  return {normal_matrix(n, p, 2 * seed), normal_matrix(n, p, 2 * seed + 1)};
}

/// The first k features of each view share a Gaussian latent: their correlation is `strength`, linear; the rest is
/// noise.
inline TwoViews linear_views(Index n, Index p_a, Index p_b, Index k, double strength, unsigned seed) {
  const Matrix<float> latent = normal_matrix(n, k, 3 * seed);
  TwoViews views{normal_matrix(n, p_a, 3 * seed + 1), normal_matrix(n, p_b, 3 * seed + 2)};
  const double own = std::sqrt(1 - strength);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < k; ++c) {
      views.a(i, c) = static_cast<float>(std::sqrt(strength) * latent(i, c) + own * views.a(i, c));
      views.b(i, c) = static_cast<float>(std::sqrt(strength) * latent(i, c) + own * views.b(i, c));
    }
  }
  return views;
}

/// A signal without linear correlation: z^2 - 1 against z^3 - 3z, per component; `noise` features besides.
inline TwoViews hermite_views(Index n, Index k, Index noise, unsigned seed) {
  const Matrix<float> latent = normal_matrix(n, k, 3 * seed);
  TwoViews views{normal_matrix(n, k + noise, 3 * seed + 1), normal_matrix(n, k + noise, 3 * seed + 2)};
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < k; ++c) {
      const double z = latent(i, c);
      views.a(i, c) = static_cast<float>(z * z - 1 + 0.15 * views.a(i, c));
      views.b(i, c) = static_cast<float>(z * z * z - 3 * z + 0.15 * views.b(i, c));
    }
  }
  return views;
}

}  // namespace treecca::testing

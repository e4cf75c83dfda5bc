#include "fit/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace treecca {
namespace {

/// Correlation of a column of out-of-fold variates, which are centred, with the next row. Rows that lack the view count
/// as the mean.
double with_next_row(const Matrix<float>& z, Index component) {
  double products = 0;
  double squares = 0;
  const auto value = [&](Index i) { return std::isnan(z(i, component)) ? 0.0F : z(i, component); };
  for (Index i = 0; i < z.rows(); ++i) {
    const double x = value(i);
    squares += x * x;
    if (i + 1 < z.rows()) products += x * value(i + 1);
  }
  return squares > 0 ? products / squares : 0.0;
}

}  // namespace

std::string alike_neighbours(const FitResult& result, const Samples& samples) {
  constexpr double kAlike = 0.8;  // rows sorted by a class have up to 0.73 in the tables of benchmarks/splits.py
  constexpr Index kFewRows = 30;
  if (samples.grouped() || !samples.peers().alone() || samples.here() < kFewRows || result.out_of_fold.empty())
    return "";
  const std::vector<bool> found = result.model.found();
  double most = kAlike;
  Index component = -1;
  for (Index c = 0; c < static_cast<Index>(found.size()); ++c) {
    if (!found[static_cast<std::size_t>(c)]) continue;
    double least = 1;
    for (const Matrix<float>& z : result.out_of_fold) least = std::min(least, with_next_row(z, c));
    if (least <= most) continue;
    most = least;
    component = c;
  }
  if (component < 0) return "";
  return fmt::format(
      "Neighbouring rows are alike (component {}: correlation {:.2f} with the next row). If the rows are sorted by a "
      "class, this is harmless. If they follow each other in time or space, the correlations are too high: give blocks "
      "of rows as groups. If every file was sorted on its own, the rows do not belong together.",
      component + 1, most);
}

}  // namespace treecca

#include "train/augmented_copies.hpp"

#include <algorithm>

namespace treecca {
namespace {

std::vector<int> twice(std::vector<int> of_row) {
  const std::size_t n = of_row.size();
  of_row.resize(2 * n);
  std::copy_n(of_row.begin(), n, of_row.begin() + static_cast<std::ptrdiff_t>(n));
  return of_row;
}

}  // namespace

AugmentedCopies::AugmentedCopies(const View& view, const Redraw& redraw, Index max_bin, const Folds& folds,
                                 Threads threads, StageClock& clock)
    : redraw_(redraw),
      threads_(threads),
      n_(view.values.rows()),
      rows_(2 * n_, view.values.cols()),
      stacked_samples_(2 * n_),
      learned_folds_(stacked() ? Folds::assigned(stacked_samples_, folds.count, folds.held_out, twice(folds.of_row))
                               : folds) {
  learned_.push_back({view.name, {rows_.data(), learned_folds_.rows(), rows_.cols()}, view.feature_names, view.levels});
  draw(0, clock);
  clock.time("bin", [&] { bins_.emplace_back(learned_[0], max_bin, threads_); });
}

Matrix<float> AugmentedCopies::learned_gradient(const Matrix<float>& first, const Matrix<float>& second) const {
  Matrix<float> result(learned_folds_.rows(), first.cols());
  if (stacked()) {
    std::copy(first.values().begin(), first.values().end(), result.data());
    std::copy(second.values().begin(), second.values().end(), result.row(n_));
    return result;
  }
  for (std::size_t i = 0; i < result.values().size(); ++i) {
    result.values()[i] = 0.5F * first.values()[i] + 0.5F * second.values()[i];
  }
  return result;
}

void AugmentedCopies::draw(Index round, StageClock& clock) {
  clock.time("augment", [&] {
    Matrix<float> copy(n_, rows_.cols());
    for (int c = 0; c < 2; ++c) {
      redraw_.augment(round, c, copy);
      std::copy(copy.values().begin(), copy.values().end(), rows_.row(c * n_));
    }
  });
  if (!bins_.empty()) clock.time("bin", [&] { bins_[0].recode(learned_[0], threads_); });
}

}  // namespace treecca

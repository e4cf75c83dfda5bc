#include "train/augment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/parallel.hpp"
#include "support/random.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr Index kAugmentedRows = 256;

void check(const Augmentation& augmentation) {
  const auto probability = [](const char* name, double value) {
    if (!(value >= 0 && value < 1)) {
      throw UsageError(
          fmt::format("{} is the fraction of cells that change: at least 0 and below 1, not {}.", name, value));
    }
  };
  probability("swap", augmentation.swap);
  probability("mask", augmentation.mask);
  if (!(augmentation.noise >= 0) || !std::isfinite(augmentation.noise)) {
    throw UsageError(fmt::format("noise is a standard deviation: at least 0, not {}.", augmentation.noise));
  }
  if (!augmentation.any()) {
    throw UsageError(
        "Without an augmentation both copies of a row are equal and there is nothing to learn: set swap, mask, "
        "sign_flip or noise.");
  }
}

float deviation_of(const MatrixView& values, Index feature) {
  double count = 0, sum = 0, squares = 0;
  for (Index i = 0; i < values.rows(); ++i) {
    const double x = values(i, feature);
    if (!std::isfinite(x)) continue;
    count += 1;
    const double step = x - sum;  // running mean and squares (Welford): large offsets lose no digits
    sum += step / count;
    squares += step * (x - sum);
  }
  return count > 1 ? static_cast<float>(std::sqrt(squares / (count - 1))) : 0.0F;
}

[[noreturn]] void refuse_noise(double noise) {
  throw UsageError(fmt::format(
      "Noise of {} standard deviations takes values beyond single precision. Lower noise, or rescale the features.",
      noise));
}

}  // namespace

Augmenter::Augmenter(const MatrixView& values, const Augmentation& augmentation, std::uint64_t seed, Threads threads,
                     const Levels& levels)
    : values_(values),
      augmentation_(augmentation),
      seed_(seed),
      threads_(threads),
      deviation_(static_cast<std::size_t>(values.cols()), 0.0F),
      category_(static_cast<std::size_t>(values.cols()), 0) {
  check(augmentation);
  for (std::size_t j = 0; j < levels.size(); ++j) category_[j] = levels[j].empty() ? 0 : 1;
  if (augmentation.swap == 0 && augmentation.mask == 0 &&
      std::count(category_.begin(), category_.end(), 1) == values.cols()) {
    throw UsageError("All features are categories, which noise and sign_flip do not change: set swap or mask.");
  }
  parallel_for(values.cols(), threads, [&](Index j) { deviation_[j] = deviation_of(values_, j); });
}

void Augmenter::draw(Index round, int copy, Matrix<float>& out) const {
  const auto key = [&](std::uint64_t what) {
    return RandomKey(seed_, Draw::augment, {static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(copy), what});
  };
  const RandomKey swapped = key(0), partner = key(1), masked = key(2), flipped = key(3), noise = key(4);
  const Index n = values_.rows();
  const Index p = values_.cols();
  parallel_blocks(n, kAugmentedRows, threads_, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index j = 0; j < p; ++j) {
        const auto cell = static_cast<std::uint64_t>(i * p + j);
        Index from = i;
        if (augmentation_.swap > 0 && swapped.uniform(cell) < augmentation_.swap) {
          from = static_cast<Index>(partner.bits(cell) % static_cast<std::uint64_t>(n));
        }
        float x = values_(from, j);
        if (augmentation_.mask > 0 && masked.uniform(cell) < augmentation_.mask) {
          x = std::numeric_limits<float>::quiet_NaN();
        }
        if (category_[static_cast<std::size_t>(j)] != 0) {
          out(i, j) = x;
          continue;
        }
        if (augmentation_.sign_flip && (flipped.bits(cell) & 1U) != 0) x = -x;
        if (augmentation_.noise > 0) {
          x += static_cast<float>(augmentation_.noise * noise.normal(cell)) * deviation_[j];
          if (std::fabs(x) >= std::numeric_limits<float>::max()) refuse_noise(augmentation_.noise);
        }
        out(i, j) = x;
      }
    }
  });
}

}  // namespace treecca

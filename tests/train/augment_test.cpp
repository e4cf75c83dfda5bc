#include "train/augment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "support/random.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// Column j holds 10 j + (0, 1] with a spread of its own; no value is in two columns.
Matrix<float> table(Index n, Index p) {
  Matrix<float> x(n, p);
  const RandomKey key(5, Draw::start);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < p; ++j) {
      x(i, j) =
          static_cast<float>(10.0 * static_cast<double>(j + 1) + key.uniform(static_cast<std::uint64_t>(i * p + j)));
    }
  }
  return x;
}

Matrix<float> drawn(const Matrix<float>& x, const Augmentation& augmentation, Index round = 0, int copy = 0,
                    int threads = 1, std::uint64_t seed = 1) {
  Matrix<float> out(x.rows(), x.cols());
  Augmenter(x, augmentation, seed, threads).draw(round, copy, out);
  return out;
}

template <class Changed>
double share(const Matrix<float>& x, const Matrix<float>& y, Changed&& changed) {
  double count = 0;
  for (std::size_t i = 0; i < x.values().size(); ++i) count += changed(x.values()[i], y.values()[i]) ? 1 : 0;
  return count / static_cast<double>(x.values().size());
}

TEST(Augmenter, SwapsWithinAFeature) {
  const Matrix<float> x = table(2000, 3);
  const Matrix<float> y = drawn(x, {.swap = 0.3});
  EXPECT_NEAR(share(x, y, [](float a, float b) { return a != b; }), 0.3, 0.03);
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) EXPECT_EQ(std::floor(y(i, j) / 10), static_cast<float>(j + 1));
  }
}

TEST(Augmenter, MasksFlipsAndAddsNoiseInUnitsOfTheFeature) {
  const Matrix<float> x = table(4000, 2);
  EXPECT_NEAR(share(x, drawn(x, {.mask = 0.2}), [](float, float b) { return std::isnan(b); }), 0.2, 0.03);
  const Matrix<float> flipped = drawn(x, {.sign_flip = true});
  EXPECT_NEAR(share(x, flipped, [](float a, float b) { return a == -b; }), 0.5, 0.03);
  EXPECT_EQ(share(x, flipped, [](float a, float b) { return std::fabs(a) == std::fabs(b); }), 1.0);
  const Matrix<float> noisy = drawn(x, {.noise = 0.5});
  double squares = 0;
  for (std::size_t i = 0; i < x.values().size(); ++i) squares += std::pow(noisy.values()[i] - x.values()[i], 2);
  const double deviation_of_uniform = std::sqrt(1.0 / 12);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(x.values().size())), 0.5 * deviation_of_uniform, 0.005);
}

TEST(Augmenter, DependsOnSeedRoundAndCopyAlone) {
  const Matrix<float> x = table(700, 4);
  const Augmentation all{.swap = 0.2, .mask = 0.0, .sign_flip = true, .noise = 0.3};
  const Matrix<float> one = drawn(x, all, 3, 0);
  EXPECT_EQ(drawn(x, all, 3, 0, 4), one);
  EXPECT_NE(drawn(x, all, 3, 1), one);
  EXPECT_NE(drawn(x, all, 4, 0), one);
  EXPECT_NE(drawn(x, all, 3, 0, 1, 2), one);
}

TEST(Augmenter, LeavesMissingValuesMissing) {
  Matrix<float> x = table(50, 2);
  x(7, 1) = kMissing;
  EXPECT_TRUE(std::isnan(drawn(x, {.sign_flip = true, .noise = 1})(7, 1)));
}

TEST(Augmenter, RefusesWhatMakesNoSense) {
  const Matrix<float> x = table(20, 2);
  EXPECT_THROW(drawn(x, {}), UsageError);
  EXPECT_THROW(drawn(x, {.swap = 1.0}), UsageError);
  EXPECT_THROW(drawn(x, {.swap = 0.1, .mask = -0.1}), UsageError);
  EXPECT_THROW(drawn(x, {.noise = std::numeric_limits<double>::infinity()}), UsageError);
  EXPECT_THROW(drawn(x, {.noise = std::nan("")}), UsageError);
}

TEST(Augmenter, SaysThatTheNoiseMadeAValueInfinite) {
  const Matrix<float> x = table(20, 2);
  for (const double noise : {1e39, 1e300}) {
    try {
      drawn(x, {.noise = noise}, 0, 0, 4);
      ADD_FAILURE() << noise;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("Lower noise"), std::string::npos) << error.what();
    }
  }
  const Matrix<float> loud = drawn(x, {.noise = 1e37});
  EXPECT_EQ(loud.rows(), x.rows());
  for (const float value : loud.values()) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace treecca

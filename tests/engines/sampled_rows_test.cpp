#include "engines/sampled_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"

namespace treecca {
namespace {

std::vector<bool> drawn(const Parameters& parameters, const Folds& folds, Index round, Index view, int fold) {
  const EncoderState encoder{view, fold, {}, {}};
  const SampledRows rows(parameters, folds, round, encoder);
  std::vector<bool> result;
  for (Index i = 0; i < folds.rows(); ++i) result.push_back(rows.contains(i));
  return result;
}

TEST(SampledRows, WithoutSamplingAllButTheHeldOutAndTheLeftOut) {
  std::vector<bool> left_out(100, false);
  for (std::size_t i = 0; i < 100; i += 7) left_out[i] = true;
  const Samples samples(100);
  const Folds folds = make_folds(samples, 4, 1, left_out);
  for (int f = 0; f < 4; ++f) {
    const std::vector<bool> rows = drawn({}, folds, 0, 0, f);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(rows[i], !left_out[i] && folds.of_row[i] != f);
  }
  const std::vector<bool> all = drawn({}, make_folds(samples, 0, 1, left_out), 0, 0, 0);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(all[i], !left_out[i]);
}

TEST(SampledRows, AFractionIsDrawnForEveryRoundViewAndFold) {
  Parameters parameters = testing::plain_parameters();
  parameters.subsample = std::vector<double>{0.3, 0.9};
  const Folds folds = testing::folds_of(5000, 5, 1);
  const auto first = drawn(parameters, folds, 0, 0, 0);
  // 4,000 rows may be drawn; six standard deviations
  EXPECT_NEAR(static_cast<double>(std::count(first.begin(), first.end(), true)), 1200, 174);
  const auto second_view = drawn(parameters, folds, 0, 1, 0);
  EXPECT_NEAR(static_cast<double>(std::count(second_view.begin(), second_view.end(), true)), 3600, 114);
  for (std::size_t i = 0; i < 5000; ++i) EXPECT_FALSE(folds.of_row[i] == 0 && (first[i] || second_view[i]));
  EXPECT_EQ(drawn(parameters, folds, 0, 0, 0), first);
  EXPECT_NE(drawn(parameters, folds, 1, 0, 0), first);
  parameters.subsample = 0.3;
  EXPECT_NE(drawn(parameters, folds, 0, 1, 0), first);
  parameters.random_state = 1;
  EXPECT_NE(drawn(parameters, folds, 0, 0, 0), first);
}

TEST(SampledRows, ThoseWhoseUniformNumberIsBelowTheFraction) {
  Parameters parameters = testing::plain_parameters();
  const Folds folds = testing::folds_of(1000);
  const RandomKey key(parameters.random_state, Draw::rows, {2, 1, 0});
  for (const double fraction : {0.1, 0.5, key.uniform(17), std::nextafter(key.uniform(17), 1.0), 1.0}) {
    parameters.subsample = fraction;
    const std::vector<bool> rows = drawn(parameters, folds, 2, 1, 0);
    for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(rows[i], key.uniform(i) < fraction) << i;
  }
}

TEST(SampledRows, FollowTheNumberOfARowNotItsPlace) {
  Parameters parameters = testing::plain_parameters();
  parameters.subsample = 0.5;
  SampleOptions reversed;
  for (std::int64_t i = 199; i >= 0; --i) reversed.row_numbers.push_back(i);
  const auto forward = drawn(parameters, testing::folds_of(200), 3, 0, 0);
  const auto backward = drawn(parameters, testing::folds_of(200, 0, 0, reversed), 3, 0, 0);
  EXPECT_EQ(std::vector<bool>(forward.rbegin(), forward.rend()), backward);
}

}  // namespace
}  // namespace treecca

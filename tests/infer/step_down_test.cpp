#include "infer/step_down.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace treecca {
namespace {

using Families = StepDown::Families;

std::vector<double> noise(std::mt19937& generator, std::size_t components) {
  std::normal_distribution<double> normal;
  std::vector<double> values(components);
  for (double& value : values) value = normal(generator);
  return values;
}

TEST(StepDown, EveryComponentIsComparedWithAsManyAsAreLeft) {
  StepDown test({{0.9, 0.5, 0.3}});
  // Highest of three, of the leading two, the leading one: 0.6, 0.4, 0.4; 0.2, 0.2, -0.1; 0.95, 0.35, 0.1.
  for (const std::vector<double>& permuted :
       {std::vector<double>{0.4, -0.2, 0.6}, {-0.1, 0.2, 0.0}, {0.1, 0.35, 0.95}}) {
    test.add({permuted});
  }
  EXPECT_EQ(test.p_values(), (Families{{2.0 / 4, 2.0 / 4, 2.0 / 4}}));  // 2, 1 and 2 of 4: they never fall
  EXPECT_FALSE(test.decided());
}

TEST(StepDown, PairsAreTestedFromTheHighestToTheLowest) {
  StepDown test({{0.8, 0.2}, {0.5, 0.1}});
  test.add({{0.3, 0.6}, {0.0, 0.4}});
  // 0.8 and 0.5 are not reached: 0.5 is compared with one component of the first pair and two of the second.
  EXPECT_EQ(test.p_values(), (Families{{1.0 / 2, 1.0}, {1.0 / 2, 1.0}}));
}

/// Noise of permutations and noise of the data alike: with c real components, the next one is significant at 5 % in
/// 5 % of the data sets, not less.
TEST(StepDown, TheFirstComponentWithoutARelationHasAUniformPValue) {
  constexpr int kDataSets = 4000, kPermutations = 19;
  std::mt19937 generator(1);
  for (const std::size_t real : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    int significant = 0;
    for (int d = 0; d < kDataSets; ++d) {
      std::vector<double> observed = noise(generator, 4 - real);
      observed.insert(observed.begin(), real, 100.0);
      std::sort(observed.rbegin(), observed.rend());
      StepDown test({observed});
      for (int b = 0; b < kPermutations; ++b) test.add({noise(generator, 4)});
      significant += test.p_values()[0][real] <= 0.05 ? 1 : 0;
    }
    EXPECT_NEAR(significant, kDataSets * 0.05, 4 * std::sqrt(kDataSets * 0.05 * 0.95)) << real;
  }
}

TEST(StepDown, IsDecidedOnceAllPValuesAreFinal) {
  StepDown test({{0.1, -0.5}});
  for (Index b = 0; b < SequentialPValue::kEnough - 1; ++b) test.add({{0.2, 0.3}});
  EXPECT_FALSE(test.decided());
  test.add({{0.2, 0.3}});
  EXPECT_TRUE(test.decided());
  EXPECT_EQ(test.p_values(), (Families{{1.0, 1.0}}));
}

}  // namespace
}  // namespace treecca

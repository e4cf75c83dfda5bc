#include "infer/sequential_p_value.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace treecca {
namespace {

TEST(SequentialPValue, CountsTheObservedValueToo) {
  SequentialPValue p(1.0);
  for (int i = 0; i < 99; ++i) p.add(0.5);
  EXPECT_EQ(p.value(), 0.01);
  p.add(1.0);  // reached
  EXPECT_EQ(p.value(), 2.0 / 101);
}

TEST(SequentialPValue, IsDecidedByFiftyThatReachedIt) {
  SequentialPValue p(1.0);
  for (int i = 0; i < 100; ++i) p.add(i % 2);
  EXPECT_TRUE(p.decided());
  EXPECT_EQ(p.value(), 0.5);
  p.add(2);
  EXPECT_EQ(p.value(), 0.5);
}

/// Valid: P(p <= a) <= a, for uniform values without any signal.
TEST(SequentialPValue, IsUniformWithoutSignal) {
  int below_5 = 0, below_30 = 0;
  for (std::uint64_t s = 0; s < 4000; ++s) {
    const RandomKey key(s, Draw::rows);
    SequentialPValue p(key.uniform(0));
    for (std::uint64_t b = 1; b <= 199 && !p.decided(); ++b) p.add(key.uniform(b));
    below_5 += p.value() <= 0.05 ? 1 : 0;
    below_30 += p.value() <= 0.3 ? 1 : 0;
  }
  EXPECT_NEAR(below_5 / 4000.0, 0.05, 0.011);  // three standard errors
  EXPECT_NEAR(below_30 / 4000.0, 0.3, 0.022);
}

}  // namespace
}  // namespace treecca

#include "infer/suggest.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(Suggest, KeepsTheFirstComponentsThatAreRealAndStable) {
  const Suggestion all = suggest({{true, true, true}, {}, {0.9, 0.8, 0.5}});
  EXPECT_EQ(all.n_components, 3);
  EXPECT_EQ(all.reason,
            "K = 3: components 1 to 3 are above noise, and fits to two halves of the samples agree on them "
            "(correlation 0.90, 0.80, 0.50; minimum 0.50).");
  const Suggestion noise = suggest({{true, false, true}, {}, {0.9, 0.8, 0.7}});
  EXPECT_EQ(noise.n_components, 1);
  EXPECT_EQ(noise.reason,
            "K = 1: component 1 is above noise, and fits to two halves of the samples agree on it (correlation 0.90; "
            "minimum 0.50); component 2 is not above noise.");
  const Suggestion unstable = suggest({{true, true}, {}, {0.9, 0.49}});
  EXPECT_EQ(unstable.n_components, 1);
  EXPECT_NE(unstable.reason.find("component 2 is above noise, but fits to two halves of the samples do not agree on it "
                                 "(correlation 0.49; minimum 0.50)."),
            std::string::npos)
      << unstable.reason;
  EXPECT_EQ(suggest({{false}, {}, {0.9}}).reason, "K = 0: component 1 is not above noise.");
}

TEST(Suggest, PValuesReplaceTheNoiseThreshold) {
  const Suggestion tested = suggest({{false, true, true}, {0.001, 0.05, 0.051}, {0.9, 0.8, 0.7}});
  EXPECT_EQ(tested.n_components, 2);
  EXPECT_EQ(tested.reason,
            "K = 2: components 1 and 2 are significant (p <= 0.05), and fits to two halves of the samples agree on "
            "them (correlation 0.90, 0.80; minimum 0.50); component 3 is not significant (p = 0.051).");
}

}  // namespace
}  // namespace treecca

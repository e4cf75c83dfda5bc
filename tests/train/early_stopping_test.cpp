#include "train/early_stopping.hpp"

#include <gtest/gtest.h>

#include "helpers/plain_parameters.hpp"

namespace treecca {
namespace {

TEST(EarlyStopping, KeepsTheBestRound) {
  EarlyStopping stopping(2, 1);
  EXPECT_FALSE(stopping.stop_after(1, 0.5));
  EXPECT_FALSE(stopping.stop_after(2, 0.7));
  EXPECT_FALSE(stopping.stop_after(3, 0.6));
  EXPECT_TRUE(stopping.stop_after(4, 0.65));
  EXPECT_EQ(stopping.rounds_to_keep(), 2);
}

TEST(EarlyStopping, IgnoresRoundsBeforeTheFirstThatCounts) {
  EarlyStopping stopping(1, 3);
  EXPECT_FALSE(stopping.stop_after(1, 9.0));
  EXPECT_FALSE(stopping.stop_after(2, 8.0));
  EXPECT_FALSE(stopping.stop_after(3, 0.1));
  EXPECT_TRUE(stopping.stop_after(4, 0.1));
  EXPECT_EQ(stopping.rounds_to_keep(), 3);
}

TEST(EarlyStopping, TheFirstRoundToKeepIsTheFirstWithoutInitialValues) {
  for (const Index rounds : {1, 2, 7, 30, 40, 41, 200}) {
    for (const Index fade : {0, 1, 20}) {
      Parameters parameters = testing::plain_parameters();
      parameters.n_estimators = rounds;
      parameters.init_fade = fade;
      const Index first = first_round_to_keep(parameters);
      EXPECT_EQ(start_weight(parameters, first), 0) << rounds << " rounds, fade " << fade;
      if (first > 0) {
        EXPECT_GT(start_weight(parameters, first - 1), 0) << rounds << " rounds, fade " << fade;
      }
    }
  }
}

TEST(EarlyStopping, OffKeepsAllRounds) {
  EarlyStopping stopping(0, 1);
  EXPECT_FALSE(stopping.stop_after(1, 0.9));
  EXPECT_FALSE(stopping.stop_after(2, 0.1));
  EXPECT_EQ(stopping.rounds_to_keep(), 2);
}

}  // namespace
}  // namespace treecca

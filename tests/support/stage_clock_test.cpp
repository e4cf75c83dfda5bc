#include "support/stage_clock.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace treecca {
namespace {

TEST(StageClock, AddsUpTheTimesOfAStageInTheOrderOfFirstUse) {
  constexpr auto kSleep = std::chrono::milliseconds(4);
  const auto sleep = [&] { std::this_thread::sleep_for(kSleep); };
  StageClock clock;
  clock.time("grow", sleep);
  clock.time("bin", [] {});
  clock.time("grow", sleep);
  ASSERT_EQ(clock.stages().size(), 2U);
  EXPECT_EQ(clock.stages()[0].name, "grow");
  EXPECT_EQ(clock.stages()[1].name, "bin");
  EXPECT_GE(clock.stages()[0].seconds, std::chrono::duration<double>(2 * kSleep).count());
  EXPECT_GE(clock.stages()[1].seconds, 0);
}

TEST(StageClock, RunsTheWorkOnceAndLetsItsErrorsPass) {
  StageClock clock;
  int runs = 0;
  clock.time("bin", [&] { ++runs; });
  EXPECT_EQ(runs, 1);
  EXPECT_THROW(clock.time("grow", [] { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(clock.stages().size(), 1U);
}

}  // namespace
}  // namespace treecca

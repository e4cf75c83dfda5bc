#include "support/threads.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(Threads, ASecondThreadIsForWorkThatIsWorthIt) {
  std::atomic<bool> stop{false};
  const Threads four(4, &stop);
  EXPECT_EQ(four.for_work(0).count, 1);
  EXPECT_EQ(four.for_work(Threads::kWorthThreads - 1).count, 1);
  EXPECT_EQ(four.for_work(Threads::kWorthThreads).count, 4);
  EXPECT_EQ(four.for_work(0).stop, &stop);  // a single thread can be stopped too
  EXPECT_EQ(four.with_count(2).count, 2);
  EXPECT_EQ(four.with_count(2).stop, &stop);
}

TEST(Threads, StopOnlyWhenAsked) {
  std::atomic<bool> stop{true};
  EXPECT_THROW(check_stop(&stop), Interrupted);
  stop = false;
  EXPECT_NO_THROW(check_stop(&stop));
  EXPECT_NO_THROW(check_stop(nullptr));
}

}  // namespace
}  // namespace treecca

#include "support/threads.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

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

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need much address space themselves
/// Without room for stacks there are fewer threads, not the end of the program.
TEST(StartableThreads, AreThoseThatMemoryAllows) {
  EXPECT_EQ(startable_threads(3), 3);
  const pid_t child = fork();
  if (child == 0) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t room = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{50} << 20);
    const rlimit limit{room, room};
    setrlimit(RLIMIT_AS, &limit);
    const int count = startable_threads(1000);
    _exit(count >= 1 && count < 1000 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}
#endif

}  // namespace
}  // namespace treecca

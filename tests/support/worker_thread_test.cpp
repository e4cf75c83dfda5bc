#include "support/worker_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "treecca/error.hpp"

namespace treecca {
namespace {

TEST(WorkerThread, DoesAllInOrderInOneOtherThread) {
  std::vector<int> order;
  std::set<std::thread::id> threads;
  {
    WorkerThread worker;
    for (int i = 0; i < 100; ++i) {
      worker.run([&, i] {
        order.push_back(i);
        threads.insert(std::this_thread::get_id());
      });
    }
  }  // waits
  ASSERT_EQ(order.size(), 100U);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(threads.size(), 1U);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST(WorkerThread, WhatIsThrownReachesTheCallerAfterAllAreDone) {
  WorkerThread first;
  WorkerThread second;
  std::promise<void> gate;
  std::atomic<bool> second_done{false};
  std::vector<std::future<void>> tasks;
  tasks.push_back(first.run([&] {
    gate.set_value();
    throw UsageError("first");
  }));
  tasks.push_back(second.run([&] {
    gate.get_future().wait();
    second_done = true;
    throw UsageError("second");
  }));
  try {
    wait_for_all(tasks);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "first");
    EXPECT_TRUE(second_done);
  }
  std::vector<std::future<void>> more;
  more.push_back(first.run([] {}));  // a failure does not end the thread
  EXPECT_NO_THROW(wait_for_all(more));
}

}  // namespace
}  // namespace treecca

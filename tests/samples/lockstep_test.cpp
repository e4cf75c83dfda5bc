#include "samples/lockstep.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "helpers/thread_workers.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// Counts the calls that reach the network.
class Counting final : public Communicator {
 public:
  explicit Counting(Communicator& inner) : inner_(inner) {}
  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  void sum(std::span<std::int32_t> values) override { count(), inner_.sum(values); }
  void sum(std::span<std::int64_t> values) override { count(), inner_.sum(values); }
  void sum(std::span<double> values) override { count(), inner_.sum(values); }
  void max(std::span<double> values) override { count(), inner_.max(values); }
  void broadcast(std::span<std::byte> bytes, int root) override { count(), inner_.broadcast(bytes, root); }
  int calls = 0;

 private:
  void count() { ++calls; }
  Communicator& inner_;
};

TEST(RunInLockstep, WhatAllAskForTravelsTogether) {
  testing::run_all_workers(3, [](Communicator& communicator) {
    Counting counted(communicator);
    std::vector<std::vector<std::int64_t>> sums(7);
    std::vector<double> largest(7);
    run_in_lockstep(7, 2, &counted, [&](Index task, const Peers& peers) {
      largest[task] = peers.max(static_cast<double>(task * 10 + peers.rank()));
      for (Index step = 0; step < task; ++step) {  // tasks end at different times
        std::vector<std::int64_t> values(static_cast<std::size_t>(task), step + peers.rank());
        peers.sum(std::span<std::int64_t>(values));
        sums[task].push_back(values.back());
      }
    });
    EXPECT_EQ(counted.calls, 1 + 6);
    for (Index task = 0; task < 7; ++task) {
      EXPECT_EQ(largest[task], static_cast<double>(task * 10 + 2));
      ASSERT_EQ(static_cast<Index>(sums[task].size()), task);
      for (Index step = 0; step < task; ++step) EXPECT_EQ(sums[task][step], 3 * step + 3);
    }
  });
}

TEST(RunInLockstep, KindsMayMix) {
  testing::run_all_workers(2, [](Communicator& communicator) {
    run_in_lockstep(4, 4, &communicator, [&](Index task, const Peers& peers) {
      for (int step = 0; step < 5; ++step) {
        if ((task + step) % 3 == 0) {
          EXPECT_EQ(peers.sum(1.5), 3.0);
        } else if ((task + step) % 3 == 1) {
          EXPECT_EQ(peers.sum(Index{2}), 4);
        } else {
          std::vector<std::int32_t> lanes{1, 2, 3};
          peers.sum(std::span<std::int32_t>(lanes));
          EXPECT_EQ(lanes, (std::vector<std::int32_t>{2, 4, 6}));
        }
      }
    });
  });
}

TEST(RunInLockstep, AFailingTaskEndsAll) {
  const auto failures = testing::run_workers(2, [](Communicator& communicator) {
    run_in_lockstep(5, 2, &communicator, [&](Index task, const Peers& peers) {
      peers.sum(1.0);
      if (task == 3 && peers.rank() == 1) throw DataError("three");
      for (int step = 0; step < 10; ++step) peers.sum(1.0);
    });
  });
  EXPECT_THROW(std::rethrow_exception(failures[0]), Error);  // its peer is gone
  EXPECT_THROW(std::rethrow_exception(failures[1]), DataError);
}

/// Fails where doubles are summed.
class Failing final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 2; }
  void sum(std::span<std::int32_t>) override {}
  void sum(std::span<std::int64_t>) override {}
  void sum(std::span<double>) override { throw PeerError("gone"); }
  void max(std::span<double>) override {}
  void broadcast(std::span<std::byte>, int) override {}
};

TEST(RunInLockstep, TasksThatWereAnsweredBeforeTheNetworkFailedEndToo) {
  Failing network;
  const auto work = [&] {
    run_in_lockstep(6, 2, &network, [](Index task, const Peers& peers) {
      for (int step = 0; step < 5; ++step) {  // max travels before sums of doubles
        if (task % 2 == 0) {
          peers.max(1.0);
        } else {
          peers.sum(1.0);
        }
      }
    });
  };
  for (int repeat = 0; repeat < 50; ++repeat) EXPECT_THROW(work(), PeerError);
}

/// Tasks that wait for a permit are woken whenever one is free: with std::counting_semaphore of libstdc++ 12 they are
/// not always.
TEST(RunInLockstep, NoTaskSleepsWhileAPermitIsFree) {
  testing::run_all_workers(2, [](Communicator& communicator) {
    for (int repeat = 0; repeat < 30; ++repeat) {
      std::atomic<Index> done{0};
      run_in_lockstep(24, 3, &communicator, [&](Index, const Peers& peers) {
        for (int step = 0; step < 8; ++step) peers.sum(1.0);
        ++done;
      });
      EXPECT_EQ(done, 24);
    }
  });
}

TEST(RunInLockstep, CanBeStopped) {
  std::atomic<bool> stop{true};
  for (const auto& failure : testing::run_workers(2, [&](Communicator& communicator) {
         run_in_lockstep(3, {2, &stop}, &communicator, [](Index, const Peers& peers) { peers.sum(1.0); });
       })) {
    EXPECT_THROW(std::rethrow_exception(failure), Interrupted);
  }
}

TEST(RunInLockstep, AloneItIsALoop) {
  std::vector<Index> tasks;
  run_in_lockstep(3, 4, {}, [&](Index task, const Peers& peers) {
    EXPECT_TRUE(peers.alone());
    tasks.push_back(task);
  });
  EXPECT_EQ(tasks, (std::vector<Index>{0, 1, 2}));
}

}  // namespace
}  // namespace treecca

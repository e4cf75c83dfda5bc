#include "train/part_progress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "support/parallel.hpp"

namespace treecca {
namespace {

TEST(PartProgress, CountsTheRoundsOfAllPartsAndTheirTime) {
  std::vector<Index> reported;
  RunOptions options;
  options.on_round = [&](const Progress& progress) {
    reported.push_back(progress.round);
    EXPECT_EQ(progress.rounds, 12);
    EXPECT_EQ(progress.tcc, 0.5);
  };
  treecca::Run run(options, 1);
  const auto begin = std::chrono::steady_clock::now();
  {
    PartProgress progress(run, 3, 4);
    for (Index part = 0; part < 3; ++part) {
      progress.run_part(1, [&](treecca::Run& own) {
        own.clock().time("grow", [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
        const Index rounds = part == 1 ? 2 : 4;  // the second one stops early
        for (Index round = 1; round <= rounds; ++round) own.report_round(round, 4, 0.5, false);
      });
    }
  }
  EXPECT_EQ(reported, (std::vector<Index>{1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12}));
  ASSERT_EQ(run.clock().stages().size(), 1U);
  EXPECT_EQ(run.clock().stages()[0].name, "grow");
  EXPECT_GE(run.clock().total(), 0.006);
  EXPECT_LE(run.clock().total(), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

TEST(PartProgress, ReportsFromTheCallingThreadAlone) {
  const auto caller = std::this_thread::get_id();
  Index last = 0;
  RunOptions options;
  options.on_round = [&](const Progress& progress) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_GT(progress.round, last);
    last = progress.round;
  };
  treecca::Run run(options, 4);
  PartProgress progress(run, 8, 50);
  parallel_for(8, run.threads(), [&](Index) {
    progress.run_part(1, [&](treecca::Run& own) {
      for (Index round = 1; round <= 50; ++round) own.report_round(round, 50, 0, false);
    });
  });
  EXPECT_LE(last, 400);
}

TEST(PartProgress, PassesOnTheWishToStop) {
  std::atomic<bool> stop{true};
  RunOptions options;
  options.stop = &stop;
  treecca::Run run(options, 1);
  PartProgress progress(run, 1, 5);
  EXPECT_ANY_THROW(progress.run_part(1, [](treecca::Run& own) { own.check_stop(); }));
}

}  // namespace
}  // namespace treecca

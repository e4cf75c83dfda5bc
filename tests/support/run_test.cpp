#include "support/run.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "treecca/error.hpp"

namespace treecca {
namespace {

TEST(Run, WarnsAtOnceAndKeepsTheSentences) {
  std::vector<std::string> heard;
  RunOptions options;
  options.on_warning = [&](const std::string& warning) { heard.push_back(warning); };
  treecca::Run run(options, 1);
  run.warn({"first", "second"});
  EXPECT_EQ(heard, (std::vector<std::string>{"first", "second"}));
  run.warn({"third"});
  EXPECT_EQ(run.warnings(), (std::vector<std::string>{"first", "second", "third"}));
  EXPECT_EQ(heard, run.warnings());
}

TEST(Run, NeedsNoCallbacks) {
  const RunOptions options;
  treecca::Run run(options, 1);
  run.warn({"only"});
  run.report_round(1, 2, 0.5, false);
  EXPECT_EQ(run.warnings(), std::vector<std::string>{"only"});
}

TEST(Run, ReportsRoundsWithTheTimeSinceTheFirst) {
  std::vector<Progress> heard;
  RunOptions options;
  options.on_round = [&](const Progress& progress) { heard.push_back(progress); };
  treecca::Run run(options, 1);
  run.start_rounds();
  run.report_round(1, 3, 0.25, false);
  run.report_round(2, 3, 0.5, true);
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[1].round, 2);
  EXPECT_EQ(heard[1].rounds, 3);
  EXPECT_EQ(heard[1].tcc, 0.5);
  EXPECT_FALSE(heard[0].in_sample);
  EXPECT_TRUE(heard[1].in_sample);
  EXPECT_GE(heard[0].seconds, 0);
  EXPECT_GE(heard[1].seconds, heard[0].seconds);
}

TEST(Run, LooksAtTheCallersFlag) {
  std::atomic<bool> stop{false};
  RunOptions options;
  options.stop = &stop;
  const treecca::Run run(options, 3);
  EXPECT_EQ(run.threads().count, 3);
  EXPECT_EQ(run.threads().stop, &stop);
  run.check_stop();
  stop = true;
  EXPECT_THROW(run.check_stop(), Interrupted);
}

}  // namespace
}  // namespace treecca

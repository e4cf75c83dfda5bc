#include "cli/progress.hpp"

#include <gtest/gtest.h>

namespace treecca::cli {
namespace {

TEST(CliProgress, ShowsRoundCorrelationAndRemainingTime) {
  const std::string line = progress_text({.round = 50, .rounds = 200, .tcc = 1.5, .seconds = 10}, 100);
  EXPECT_NE(line.find("round 50/200"), std::string::npos) << line;
  EXPECT_NE(line.find("TCC 1.500"), std::string::npos) << line;
  EXPECT_NE(line.find("30 s left"), std::string::npos) << line;
  EXPECT_NE(line.find("[#######......................."), std::string::npos) << line;
}

TEST(CliProgress, SaysThatACorrelationIsInSample) {
  Progress progress{.round = 50, .rounds = 200, .tcc = 1.5, .seconds = 10};
  EXPECT_EQ(progress_text(progress, 100).find("in-sample"), std::string::npos);
  progress.in_sample = true;
  EXPECT_NE(progress_text(progress, 100).find("in-sample TCC 1.500"), std::string::npos);
}

TEST(CliProgress, FitsAnyTerminal) {
  for (int columns = 1; columns < 120; ++columns) {
    const std::string line = progress_text({.round = 150, .rounds = 150, .tcc = 12.25, .seconds = 1e5}, columns);
    EXPECT_LE(static_cast<int>(line.size()), std::max(0, columns - 1)) << columns;
  }
  EXPECT_NO_THROW(progress_text({}, 80));
}

}  // namespace
}  // namespace treecca::cli

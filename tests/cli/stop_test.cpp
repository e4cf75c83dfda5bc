// Signals. Everything happens in child processes: handlers and the flag belong to a whole process.
#include "cli/stop.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

#include "cli/output.hpp"
#include "cli/run_cli.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

class CliStop : public ::testing::Test {
 protected:
  // The children start from scratch: threads of other tests may be alive in this process.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(CliStop, EndsAtOnceWhereNothingHasToBeCleanedUp) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          install_signal_handlers();
          raise(signal);
        },
        ::testing::ExitedWithCode(1), "treecca: stopped");
  }
}

TEST_F(CliStop, TheFirstSignalRaisesTheFlagTheSecondKills) {
  EXPECT_EXIT(
      {
        install_signal_handlers();
        const StopScope scope;
        throw_if_stopped();  // not yet
        raise(SIGINT);
        if (!scope.flag()->load()) std::exit(7);
        raise(SIGINT);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

/// Writes a folder while a signal comes in; 3 when that was noticed and nothing is left.
int exit_code_of_stopped_writing() {
  install_signal_handlers();
  const Workspace space;
  OutputFile stopping;
  stopping.name = "one";
  stopping.bytes = [] {
    raise(SIGTERM);
    return std::string("1");
  };
  try {
    write_folder(OutputFolder(space.file("x")), {stopping});
  } catch (const Interrupted&) {
    return space.contents().empty() ? 3 : 4;
  }
  return 5;
}

TEST_F(CliStop, WritingIsUndone) {
  EXPECT_EXIT(std::exit(exit_code_of_stopped_writing()), ::testing::ExitedWithCode(3), "");
}

TEST_F(CliStop, IgnoredSignalsStayIgnored) {
  EXPECT_EXIT(
      {
        signal(SIGHUP, SIG_IGN);
        install_signal_handlers();
        raise(SIGHUP);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace treecca::cli

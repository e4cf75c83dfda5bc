// The program as a whole: help, version, exit codes, mistyped words.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/run_cli.hpp"
#include "treecca/version.hpp"

namespace treecca {
namespace {

TEST(CliMain, AlonePrintsHelpWithEveryVerb) {
  const CliResult result = run_cli({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  for (const char* verb : {"demo", "fit", "cv", "ssl", "transform", "score", "permutation-test", "importance",
                           "permutation-importance", "partners", "explain", "inspect", "convert", "export"}) {
    EXPECT_NE(result.out.find("\n  " + std::string(verb) + " "), std::string::npos) << verb;
  }
  EXPECT_EQ(run_cli({"--help"}).out, result.out);
}

TEST(CliMain, VersionIsThatOfTheLibrary) {
  const CliResult result = run_cli({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "treecca " + std::string(version) + "\n");
}

TEST(CliMain, EveryVerbHasHelpOfAtMost100Columns) {
  for (const char* verb : {"demo", "fit", "cv", "ssl", "transform", "score", "permutation-test", "importance",
                           "permutation-importance", "partners", "explain", "inspect", "convert", "export"}) {
    const CliResult result = run_cli({verb, "--help"});
    EXPECT_EQ(result.exit_code, 0) << verb;
    EXPECT_NE(result.out.find("Usage: treecca " + std::string(verb)), std::string::npos) << result.out;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(CliMain, MistypedVerbIsSuggested) {
  expect_failure(run_cli({"fti"}), 2, {"\"fti\"", "Did you mean \"fit\"?"});
  expect_failure(run_cli({"zzzzzz"}), 2, {"\"zzzzzz\"", "transform"});
}

TEST(CliMain, MistypedOptionIsSuggested) {
  expect_failure(run_cli({"--verson"}), 2, {"--verson", "Did you mean \"--version\"?", "See treecca --help."});
  expect_failure(run_cli({"fit", "--learning_rte", "0.1"}), 2, {"--learning_rte", "--learning_rate"});
  expect_failure(run_cli({"inspect", "model.json", "more"}), 2, {"more"});
}

TEST(CliMain, MissingArgumentsAreNamed) {
  expect_failure(run_cli({"inspect"}), 2, {"MODEL"});
  expect_failure(run_cli({"fit", "--out"}), 2, {"--out needs a value (DIR)."});
  expect_failure(run_cli({"fit", "--max_depth"}), 2, {"--max_depth needs a value (INT,...)."});
  expect_failure(run_cli({"export", "m.json", "--out", "x"}), 2, {"export needs --format {xgboost"});
}

TEST(CliMain, HelpWinsOverMistakes) {
  const CliResult result = run_cli({"fit", "--nonsense", "--out", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, run_cli({"fit", "-h"}).out);
  EXPECT_NE(result.out.find("Usage: treecca fit"), std::string::npos);
}

TEST(CliMain, AnOptionIsNotTakenForAValue) {
  const Workspace space;
  write_two_views(space);
  expect_failure(run_cli(fit_arguments(space, {"--out", "--json"})), 2, {"--out", "--json"});
}

TEST(CliMain, OutputThatCannotBeWrittenIsAnError) {
  CliOptions options;
  options.stdout_path = "/dev/full";
  expect_failure(run_cli({"--help"}, options), 1, {"Standard output"});
  expect_failure(run_cli({"demo", "--help"}, options), 1, {"tandard output"});
}

TEST(CliMain, ClosedStandardStreamsDoNotAbort) {
  const Workspace space;
  write_two_views(space);
  CliOptions options;
  options.closed = {2};
  EXPECT_EQ(run_cli({"nonsense"}, options).exit_code, 2);
  EXPECT_EQ(run_cli({"fit", "--view", "absent.csv", "--view", "b.csv"}, options).exit_code, 1);
  EXPECT_EQ(run_cli(fit_arguments(space, {"-k", "1"}), options).exit_code, 0);
  options.closed = {0, 1, 2};
  EXPECT_EQ(run_cli({"nonsense"}, options).exit_code, 2);
  EXPECT_EQ(run_cli({"--help"}, options).exit_code, 1) << "there is no stdout to print to";
  // Files must not get the numbers of the streams: what is printed would end up in them.
  const auto words = fit_arguments(space, {"--quiet", "--out", space.file("run")});
  EXPECT_EQ(run_cli(words, options).exit_code, 0);
  EXPECT_EQ(read_bytes(space.file("run/model.json")).front(), '{');
}

}  // namespace
}  // namespace treecca

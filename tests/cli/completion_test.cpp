// treecca completion, in a real bash.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/run_cli.hpp"

namespace treecca {
namespace {

class CliCompletion : public ::testing::Test {
 protected:
  void SetUp() override {
    const CliResult result = run_cli({"completion", "bash"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    space_.write("treecca.bash", result.out);
  }
  int bash(const std::string& script) const {
    space_.write("script", script);
    return std::system(("cd '" + space_.path() + "' && bash script > out 2> err").c_str());
  }
  /// What bash would offer for these words, the last of them being completed.
  std::set<std::string> completed(const std::string& words) const {
    EXPECT_EQ(bash("source ./treecca.bash\nCOMP_WORDS=(" + words +
                   ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_treecca\nprintf '%s\\n' "
                   "\"${COMPREPLY[@]}\"\n"),
              0);
    EXPECT_EQ(read_bytes(space_.file("err")), "");
    std::set<std::string> found;
    std::istringstream lines(read_bytes(space_.file("out")));
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) found.insert(line);
    }
    return found;
  }
  const Workspace space_;
};

using Words = std::set<std::string>;

TEST_F(CliCompletion, BashAcceptsTheScript) {
  EXPECT_EQ(std::system(("bash -n '" + space_.file("treecca.bash") + "'").c_str()), 0);
  EXPECT_EQ(bash("source ./treecca.bash; complete -p treecca"), 0);
}

TEST_F(CliCompletion, Verbs) {
  EXPECT_EQ(completed("treecca fi"), Words{"fit"});
  EXPECT_EQ(completed("treecca con"), Words{"convert"});
  EXPECT_EQ(completed("treecca ''").count("demo"), 1U);
}

TEST_F(CliCompletion, OptionsOfTheVerb) {
  EXPECT_EQ(completed("treecca fit --lear"), Words{"--learning_rate"});
  EXPECT_EQ(completed("treecca fit --th"), Words{"--threads"});
  EXPECT_EQ(completed("treecca inspect --lear"), Words{});
  EXPECT_EQ(completed("treecca inspect m.json --j"), Words{"--json"});
}

TEST_F(CliCompletion, Choices) {
  EXPECT_EQ(completed("treecca fit --trees ''"), (Words{"joint", "scalar"}));
  EXPECT_EQ(completed("treecca fit --schedule g"), Words{"gauss-seidel"});
  EXPECT_EQ(completed("treecca importance m.json --kind = c"), Words{"cover"});
  EXPECT_EQ(completed("treecca completion z"), Words{"zsh"});
}

TEST_F(CliCompletion, FilesAndFolders) {
  space_.write("data one.csv", "");
  std::filesystem::create_directory(space_.file("data_run"));
  EXPECT_EQ(completed("treecca fit --view data"), (Words{"data one.csv", "data_run"}));
  EXPECT_EQ(completed("treecca fit --view rna = data"), (Words{"data one.csv", "data_run"}));
  EXPECT_EQ(completed("treecca fit --out data"), Words{"data_run"});
  EXPECT_EQ(completed("treecca inspect data"), (Words{"data one.csv", "data_run"}));
}

TEST_F(CliCompletion, OtherShells) {
  const CliResult zsh = run_cli({"completion", "zsh"});
  EXPECT_EQ(zsh.out.rfind("#compdef treecca\n", 0), 0U);
  EXPECT_NE(zsh.out.find(":{joint,scalar}:(joint scalar)'"), std::string::npos);
  const CliResult fish = run_cli({"completion", "fish"});
  EXPECT_NE(fish.out.find("'__fish_seen_subcommand_from fit' -l trees -x -a 'joint scalar'"), std::string::npos);
  expect_failure(run_cli({"completion", "tcsh"}), 2, {"tcsh", "bash"});
}

}  // namespace
}  // namespace treecca

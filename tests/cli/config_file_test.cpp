// fit --config.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_cli.hpp"

namespace treecca {
namespace {

using Json = nlohmann::json;

class CliConfigFile : public ::testing::Test {
 protected:
  void SetUp() override { write_two_views(space_); }
  CliResult fit(const std::string& config, std::initializer_list<std::string> more = {}) const {
    space_.write("x.toml", config);
    std::vector<std::string> words{"fit", "--json", "--config", space_.file("x.toml")};
    words.insert(words.end(), more);
    return run_cli(words);
  }
  std::string views() const {
    return "view = [\"a=" + space_.file("a.csv") + "\", \"b=" + space_.file("b.csv") + "\"]\n";
  }
  const Workspace space_;
};

TEST_F(CliConfigFile, GivesEveryKindOfOption) {
  const CliResult result = fit(
      views() + "out = \"" + space_.file("run") + "\"\n# a comment\n\nid = \"sample\"\n" +
      "n_estimators = 4  # few\nlearning_rate = [0.2, 0.3]\nrotate = false\ntrees = \"scalar\"\n"
      "max-depth = 2\nmin_child_weight = \"auto\"\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json parameters = Json::parse(result.out)["parameters"];
  EXPECT_EQ(parameters["n_estimators"], 4);
  EXPECT_EQ(parameters["learning_rate"], Json({0.2, 0.3}));
  EXPECT_EQ(parameters["rotate"], false);
  EXPECT_EQ(parameters["trees"], "scalar");
  EXPECT_EQ(parameters["max_depth"], 2);
  EXPECT_EQ(space_.contents().count("run/model.json"), 1U);
}

TEST_F(CliConfigFile, CommandLineWins) {
  const CliResult result =
      fit(views() + "n_estimators = 4\nmax_depth = 2\n", {"--n_estimators", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["parameters"]["n_estimators"], 3);
  EXPECT_EQ(Json::parse(result.out)["parameters"]["max_depth"], 2);
}

TEST_F(CliConfigFile, ValuesOfTheFileWinOverAPreset) {
  const CliResult result = fit(views() + "n_estimators = 4\n", {"--preset", "paper"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["parameters"]["n_estimators"], 4);
  EXPECT_EQ(Json::parse(result.out)["parameters"]["objective"], "ey");
}

TEST_F(CliConfigFile, SectionOfTheVerb) {
  const CliResult result = fit("[fit]\n" + views() + "n_estimators = 4\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["parameters"]["n_estimators"], 4);
  expect_failure(fit("[other]\n" + views()), 2, {"[other]", "x.toml"});
}

TEST_F(CliConfigFile, MistakesAreNamed) {
  expect_failure(fit(views() + "n_estimatrs = 4\n"), 2, {"n_estimatrs", "x.toml", "n_estimators"});
  expect_failure(fit(views() + "json = true\n"), 2, {"json", "x.toml"});
  expect_failure(fit(views() + "config = \"y.toml\"\n"), 2, {"config", "x.toml"});
  expect_failure(fit(views() + "max_depth = \"deep\"\n"), 2, {"max_depth", "deep"});
  expect_failure(fit(views() + "max_depth = 99\n"), 2, {"max_depth", "99"});
  expect_failure(fit(views() + "max_depth = 2\ntrees = \"joint\"\nmax_depth = 3\n"), 2,
                 {"max_depth", "more than once"});
  expect_failure(fit(views() + "id = \"a#b\"\n"), 2, {"\"id\"", "x.toml", "#"});
  expect_failure(run_cli({"fit", "--config", space_.file("absent.toml")}), 1, {"absent.toml"});
  expect_failure(run_cli({"fit", "--config", space_.path()}), 1, {space_.path()});
}

}  // namespace
}  // namespace treecca

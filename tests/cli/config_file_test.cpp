// fit --config.
#include <gtest/gtest.h>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"

namespace treecca {
namespace {

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
  const CliResult result =
      fit(views() + "out = \"" + space_.file("run") + "\"\n# a comment\n\nid = \"sample\"\n" +
          "n_estimators = 4  # few\nlearning_rate = [0.2, 0.3]\nrotate = false\ntrees = \"scalar\"\n"
          "max-depth = 2\nmin_child_weight = \"auto\"\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json parameters = Json::parse(result.out)["parameters"];
  EXPECT_EQ(parameters["n_estimators"], 4);
  EXPECT_EQ(parameters["learning_rate"], Json::parse("[0.2, 0.3]"));
  EXPECT_EQ(parameters["rotate"], false);
  EXPECT_EQ(parameters["trees"], "scalar");
  EXPECT_EQ(parameters["max_depth"], 2);
  EXPECT_EQ(space_.contents().count("run/model.json"), 1U);
}

TEST_F(CliConfigFile, CommandLineWins) {
  const CliResult result = fit(views() + "n_estimators = 4\nmax_depth = 2\n", {"--n_estimators", "3"});
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

TEST_F(CliConfigFile, ViewsInAnyForm) {
  const std::string a = space_.file("a.csv");
  const std::string b = space_.file("b.csv");
  const auto names_of = [&](const std::string& config) {
    const CliResult result = fit("n_estimators = 2\n" + config);
    EXPECT_EQ(result.exit_code, 0) << config << result.err;
    const Json summary = Json::parse(result.out);
    std::vector<std::string> names;
    for (const Json& view : summary["views"].items()) names.push_back(view["name"].text());
    return names;
  };
  const std::vector<std::string> expected{"y", "x"};
  EXPECT_EQ(names_of("view = [\n  \"y=" + a + "\",  # the first\n  \"x=" + b + "\",\n]\n"), expected);
  // In the order of the file, not of the alphabet.
  EXPECT_EQ(names_of("[view]\ny = \"" + a + "\"\nx = \"" + b + "\"\n"), expected);
  EXPECT_EQ(names_of("view = { y = \"" + a + "\", x = \"" + b + "\" }\n"), expected);
  EXPECT_EQ(names_of("[fit.view]\ny = '" + a + "'\nx = '" + b + "'\n"), expected);
  EXPECT_EQ(names_of("view = [\"" + a + "\", \"" + b + "\"]\n"), (std::vector<std::string>{"a", "b"}));
  expect_failure(fit("view = \"" + a + "\"\n"), 2, {"only one is given"});
  expect_failure(fit("view = [1, 2]\n"), 2, {"x.toml", "line 1", "view must be", "contains 1"});
  expect_failure(fit("view = true\n"), 2, {"x.toml", "line 1", "view must be", "not true"});
  expect_failure(fit("[view]\n\"a=b\" = \"f\"\n"), 2, {"x.toml", "line 2", "a=b"});
}

TEST_F(CliConfigFile, EverySpellingOfHelpAndEveryNotationOfToml) {
  const CliResult result = fit("\xEF\xBB\xBF" + views() +
                               "k = 1\nseed = 0x1_0\nthreads = 1\nn_estimators = 1_0\n"
                               "learning_rate = 1e-1\nquiet = false\ncross-fit = \"off\"\n"
                               "learning-rate-of-nobody.x = 1\n");
  expect_failure(result, 2, {"x.toml", "line 9", "learning-rate-of-nobody"});
  const CliResult good = fit("\xEF\xBB\xBF" + views() +
                             "k = 1\nseed = 0x1_0\nthreads = 1\nn_estimators = 1_0\n"
                             "learning_rate = 1e-1\nquiet = false\ncross-fit = \"off\"\n");
  ASSERT_EQ(good.exit_code, 0) << good.err;
  const Json parameters = Json::parse(good.out)["parameters"];
  EXPECT_EQ(parameters["n_components"], 1);
  EXPECT_EQ(parameters["random_state"], 16);
  EXPECT_EQ(parameters["n_estimators"], 10);
  EXPECT_EQ(parameters["cross_fit"], 0);
}

TEST_F(CliConfigFile, Flags) {
  space_.write("x.toml", views() + "n_estimators = 2\njson = true\n");
  const CliResult json = run_cli({"fit", "--config", space_.file("x.toml")});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  EXPECT_NO_THROW(Json::parse(json.out));
  // The command line wins also over what it excludes.
  EXPECT_EQ(run_cli({"fit", "--quiet", "--config", space_.file("x.toml")}).out, "");
  space_.write("x.toml", views() + "json = true\nquiet = true\n");
  expect_failure(run_cli({"fit", "--config", space_.file("x.toml")}), 2, {"x.toml", "json", "quiet"});
}

TEST_F(CliConfigFile, MistakesAreNamed) {
  expect_failure(fit(views() + "n_estimatrs = 4\n"), 2, {"n_estimatrs", "x.toml, line 2", "n_estimators"});
  expect_failure(fit(views() + "config = \"y.toml\"\n"), 2, {"config", "x.toml"});
  expect_failure(fit(views() + "max_depth = \"deep\"\n"), 2, {"x.toml", "max_depth", "deep", "integer"});
  expect_failure(fit(views() + "max_depth = 99\n"), 2, {"x.toml, line 2", "max_depth", "99"});
  expect_failure(fit(views() + "max_depth = \"3\"\n"), 2, {"max_depth", "the text \"3\"", "an integer"});
  expect_failure(fit(views() + "max_depth = true\n"), 2, {"max_depth", "true", "an integer"});
  expect_failure(fit(views() + "max_depth = [2, \"3\"]\n"), 2, {"max_depth", "the text \"3\""});
  expect_failure(fit(views() + "max_depth = []\n"), 2, {"max_depth", "a list"});
  expect_failure(fit(views() + "n_components = [1, 2]\n"), 2, {"n_components", "a list"});
  expect_failure(fit(views() + "max_depth = 2024-01-01\n"), 2, {"max_depth", "a date"});
  expect_failure(fit(views() + "rotate = \"yes\"\n"), 2, {"rotate", "true or false"});
  expect_failure(fit(views() + "rotate = 1\n"), 2, {"rotate", "true or false"});
  expect_failure(fit(views() + "quiet = \"yes\"\n"), 2, {"quiet", "true or false"});
  expect_failure(fit(views() + "trees = 1\n"), 2, {"trees", "\"joint\""});
  expect_failure(fit(views() + "id = 1\n"), 2, {"id must be a text"});
  expect_failure(fit(views() + "max_depth = 2\ntrees = \"joint\"\nmax_depth = 3\n"), 2, {"x.toml, line 4"});
  expect_failure(fit(views() + "max_depth = 2\nmax-depth = 3\n"), 2, {"max-depth", "more than once"});
  expect_failure(fit(views() + "k = 2\n[fit]\nn_components = 3\n"), 2, {"n_components", "more than once"});
  expect_failure(fit(views() + "id = \"open\n"), 2, {"x.toml, line 2"});
  expect_failure(fit("view = [\n\"a\",\n"), 2, {"x.toml, line "});
  expect_failure(fit("[fit\n"), 2, {"x.toml, line 1"});
  expect_failure(fit("id = \"a\xFF\"\n"), 2, {"x.toml, line 1"});
  // A value is checked also where the command line has another.
  expect_failure(fit(views() + "max_depth = 99\n", {"--max_depth", "2"}), 2, {"x.toml", "99"});
  // A # inside quotes is no comment.
  expect_failure(fit(views() + "id = \"a#b\"\n"), 1, {"no column \"a#b\""});
}

TEST_F(CliConfigFile, DeeplyNestedValuesDoNotCrash) {
  expect_failure(fit(views() + "max_depth = " + std::string(100'000, '[') + "\n"), 2, {"x.toml, line 2", "nested"});
}

TEST_F(CliConfigFile, NumbersOfOptionsThatAreNoParameters) {
  const auto ssl = [&](const std::string& config) {
    space_.write("x.toml", "view = \"" + space_.file("a.csv") + "\"\nn_estimators = 2\n" + config);
    return run_cli({"ssl", "--quiet", "--config", space_.file("x.toml")});
  };
  for (const char* good : {"swap = 0.5\n", "swap = \"0.5\"\n", "swap = 0.5\nrows = \"symmetrised\"\n"}) {
    EXPECT_EQ(ssl(good).exit_code, 0) << good << ssl(good).err;
  }
  expect_failure(ssl("swap = \"half\"\n"), 2, {"x.toml, line 3", "swap", "a number", "half"});
  expect_failure(ssl("swap = true\n"), 2, {"x.toml, line 3", "swap must be a number, not true"});
  expect_failure(ssl("swap = [0.5]\n"), 2, {"x.toml, line 3", "swap must be a number, not a list"});
  expect_failure(ssl("swap = 0.5\nrows = \"three\"\n"), 2, {"x.toml, line 4", "stacked", "three"});
  expect_failure(ssl("swap = 0.5\nscreen = 3\n"), 2, {"x.toml, line 4", "screen"});
}

TEST_F(CliConfigFile, FilesThatAreNoConfigFiles) {
  expect_failure(run_cli({"fit", "--config", space_.file("absent.toml")}), 1, {"absent.toml"});
  expect_failure(run_cli({"fit", "--config", space_.path()}), 1, {space_.path(), "folder"});
  expect_failure(run_cli({"fit", "--config", "/dev/zero"}), 1, {"/dev/zero", "not a regular file"});
  expect_failure(fit(std::string(1'000'001, '\n')), 1, {"x.toml", "1 MB"});
}

}  // namespace
}  // namespace treecca

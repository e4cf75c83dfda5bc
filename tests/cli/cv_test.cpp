// treecca cv.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"
#include "treecca/cv.hpp"

namespace treecca {
namespace {

class CliCv : public ::testing::Test {
 protected:
  void SetUp() override { write_demo_views(space_); }

  std::vector<std::string> command(std::vector<std::string> more) const {
    std::vector<std::string> words{"cv",
                                   "--view",
                                   "m=" + space_.file("d/view1.csv"),
                                   "--view",
                                   "p=" + space_.file("d/view2.csv"),
                                   "--preset",
                                   "plain",
                                   "--n_estimators",
                                   "25"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Workspace space_;
};

TEST_F(CliCv, ShowsSettingsBestFirstAndWritesTables) {
  const CliResult result =
      run_cli(command({"--grid", "n_components=1,3", "--grid", "max-depth=2,2:4", "--out", space_.file("o")}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"n_components", "max_depth", "2:4", "best round", "Best: --n_components 3", "cv.csv"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " is not in\n" << result.out;
  }
  const std::string table = read_bytes(space_.file("o/cv.csv"));
  EXPECT_EQ(
      table.substr(0, table.find('\n')),
      "setting,n_components,max_depth,tcc,found,found_tcc,standard_error,linear_weight,best_round,seconds,cc1,cc2,cc3");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
  const std::string curves = read_bytes(space_.file("o/cv_curves.csv"));
  EXPECT_EQ(std::count(curves.begin(), curves.end(), '\n'), 1 + 4 * 25);
}

TEST_F(CliCv, JsonHasTheFiguresOfTheFit) {
  const CliResult result = run_cli(command({"--grid", "n_components=2,3", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[1]["parameters"]["n_components"], 3);
  EXPECT_EQ(json[1]["curve"].size(), 25U);
  const CliResult fit =
      run_cli({"fit", "--view", "m=" + space_.file("d/view1.csv"), "--view", "p=" + space_.file("d/view2.csv"),
               "--preset", "plain", "--n_estimators", "25", "-k", "3", "--json"});
  EXPECT_EQ(Json::parse(fit.out)["correlations"]["out_of_fold"], json[1]["correlations"]);
}

TEST_F(CliCv, TakesItsOptionsFromAFileToo) {
  const std::string config = space_.write("cv.toml", "grid = [\"max_depth=2,3\", \"n_components=1\"]\njson = true\n");
  const CliResult result = run_cli(command({"--config", config}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[1]["parameters"]["max_depth"], 3);
}

/// No setting is called the best of those that find nothing, and no edge of the grid is to be passed.
TEST_F(CliCv, NothingFoundIsNoBestSetting) {
  std::string shuffled = "id,x,y\n";
  for (int i = 0; i < 60; ++i) shuffled += fmt::format("s{},{},{}\n", i, (i * 37) % 61, (i * 53) % 59);
  std::string other = "id,u,v\n";
  for (int i = 0; i < 60; ++i) other += fmt::format("s{},{},{}\n", i, (i * i * 7) % 101, (i * i * 11 + i) % 97);
  const CliResult result =
      run_cli({"cv", "--view", space_.write("one.csv", shuffled), "--view", space_.write("other.csv", other),
               "--preset", "plain", "--n_estimators", "10", "-k", "1", "--grid", "max_depth=2,3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("No best setting: no component is above its noise threshold."), std::string::npos)
      << result.out;
  EXPECT_EQ(result.out.find("Best:"), std::string::npos);
  EXPECT_EQ(result.out.find("edge"), std::string::npos);
}

TEST_F(CliCv, NeverWritesOverItsInputs) {
  std::filesystem::copy_file(space_.file("d/view1.csv"), space_.file("d/cv.csv"));
  const std::string before = read_bytes(space_.file("d/cv.csv"));
  const CliResult result = run_cli({"cv", "--view", space_.file("d/cv.csv"), "--view", space_.file("d/view2.csv"),
                                    "--grid", "max_depth=2", "--out", space_.file("d")});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_NE(result.err.find("cv.csv"), std::string::npos) << result.err;
  EXPECT_EQ(read_bytes(space_.file("d/cv.csv")), before);
}

TEST_F(CliCv, SaysWhatIsWrongWithAGrid) {
  const auto error = [&](std::vector<std::string> more) {
    const CliResult result = run_cli(command(std::move(more)));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_NE(error({}).find("--grid n_components=1,2,3,5"), std::string::npos);
  EXPECT_NE(error({"--grid", "max_depth"}).find("NAME=VALUE"), std::string::npos);
  EXPECT_NE(error({"--grid", "depth=2,3"}).find("depth"), std::string::npos);
  EXPECT_NE(error({"--grid", "max_depth=2,99"}).find("max_depth"), std::string::npos);
  EXPECT_NE(error({"--grid", "max_depth=2", "--grid", "max_depth=3"}).find("twice"), std::string::npos);
}

}  // namespace
}  // namespace treecca

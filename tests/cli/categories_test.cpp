// Categories through the commands: fit, transform, score, explain, inspect, cv, permutation-test, export.
#include <gtest/gtest.h>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"
#include "treecca/model.hpp"

namespace treecca {
namespace {

/// a.csv: ids, a number, a tissue on which the first number of b.csv depends, and a batch without effect.
class CliCategories : public ::testing::Test {
 protected:
  void SetUp() override {
    write("a.csv", "b.csv", "skin");
    const CliResult result =
        run_cli(arguments("fit", {"--categorical", "a=tissue,batch", "--out", space_.file("run")}));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    model_ = space_.file("run/model.json");
  }

  void write(const std::string& a, const std::string& b, const std::string& last) {
    const char* tissues[] = {"liver", "brain", "lung", "skin"};
    const double effects[] = {1.5, -1, 0.8, -1.3};
    std::string first = "id,u,tissue,batch\n", second = "id,v,w\n";
    for (int i = 0; i < 160; ++i) {
      const int tissue = (i * 7 + i / 4) % 4;
      const double noise = (i * 37 % 101) / 50.0 - 1;
      const std::string id = "s" + std::to_string(i);
      first += id + "," + std::to_string(i * 53 % 97) + "," + (tissue == 3 ? last : tissues[tissue]) + "," +
               std::to_string(i * 29 % 3) + "\n";
      second += id + "," + std::to_string(effects[tissue] + 0.4 * noise) + "," + std::to_string(i * 61 % 89) + "\n";
    }
    space_.write(a, first);
    space_.write(b, second);
  }

  std::vector<std::string> arguments(const std::string& command, std::initializer_list<std::string> more = {}) const {
    std::vector<std::string> words{command,
                                   "--view",
                                   "a=" + space_.file("a.csv"),
                                   "--view",
                                   "b=" + space_.file("b.csv"),
                                   "-k",
                                   "1",
                                   "--n_repeats",
                                   "1",
                                   "--n_estimators",
                                   "20",
                                   "--random_state",
                                   "1"};
    words.insert(words.end(), more);
    return words;
  }

  CliResult of_model(const std::string& command, const std::string& a, std::initializer_list<std::string> more = {}) {
    std::vector<std::string> words{command, model_, "--view", "a=" + space_.file(a)};
    words.insert(words.end(), more);
    return run_cli(words);
  }

  const Workspace space_;
  std::string model_;
};

TEST_F(CliCategories, AreInTheModel) {
  const Model model = load_model(model_);
  EXPECT_EQ(model.views[0].levels, (Levels{{}, {"brain", "liver", "lung", "skin"}, {"0", "1", "2"}}));
  EXPECT_TRUE(model.views[1].levels.empty());
  EXPECT_GT(model.correlations.out_of_fold[0], 0.9);
  const CliResult shown = run_cli({"inspect", model_});
  EXPECT_NE(shown.out.find("Categories of a: tissue (4 levels), batch (3 levels)"), std::string::npos) << shown.out;
  const CliResult json = run_cli({"inspect", model_, "--json"});
  EXPECT_EQ(Json::parse(json.out)["views"][0]["categories"]["tissue"].size(), 4U);
  EXPECT_NE(read_bytes(space_.file("run/report.html")).find(">Level</th>"), std::string::npos);
}

TEST_F(CliCategories, OfNewFilesAreThoseOfTheModel) {
  const CliResult same = of_model("transform", "a.csv", {"--out", space_.file("z.csv")});
  ASSERT_EQ(same.exit_code, 0) << same.err;
  const auto variates = csv_rows(read_bytes(space_.file("run/variates_a.csv")));
  const auto again = csv_rows(read_bytes(space_.file("z.csv")));
  ASSERT_EQ(again.size(), variates.size());
  for (std::size_t i = 1; i < again.size(); ++i) EXPECT_NEAR(std::stod(again[i][1]), std::stod(variates[i][1]), 1e-5);

  write("new.csv", "other.csv", "bone");
  const CliResult unknown = of_model("transform", "new.csv", {"--out", space_.file("z2.csv")});
  EXPECT_EQ(unknown.exit_code, 0);
  EXPECT_NE(unknown.err.find(
                "View \"a\", feature \"tissue\": the fit had no level \"bone\"; it counts as missing in 40 of 160"),
            std::string::npos)
      << unknown.err;
}

TEST_F(CliCategories, WorkInEveryCommand) {
  const std::string b = "b=" + space_.file("b.csv");
  EXPECT_EQ(of_model("score", "a.csv", {"--view", b}).exit_code, 0);
  const CliResult explained = of_model("explain", "a.csv", {"--json"});
  ASSERT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_EQ(Json::parse(explained.out)["a"]["components"][0]["features"][0]["feature"].text(), "tissue");
  EXPECT_EQ(run_cli({"importance", model_}).exit_code, 0);
  EXPECT_EQ(run_cli(arguments("cv", {"--categorical", "tissue,batch", "--grid", "max_depth=2,3"})).exit_code, 0);
  const CliResult test = of_model("permutation-test", "a.csv", {"--view", b, "--n_permutations", "9"});
  EXPECT_EQ(test.exit_code, 0) << test.err;
  const CliResult exported = run_cli({"export", model_, "--format", "onnx", "--out", space_.file("exported")});
  EXPECT_NE(exported.exit_code, 0);
  EXPECT_NE(exported.err.find("the feature \"tissue\" is a category"), std::string::npos) << exported.err;
}

TEST_F(CliCategories, CanBeAllColumnsOfText) {
  const CliResult refused = run_cli(arguments("fit"));
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_NE(refused.err.find("--categorical \"tissue\""), std::string::npos) << refused.err;
  const CliResult result = run_cli(arguments("fit", {"--text_columns", "categorical", "--out", space_.file("run2")}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(load_model(space_.file("run2/model.json")).views[0].levels,
            (Levels{{}, {"brain", "liver", "lung", "skin"}, {}}));
  expect_failure(run_cli(arguments("fit", {"--text_columns", "yes"})), 2,
                 {"--text_columns yes: use error or categorical"});
  expect_failure(run_cli(arguments("fit", {"--categorical", "tissue,oops"})), 2,
                 {"--categorical \"oops\": no view has this"});
  expect_failure(run_cli(arguments("fit", {"--categorical", "tissue,tissue"})), 2,
                 {"--categorical names tissue twice"});
}

TEST_F(CliCategories, CanBeCovariates) {
  const CliResult result =
      run_cli(arguments("fit", {"--categorical", "tissue,batch", "--adjust", "batch", "--out", space_.file("run3")}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Model model = load_model(space_.file("run3/model.json"));
  ASSERT_EQ(model.covariates.size(), 1U);
  EXPECT_EQ(model.covariates[0].levels, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(model.views[0].levels, (Levels{{}, {"brain", "liver", "lung", "skin"}}));
}

}  // namespace
}  // namespace treecca

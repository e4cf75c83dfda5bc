// treecca permutation-importance.
#include "treecca/permutation_importance.hpp"

#include <gtest/gtest.h>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"
#include "treecca/fold_importance.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

class CliPermutationImportance : public ::testing::Test {
 protected:
  void SetUp() override {
    write_two_views(space_);
    ASSERT_EQ(run_cli(fit_arguments(space_, {"--out", space_.file("run")})).exit_code, 0);
  }
  CliResult run(std::initializer_list<std::string> more) const {
    std::vector<std::string> words{"permutation-importance", space_.file("run/model.json")};
    for (const std::string view : {"b", "a"}) words.insert(words.end(), {"--view", space_.file(view + ".csv")});
    words.insert(words.end(), more);
    return run_cli(words);
  }
  const Workspace space_;
};

TEST_F(CliPermutationImportance, IsThatOfTheLibrary) {
  const CliResult result = run({"--json", "--n_permutations", "3", "--seed", "4", "--threads", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("in-sample"), std::string::npos);  // these are the samples of the fit
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["in_sample"], true);
  EXPECT_EQ(json["importances"].size(), 4U);  // 2 views x 2 components
  EXPECT_EQ(json["importances"][0]["view"], "a");
  // Rows of b stand in reverse order in its file and are joined by id, in the order of the first file that is named.
  const Table b = read_table(space_.file("b.csv"), "b");
  Table a = read_table(space_.file("a.csv"), "a");
  std::vector<Table> tables{b, a};
  join_by_sample(tables);
  const PermutationImportances expected =
      permutation_importances(load_model(space_.file("run/model.json")), {tables[1].values, tables[0].values},
                              {.n_permutations = 3, .random_state = 4});
  const Json first = json["importances"][1];
  EXPECT_NEAR(first["correlation"].number(), expected.correlations(0, 1), 1e-12);
  const Index feature = first["features"][0]["feature"].text() == a.feature_names[0] ? 0 : 1;
  EXPECT_NEAR(first["features"][0]["importance"].number(), expected.drops[0](1, feature), 1e-12);
  EXPECT_NEAR(first["features"][0]["deviation"].number(), expected.deviations[0](1, feature), 1e-12);
}

TEST_F(CliPermutationImportance, OutOfFoldIsThatOfTheLibrary) {
  const CliResult result = run({"--out_of_fold", "--json", "--n_permutations", "2", "--seed", "4", "--threads", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err.find("in-sample"), std::string::npos) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["in_sample"], false);
  EXPECT_EQ(json["out_of_fold"], true);
  const Table b = read_table(space_.file("b.csv"), "b");
  Table a = read_table(space_.file("a.csv"), "a");
  std::vector<Table> tables{b, a};
  join_by_sample(tables);
  OutOfFoldImportanceOptions options;
  options.n_permutations = 2;
  options.random_state = 4;
  const PermutationImportances expected = out_of_fold_importances(
      load_model(space_.file("run/model.json")),
      {{"a", tables[1].values, tables[1].feature_names}, {"b", tables[0].values, tables[0].feature_names}}, options);
  EXPECT_NEAR(json["importances"][1]["correlation"].number(), expected.correlations(0, 1), 1e-9);

  const CliResult without = run({"--groups", space_.file("a.csv")});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_NE(without.err.find("--groups is for the refits of --out_of_fold"), std::string::npos) << without.err;
}

TEST_F(CliPermutationImportance, AsTableAndCsv) {
  const CliResult table = run({"--component", "1", "--top", "1"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_NE(table.out.find("a: component cc1, correlation"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("and 1 more (--top 2 shows all)"), std::string::npos);
  EXPECT_EQ(table.out.find("component cc2"), std::string::npos);
  const auto rows = csv_rows(run({"--csv", "--component", "1"}).out);
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"view", "component", "feature", "importance", "deviation"}));
  EXPECT_EQ(rows[1][1], "cc1");
}

TEST_F(CliPermutationImportance, RefusesWhatIsMissing) {
  expect_failure(run_cli({"permutation-importance", space_.file("run/model.json"), "--view", space_.file("a.csv")}), 2,
                 {"permutation-importance needs every view of the model; missing: b"});
  expect_failure(run({"--n_permutations", "0"}), 2, {"n_permutations", "1 to 10000"});
}

}  // namespace
}  // namespace treecca

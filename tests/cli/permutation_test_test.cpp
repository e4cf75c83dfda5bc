// treecca permutation-test.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"

namespace treecca {
namespace {

class CliPermutationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    write_two_views(space_);
    ASSERT_EQ(run_cli(fit_arguments(space_, {"--out", space_.file("run")})).exit_code, 0);
  }
  CliResult run(std::vector<std::string> more) const {
    std::vector<std::string> words{"permutation-test", space_.file("run/model.json"), "--view", space_.file("b.csv"),
                                   "--view",           space_.file("a.csv")};
    words.insert(words.end(), more.begin(), more.end());
    return run_cli(words);
  }
  const Workspace space_;
};

TEST_F(CliPermutationTest, PrintsPValuesAndKeepsTheNullDistribution) {
  const CliResult result = run({"--n_permutations", "39", "--json", "--out", space_.file("test")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["p_values"].size(), 2U);
  EXPECT_EQ(json["p_values"][0].number(), 0.025);
  EXPECT_EQ(json["permute"], "rows");
  EXPECT_EQ(json["null"].size(), 39U);
  EXPECT_EQ(json["pairs"][0]["p_values"], json["p_values"]);
  const std::string null = read_bytes(space_.file("test/permutation_null.csv"));
  EXPECT_EQ(std::count(null.begin(), null.end(), '\n'), 40);
  EXPECT_EQ(read_bytes(space_.file("test/permutation_test.csv")).substr(0, 41),
            "component,view,other,correlation,p_value\n");
  EXPECT_EQ(result.err.find("samples of the fit"), std::string::npos) << result.err;
  const CliResult text = run({"--n-permutations", "39"});
  EXPECT_NE(text.out.find("39 permutations of rows."), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("0.025"), std::string::npos) << text.out;
}

TEST_F(CliPermutationTest, WarnsIfTheDataAreNotThoseOfTheFit) {
  const std::string a = read_bytes(space_.file("a.csv"));
  space_.write("a.csv", a.substr(0, a.find("\ns101,") + 1));
  const CliResult result = run({"--n_permutations", "19", "--permute", "auto"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("These are not the samples of the fit: 100 of 200 samples are given"), std::string::npos)
      << result.err;
}

TEST_F(CliPermutationTest, BadInputIsRefused) {
  expect_failure(run({"--n_permutations", "0"}), 2, {"at least 1"});
  expect_failure(run({"--n_permutations", "many"}), 2, {"n_permutations"});
  expect_failure(run({"--permute", "columns"}), 2, {"rows", "within_groups"});
  expect_failure(run({"--permute", "groups"}), 2, {"need groups"});
  expect_failure(run_cli({"permutation-test", space_.file("run/model.json"), "--view", space_.file("a.csv")}), 2,
                 {"permutation-test needs every view of the model; missing: b"});
}

}  // namespace
}  // namespace treecca

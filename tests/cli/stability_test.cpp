// treecca stability.
#include <gtest/gtest.h>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"

namespace treecca {
namespace {

class CliStability : public ::testing::Test {
 protected:
  void SetUp() override {
    write_two_views(space_);
    ASSERT_EQ(run_cli(fit_arguments(space_, {"--out", space_.file("run")})).exit_code, 0);
  }
  CliResult run(std::vector<std::string> more) const {
    std::vector<std::string> words{"stability", space_.file("run/model.json"), "--view", space_.file("b.csv"),
                                   "--view",    space_.file("a.csv")};
    words.insert(words.end(), more.begin(), more.end());
    return run_cli(words);
  }
  const Workspace space_;
};

TEST_F(CliStability, PrintsTablesAndKeepsThem) {
  const CliResult result = run({"--n_subsamples", "4", "--n-seeds", "1", "--json", "--out", space_.file("out")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["n_subsamples"], 4);
  EXPECT_EQ(json["recovered"]["mean"].size(), 2U);
  EXPECT_EQ(json["agreement"]["low"].size(), 2U);
  EXPECT_EQ(json["seed_agreement"]["mean"].size(), 2U);
  EXPECT_EQ(json["correlation_intervals"]["high"].size(), 2U);
  EXPECT_EQ(json["pair_agreement"].size(), 2U);
  EXPECT_EQ(json["subsample_correlations"].size(), 4U);
  EXPECT_EQ(json["views"].size(), 2U);
  EXPECT_EQ(json["views"][0]["frequencies"].size(), 2U);
  EXPECT_TRUE(json.contains("reason"));
  const auto components = csv_rows(read_bytes(space_.file("out/stability.csv")));
  ASSERT_EQ(components.size(), 3U);
  EXPECT_EQ(components[0].size(), 13U);
  EXPECT_EQ(std::stod(components[1][4]), json["recovered"]["mean"][0].number());
  EXPECT_EQ(csv_rows(read_bytes(space_.file("out/stability_pairs.csv"))).size(), 5U);
  const auto features = csv_rows(read_bytes(space_.file("out/stability_features.csv")));
  EXPECT_EQ(features[0],
            (std::vector<std::string>{"view", "feature", "component", "importance", "low", "high", "frequency"}));
  const CliResult text = run({"--n_subsamples", "2", "--n_seeds", "0", "--p_value", "0.001", "--p_value", "0.9"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("found again"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("K = "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("In brackets the range of the only pair."), std::string::npos) << text.out;
  const CliResult few = run({"--n_subsamples", "4", "--n_seeds", "2"});
  EXPECT_NE(replaced(few.out, "\\s+", " ").find("the range of the 2 pairs of halves, and of the 2 other seeds."),
            std::string::npos)
      << few.out;
  EXPECT_EQ(few.out.find("95 % of the fits"), std::string::npos);
  EXPECT_NE(text.out.find("how often among the"), std::string::npos) << text.out;
}

TEST_F(CliStability, BadInputIsRefused) {
  expect_failure(run({"--n_subsamples", "0"}), 2, {"n_subsamples must be even and at least 2"});
  expect_failure(run({"--n_subsamples", "many"}), 2, {"n_subsamples"});
  expect_failure(run({"--n_top", "0"}), 2, {"n_top"});
  expect_failure(run({"--p_value", "low"}), 2, {"p_value"});
  expect_failure(run({"--p_value", "0.1"}), 2, {"1 p-values", "2 components"});
  expect_failure(run_cli({"stability", space_.file("run/model.json"), "--view", space_.file("a.csv")}), 2,
                 {"stability needs every view of the model; missing: b"});
}

}  // namespace
}  // namespace treecca

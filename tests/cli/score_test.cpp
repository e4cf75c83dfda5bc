// treecca score.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"
#include "linalg/row_products.hpp"
#include "treecca/metrics.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

class CliScore : public ::testing::Test {
 protected:
  void SetUp() override {
    write_two_views(space_);
    ASSERT_EQ(run_cli(fit_arguments(space_, {"--out", space_.file("run")})).exit_code, 0);
    model_ = space_.file("run/model.json");
  }
  const Workspace space_;
  std::string model_;
};

TEST_F(CliScore, IsTheCorrelationOfTheVariates) {
  // Views in another order than the model's, rows joined by id.
  const std::vector<std::string> words{"score", model_, "--view", space_.file("b.csv"), "--view", space_.file("a.csv")};
  std::vector<std::string> json = words;
  json.push_back("--json");
  const CliResult result = run_cli(json);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json printed = Json::parse(result.out);
  std::vector<Table> variates{read_table(space_.file("run/variates_a.csv"), "a"),
                              read_table(space_.file("run/variates_b.csv"), "b")};
  join_by_sample(variates);
  const std::vector<Matrix<float>> matrices{to_floats(variates[0].values), to_floats(variates[1].values)};
  const std::vector<double> expected = component_correlations(matrices);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(printed["correlations"][k].number(), expected[k], 1e-12);
  EXPECT_NEAR(printed["tcc"].number(), total_correlation(expected), 1e-12);
  EXPECT_EQ(printed["n_samples"], kSamples);
  const CliResult text = run_cli(words);
  EXPECT_NE(text.out.find("total (TCC)"), std::string::npos);
  EXPECT_NE(text.out.find("Joined by sample id: 200"), std::string::npos);
}

/// As in the column next to it, the correlations at the fit.
TEST_F(CliScore, NegativeCorrelationsCountZeroInTheTotal) {
  std::string opposed = "sample,y,other\n";
  for (int i = 0; i < kSamples; ++i) {
    const double shared = static_cast<double>((i * 37) % kSamples) / kSamples - 0.5;
    opposed += "s" + std::to_string(i + 1) + "," + std::to_string(0.25 - shared * shared) + "," +
               std::to_string((i * 31) % 23) + "\n";
  }
  const std::string b = "b=" + space_.write("opposed.csv", opposed);
  const CliResult result = run_cli({"score", model_, "--view", space_.file("a.csv"), "--view", b, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json printed = Json::parse(result.out);
  EXPECT_LT(printed["correlations"][0].number(), -0.5);
  EXPECT_NEAR(printed["tcc"].number(), std::max(0.0, printed["correlations"][1].number()), 1e-12);
}

TEST_F(CliScore, NeedsEveryView) {
  expect_failure(run_cli({"score", model_, "--view", space_.file("a.csv")}), 2, {"missing: b"});
  expect_failure(run_cli({"score", model_, "--view", space_.file("a.csv"), "--view", "c=" + space_.file("b.csv")}), 2,
                 {"\"c\""});
}

TEST_F(CliScore, NeedsTwoSamples) {
  space_.write("one.csv", "sample,x,noise\ns1,1,2\n");
  expect_failure(run_cli({"score", model_, "--view", "a=" + space_.file("one.csv"), "--view", space_.file("b.csv")}), 1,
                 {"1 sample"});
}

TEST_F(CliScore, SamplesOfTheFitAndOtherUnitsAreNoticed) {
  const std::string a = read_bytes(space_.file("a.csv"));
  std::string some;  // the header and 30 samples
  for (std::size_t line = 0, at = 0; line < 31; ++line, at = some.size()) some = a.substr(0, a.find('\n', at) + 1);
  const std::string some_a = "a=" + space_.write("some_a.csv", some);
  const CliResult part = run_cli({"score", model_, "--view", some_a, "--view", space_.file("b.csv")});
  ASSERT_EQ(part.exit_code, 0) << part.err;
  EXPECT_NE(part.err.find("30 of these 30 samples were among the samples of the fit"), std::string::npos)
      << part.err;
  EXPECT_NE(part.out.find("correlation (in-sample)"), std::string::npos);
  std::string thousandfold = "sample,x,noise\n";
  for (int i = 0; i < 40; ++i) {
    thousandfold += "n" + std::to_string(i) + "," + std::to_string(1e5 * i) + "," + std::to_string(i) + "\n";
  }
  const CliResult other =
      run_cli({"transform", model_, "--view", "a=" + space_.write("thousandfold.csv", thousandfold)});
  ASSERT_EQ(other.exit_code, 0) << other.err;
  EXPECT_NE(other.err.find("View \"a\": 1 of 2 features is far from the values of the fit: \"x\" has the mean"),
            std::string::npos)
      << other.err;
}

}  // namespace
}  // namespace treecca

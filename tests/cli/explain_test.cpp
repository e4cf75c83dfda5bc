// treecca explain.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"
#include "treecca/model.hpp"
#include "treecca/shap.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

class CliExplain : public ::testing::Test {
 protected:
  void SetUp() override {
    write_two_views(space_);
    ASSERT_EQ(run_cli(fit_arguments(space_, {"--out", space_.file("run")})).exit_code, 0);
    model_ = space_.file("run/model.json");
    a_ = "a=" + space_.file("a.csv");
    b_ = "b=" + space_.file("b.csv");
  }

  const Workspace space_;
  std::string model_, a_, b_;
};

TEST_F(CliExplain, WritesTheValuesOfTheLibrary) {
  const CliResult result =
      run_cli({"explain", model_, "--view", a_, "--view", b_, "--out", space_.file("shap"), "--threads", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* name : {"shap_a_cc1.csv", "shap_a_cc2.csv", "shap_b_cc1.csv", "shap_b_cc2.csv"}) {
    EXPECT_TRUE(space_.contents().contains("shap/" + std::string(name))) << name;
  }
  const Table table = read_table(space_.file("a.csv"), "a");
  const ShapValues expected = shap_values(load_model(model_), 0, table.values);
  const auto variates = csv_rows(read_bytes(space_.file("run/variates_a.csv")));
  const auto p = static_cast<Index>(table.feature_names.size());
  for (Index c = 0; c < 2; ++c) {
    const auto rows = csv_rows(read_bytes(space_.file("shap/shap_a_cc" + std::to_string(c + 1) + ".csv")));
    ASSERT_EQ(rows.size(), kSamples + 1U);
    ASSERT_EQ(rows[0].size(), 3U + table.feature_names.size());
    EXPECT_EQ(rows[0][0], "sample");
    EXPECT_EQ(rows[0][1], "variate");
    EXPECT_EQ(rows[0][2], "base_value");
    for (std::size_t i = 1; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i][0], table.sample_ids[i - 1]);
      EXPECT_NEAR(std::stod(rows[i][1]), std::stod(variates[i][static_cast<std::size_t>(c + 1)]), 1e-5);
      for (std::size_t column = 3; column < rows[0].size(); ++column) {
        const Index feature = rows[0][column] == table.feature_names[0] ? 0 : 1;
        const double shap = expected.values[(static_cast<Index>(i - 1) * p + feature) * 2 + c];
        EXPECT_EQ(std::stof(rows[i][column]), static_cast<float>(shap));
      }
    }
  }
}

TEST_F(CliExplain, ShowsTheFeaturesThatContributeMost) {
  const CliResult result = run_cli({"explain", model_, "--view", a_}, {.environment = {{"LC_ALL", "C"}}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("a: mean |SHAP| over 200 samples, component cc1"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("component cc2"), std::string::npos);
  EXPECT_NE(result.out.find(std::string(30, '#')), std::string::npos);
  const CliResult one = run_cli({"explain", model_, "--view", a_, "--component", "2", "--top", "1"});
  EXPECT_EQ(one.out.find("component cc1"), std::string::npos);
  EXPECT_NE(one.out.find("and 1 more (--top 2 shows all)"), std::string::npos) << one.out;
}

TEST_F(CliExplain, FilesHaveAllFeaturesWhateverTheTableShows) {
  const CliResult cut =
      run_cli({"explain", model_, "--view", a_, "--component", "1", "--top", "1", "--out", space_.file("cut")});
  ASSERT_EQ(cut.exit_code, 0) << cut.err;
  EXPECT_NE(cut.out.find("and 1 more"), std::string::npos);
  EXPECT_EQ(csv_rows(read_bytes(space_.file("cut/shap_a_cc1.csv")))[0].size(), 3U + 2U);
}

TEST_F(CliExplain, ShowsAndWritesTheInteractionsOfTheLibrary) {
  const CliResult result =
      run_cli({"explain", model_, "--view", a_, "--component", "2", "--interactions", "--out", space_.file("pairs")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("a: interactions, component cc2"), std::string::npos) << result.out;
  const Table table = read_table(space_.file("a.csv"), "a");
  const std::vector<double> all = shap_interactions(load_model(model_), 0, table.values, 1);
  double sum = 0;
  for (Index i = 0; i < kSamples; ++i) sum += std::abs(all[i * 4 + 1]) + std::abs(all[i * 4 + 2]);
  const auto rows = csv_rows(read_bytes(space_.file("pairs/interactions_a_cc2.csv")));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1][0], table.feature_names[0]);
  EXPECT_EQ(rows[1][1], table.feature_names[1]);
  EXPECT_NEAR(std::stod(rows[1][2]), sum / kSamples, 1e-9);
  const Json json = Json::parse(run_cli({"explain", model_, "--view", a_, "--interactions", "--json"}).out);
  EXPECT_NEAR(json["a"]["components"][1]["interactions"][0]["mean_abs_shap"].number(), sum / kSamples, 1e-9);
}

TEST_F(CliExplain, InJson) {
  const CliResult result = run_cli({"explain", model_, "--view", a_, "--view", b_, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["a"]["n_samples"], 200);
  ASSERT_EQ(json["b"]["components"].size(), 2U);
  const Table table = read_table(space_.file("a.csv"), "a");
  const ShapValues shap = shap_values(load_model(model_), 0, table.values);
  EXPECT_EQ(json["a"]["components"][1]["component"], 2);
  EXPECT_EQ(json["a"]["components"][1]["base_value"], shap.base_values[1]);
  double sum = 0;
  const Json best = json["a"]["components"][0]["features"][0];
  const Index feature = best["feature"].text() == table.feature_names[0] ? 0 : 1;
  for (Index i = 0; i < kSamples; ++i) sum += std::abs(shap.values[(i * 2 + feature) * 2]);
  EXPECT_NEAR(best["mean_abs_shap"].number(), sum / kSamples, 1e-9);
  EXPECT_LE(std::abs(best["correlation"].number()), 1 + 1e-9);
}

TEST_F(CliExplain, NewRowsWithoutIdsAndWithMissingValues) {
  space_.write("new.csv", "noise,unknown,x\n0.1,1,3\n,1,\n");
  const CliResult result =
      run_cli({"explain", model_, "--view", "a=" + space_.file("new.csv"), "--out", space_.file("new")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto rows = csv_rows(read_bytes(space_.file("new/shap_a_cc1.csv")));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1][0], "1");
  EXPECT_EQ(rows[2][0], "2");
}

TEST_F(CliExplain, CellsOfSamplesThatLackTheViewAreEmpty) {
  space_.write("new.csv", "x,noise\n0.1,1\n,\n-2,3\n");
  const std::string view = "a=" + space_.file("new.csv");
  const CliResult result = run_cli({"explain", model_, "--view", view, "--out", space_.file("new")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("over 2 samples"), std::string::npos) << result.out;
  const auto rows = csv_rows(read_bytes(space_.file("new/shap_a_cc1.csv")));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2], (std::vector<std::string>{"2", "", "", "", ""}));
  EXPECT_NE(rows[3][1], "");
  space_.write("two.csv", "x,noise\n0.1,1\n-2,3\n");
  const CliResult all = run_cli({"explain", model_, "--view", view, "--json"});
  EXPECT_EQ(all.out, run_cli({"explain", model_, "--view", "a=" + space_.file("two.csv"), "--json"}).out);
}

TEST_F(CliExplain, WarnsAsTransformDoes) {
  space_.write("far.csv", "x,noise\n1000,3000\n2000,4000\n1500,4100\n1700,4300\n1100,3900\n");
  const std::string far = "a=" + space_.file("far.csv");
  const CliResult transformed = run_cli({"transform", model_, "--view", far});
  EXPECT_NE(transformed.err, "");
  EXPECT_EQ(run_cli({"explain", model_, "--view", far}).err, transformed.err);
}

TEST_F(CliExplain, RefusesWhatIsNotThere) {
  const std::set<std::string> before = space_.contents();
  expect_failure(run_cli({"explain", model_}), 2, {"--view"});
  expect_failure(run_cli({"explain", model_, "--view", "c=" + space_.file("a.csv")}), 2, {"\"c\"", "a, b"});
  expect_failure(run_cli({"explain", model_, "--view", a_, "--component", "3"}), 2, {"--component", "from 1 to 2"});
  expect_failure(run_cli({"explain", model_, "--view", a_, "--top", "0"}), 2, {"--top"});
  expect_failure(run_cli({"explain", model_, "--view", "a=" + space_.file("b.csv")}), 1, {"lacks 2"});
  expect_failure(run_cli({"explain", model_, "--view", a_, "--out", space_.file("a.csv")}), 1, {"a.csv"});
  EXPECT_EQ(space_.contents(), before);
}

}  // namespace
}  // namespace treecca

// treecca importance.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/model_file_fixture.hpp"
#include "helpers/json.hpp"
#include "treecca/importance.hpp"

namespace treecca {
namespace {

using CliImportance = ModelFileTest;

TEST_F(CliImportance, InCsvIsThatOfTheLibrary) {
  for (const std::string kind : {"gain", "trees", "cover", "splits"}) {
    const CliResult result =
        run_cli({"importance", path_, "--kind", kind, "--csv", "--view", "left", "--component", "2"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto rows = csv_rows(result.out);
    ASSERT_EQ(rows.size(), 13U);
    EXPECT_EQ(rows[0], (std::vector<std::string>{"view", "feature", kind}));
    const Matrix<double> expected = component_importances(model_, 0, importance_kind(kind));
    double before = 2;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i][0], "left");
      const double share = std::stod(rows[i][2]);
      EXPECT_EQ(share, expected(1, std::stol(rows[i][1].substr(1))));
      EXPECT_LE(share, before);
      before = share;
    }
  }
}

TEST_F(CliImportance, RefusesWhatTheModelDoesNotHave) {
  const CliResult of_trees = run_cli({"importance", path_, "--kind", "linear"});
  EXPECT_EQ(of_trees.exit_code, 2);
  EXPECT_NE(of_trees.err.find("trees alone"), std::string::npos) << of_trees.err;
}

TEST_F(CliImportance, InJsonOverAllComponents) {
  const Json json = Json::parse(run_cli({"importance", path_, "--json", "--top", "2"}).out);
  EXPECT_EQ(json["left"].size(), 2U);
  EXPECT_EQ(json["right"].size(), 2U);
  const std::vector<double> expected = feature_importances(model_, 1, ImportanceKind::gain);
  EXPECT_EQ(json["right"][0]["gain"], *std::max_element(expected.begin(), expected.end()));
}

TEST_F(CliImportance, AsTableWithBars) {
  const CliResult ascii = run_cli({"importance", path_}, {.environment = {{"LC_ALL", "C"}}});
  EXPECT_EQ(ascii.exit_code, 0) << ascii.err;
  EXPECT_NE(ascii.out.find(std::string(40, '#')), std::string::npos) << ascii.out;
  EXPECT_NE(ascii.out.find("and 2 more"), std::string::npos);
  const CliResult utf8 = run_cli({"importance", path_}, {.environment = {{"LC_ALL", "C.UTF-8"}}});
  EXPECT_NE(utf8.out.find("█"), std::string::npos);
}

TEST_F(CliImportance, SaysThatComponentsBelowNoiseAreIncluded) {
  constexpr const char* kNote = "These importances include 1 of 2 components below noise.";
  model_.effective_samples = static_cast<double>(model_.n_samples);
  model_.correlations.out_of_fold = {0.9, 0.2};
  model_.correlations.standard_errors = {0.1, 0.1};
  model_.correlations.noise_thresholds = {0.5, 0.5};
  model_.correlations.pairwise_standard_errors = {0, 0, 0.1, 0.1, 0.1, 0.1, 0, 0};
  model_.correlations.pairwise_noise_thresholds = {0, 0, 0.5, 0.5, 0.5, 0.5, 0, 0};
  model_.correlations.pairwise = {1, 1, 0.9, 0.2, 0.9, 0.2, 1, 1};
  ASSERT_EQ(model_.found(), (std::vector<bool>{true, false}));
  save_model(model_, path_);
  const CliResult all = run_cli({"importance", path_});
  EXPECT_NE(all.out.find(kNote), std::string::npos) << all.out << all.err;
  const CliResult one = run_cli({"importance", path_, "--component", "1"});
  EXPECT_EQ(one.out.find(kNote), std::string::npos) << one.out;
}

TEST_F(CliImportance, RefusesWhatIsNotThere) {
  const CliResult middle = run_cli({"importance", path_, "--view", "middle"});
  expect_failure(middle, 2, {"middle", "left, right"});
  EXPECT_EQ(middle.err.find("FILE"), std::string::npos) << "it takes a name: " << middle.err;
  expect_failure(run_cli({"importance", path_, "--component", "3"}), 2, {"--component", "from 1 to 2", "3"});
  expect_failure(run_cli({"importance", path_, "--component", "0"}), 2, {"--component"});
  expect_failure(run_cli({"importance", path_, "--top", "0"}), 2, {"--top"});
  expect_failure(run_cli({"importance", path_, "--kind", "weight"}), 2, {"weight", "gain"});
  expect_failure(run_cli({"importance", path_, "--json", "--csv"}), 2, {"--json", "--csv"});
}

}  // namespace
}  // namespace treecca

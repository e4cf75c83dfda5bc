// treecca partners.
#include <gtest/gtest.h>

#include "cli/model_file_fixture.hpp"
#include "helpers/json.hpp"
#include "treecca/partners.hpp"

namespace treecca {
namespace {

using CliPartners = ModelFileTest;

TEST_F(CliPartners, AreThoseOfTheLibrary) {
  const CliResult result = run_cli({"partners", path_, "--view", "right", "--component", "2", "--csv", "--top", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto rows = csv_rows(result.out);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"view", "feature", "gain", "partner_view", "partner", "strength",
                                               "correlation", "component"}));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][0], "right");
    EXPECT_EQ(rows[i][3], "left");
    EXPECT_EQ(rows[i][7], "cc2");
    const Index a = std::stol(rows[i][1].substr(1)), b = std::stol(rows[i][4].substr(1));
    const Associations expected = associations(model_, 1, {a}, 0, {b}, 1);
    EXPECT_EQ(std::stod(rows[i][5]), expected.strength(0, 0));
    EXPECT_EQ(std::stod(rows[i][6]), expected.correlation(0, 0));
  }
  const Json json = Json::parse(run_cli({"partners", path_, "--feature", "f1", "--partners", "1", "--json"}).out);
  EXPECT_EQ(json["left"].size(), 1U);  // both views have a feature of this name
  EXPECT_EQ(json["right"][0]["feature"], "f1");
  const Partner best = partners(model_, 1, {1}, 1)[0][0];
  EXPECT_EQ(json["right"][0]["partners"][0]["strength"], best.strength);
  EXPECT_EQ(json["right"][0]["partners"][0]["component"], best.component + 1);
}

TEST_F(CliPartners, AsATable) {
  const CliResult result = run_cli({"partners", path_, "--top", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("left: partners of its features in other views, all components"), std::string::npos);
  EXPECT_NE(result.out.find("strength: 0 to 1"), std::string::npos);
}

TEST_F(CliPartners, RefusesWhatIsNotThere) {
  expect_failure(run_cli({"partners", path_, "--feature", "f77"}), 2, {"--feature", "f77"});
  expect_failure(run_cli({"partners", path_, "--view", "right", "--feature", "f11"}), 2,
                 {"--feature \"f11\": view \"left\" has this feature, view \"right\" has not"});
  expect_failure(run_cli({"partners", path_, "--view", "middle"}), 2, {"middle", "left, right"});
  expect_failure(run_cli({"partners", path_, "--component", "9"}), 2, {"--component"});
  expect_failure(run_cli({"partners", path_, "--partners", "0"}), 2, {"--partners", "at least 1"});
  expect_failure(run_cli({"partners", path_, "--top", "1", "--feature", "f1"}), 2, {"--top", "--feature"});
}

}  // namespace
}  // namespace treecca

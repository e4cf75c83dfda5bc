#include "cli/input_warnings.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"

namespace treecca::cli {
namespace {

Table table_of(const std::string& name, std::vector<float> first) {
  Table table;
  table.feature_names = {name, "x"};
  table.values = Matrix<float>(static_cast<Index>(first.size()), 2);
  for (std::size_t i = 0; i < first.size(); ++i) table.values(static_cast<Index>(i), 0) = first[i];
  return table;
}

TEST(CliInputWarnings, WholeNumbersThatLookLikeIds) {
  const Table a = table_of("nr", {3, 1, 2});
  const Table b = table_of("nr", {1, 2, 3});
  ASSERT_EQ(input_warnings({a, b}).size(), 1U);
  EXPECT_NE(input_warnings({a, b})[0].find("--id \"nr\""), std::string::npos);
  const Table large = table_of("nr", {20000001.0F, 20000002.0F, 20000003.0F});  // equal as floats
  EXPECT_EQ(input_warnings({a, b, large}).size(), 1U);
}

TEST(CliInputWarnings, OrdinaryFeatures) {
  const Table a = table_of("nr", {3, 1, 2});
  EXPECT_TRUE(input_warnings({a, table_of("other", {1, 2, 3})}).empty());
  EXPECT_TRUE(input_warnings({a, table_of("nr", {1, 1, 3})}).empty());
  EXPECT_TRUE(input_warnings({a, table_of("nr", {1, 2, 3.5F})}).empty());
  const float missing = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(input_warnings({a, table_of("nr", {1, 2, missing})}).empty());
  EXPECT_TRUE(input_warnings({table_of("f0", {1, 2, 3}), table_of("f0", {1, 2, 3})}).empty());
}

TEST(CliInputWarnings, IdsInAnyColumnAlsoBesideOthers) {
  Table a = table_of("x", {1.5F, 1.5F, 2});
  a.feature_names = {"x", "code"};
  for (Index i = 0; i < 3; ++i) a.values(i, 1) = static_cast<float>(100 + i);
  Table b = a;
  b.feature_names = {"y", "code"};
  ASSERT_EQ(input_warnings({a, b}).size(), 1U);
  EXPECT_NE(input_warnings({a, b})[0].find("\"code\""), std::string::npos);
  EXPECT_NE(input_warnings({a, b})[0].find("their order"), std::string::npos);
  a.sample_ids = b.sample_ids = {"a", "b", "c"};
  ASSERT_EQ(input_warnings({a, b}).size(), 1U);
  EXPECT_EQ(input_warnings({a, b})[0].find("their order"), std::string::npos);
}

TEST(CliInputWarnings, ColumnsWithoutAnyValue) {
  Table a = table_of("x", {1, 1, 2});
  for (Index i = 0; i < 3; ++i) a.values(i, 1) = std::numeric_limits<float>::quiet_NaN();
  a.name = "rna";
  a.feature_names = {"x", "gone"};
  ASSERT_EQ(input_warnings({a}).size(), 1U);
  EXPECT_EQ(input_warnings({a})[0], "View \"rna\" has columns without any value: gone.");
}

TEST(CliInputWarnings, FewSamplesInCommon) {
  JoinedInputs inputs;
  inputs.views = {{"a", "", 120, 3, 0}, {"b", "", 100, 3, 0}};
  inputs.join.by_id = true;
  inputs.join.matched = 49;
  ASSERT_EQ(join_warnings(inputs).size(), 1U);
  EXPECT_NE(join_warnings(inputs)[0].find("49 of the 100 samples of view \"b\""), std::string::npos);
  inputs.join.matched = 50;
  EXPECT_TRUE(join_warnings(inputs).empty());
}

TEST(CliInputWarnings, ReachThePersonAndTheSummary) {
  const Workspace space;
  write_two_views(space);
  for (const char* file : {"a.csv", "b.csv"}) {
    std::string text = read_bytes(space.file(file));
    text.replace(0, 6, "nr");
    for (std::size_t at = 0; (at = text.find("\ns", at)) != std::string::npos;) text.erase(at + 1, 1);
    space.write(file, text);
  }
  const CliResult warned = run_cli(fit_arguments(space, {"--json"}));
  ASSERT_EQ(warned.exit_code, 0) << warned.err;
  EXPECT_EQ(warned.err.rfind("treecca: warning: The column", 0), 0U) << warned.err;
  EXPECT_EQ(warned.err.find("The column"), warned.err.rfind("The column")) << warned.err;
  const Json summary = Json::parse(warned.out);
  EXPECT_NE(summary["warnings"].dump().find("--id"), std::string::npos) << summary["warnings"];
  const CliResult joined = run_cli(fit_arguments(space, {"--json", "--id", "nr"}));
  EXPECT_EQ(joined.err.find("The column"), std::string::npos) << joined.err;
  EXPECT_EQ(Json::parse(joined.out)["join"]["by_id"], true);
}

}  // namespace
}  // namespace treecca::cli

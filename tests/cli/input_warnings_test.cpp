#include "cli/input_warnings.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "cli/run_cli.hpp"

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
  Table with_ids = a;
  with_ids.sample_ids = {"a", "b", "c"};
  EXPECT_TRUE(input_warnings({with_ids, with_ids}).empty());
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
  EXPECT_EQ(warned.err.rfind("treecca: warning: The first column", 0), 0U) << warned.err;
  EXPECT_EQ(warned.err.find("first column"), warned.err.rfind("first column")) << warned.err;
  const auto summary = nlohmann::json::parse(warned.out);
  EXPECT_NE(summary["warnings"].dump().find("--id"), std::string::npos) << summary["warnings"];
  const CliResult joined = run_cli(fit_arguments(space, {"--json", "--id", "nr"}));
  EXPECT_EQ(joined.err.find("first column"), std::string::npos) << joined.err;
  EXPECT_EQ(nlohmann::json::parse(joined.out)["join"]["by_id"], true);
}

}  // namespace
}  // namespace treecca::cli

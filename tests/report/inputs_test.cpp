#include "report/inputs.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace treecca {
namespace {

Table table_of(const std::string& name, const std::vector<std::string>& ids) {
  Table table;
  table.name = name;
  table.sample_ids = ids;
  table.feature_names = {"x", "y"};
  table.values = Matrix<float>(static_cast<Index>(ids.size()), 2, 1.0F);
  return table;
}

TEST(ReportInputs, MissingShareAndSampleNames) {
  Table table;
  EXPECT_EQ(missing_share(table), 0);
  table.values = Matrix<float>(2, 2, std::nanf(""));
  table.values(0, 0) = 1;
  EXPECT_EQ(missing_share(table), 0.75);
  EXPECT_EQ(sample_name({}, 4), "5");
  EXPECT_EQ(sample_name({"x", "y"}, 1), "y");
}

TEST(ReportInputs, DescribesTheTablesBeforeTheJoinAndWhatItDropped) {
  std::vector<Table> tables{table_of("rna", {"p", "q", "r", "s"}), table_of("protein", {"s", "q", "p"})};
  tables[0].values(0, 1) = std::nanf("");
  const JoinedInputs inputs = join_inputs(tables, {"rna.csv", "protein.csv"});
  EXPECT_EQ(tables[1].sample_ids, (std::vector<std::string>{"p", "q", "s"}));
  EXPECT_TRUE(inputs.by_id);
  EXPECT_EQ(inputs.matched, 3U);
  ASSERT_EQ(inputs.views.size(), 2U);
  EXPECT_EQ(inputs.views[0].source, "rna.csv");
  EXPECT_EQ(inputs.views[0].rows, 4U);
  EXPECT_EQ(inputs.views[0].dropped, 1U);
  EXPECT_EQ(inputs.views[0].features, 2U);
  EXPECT_EQ(inputs.views[0].missing_share, 0.125);
  EXPECT_EQ(inputs.views[1].dropped, 0U);
  EXPECT_EQ(inputs_text(inputs),
            "  view      rows   features   missing   file\n"
            "  rna          4          2     12.5%   rna.csv\n"
            "  protein      3          2      0.0%   protein.csv\n"
            "  Joined by sample id: 3 samples in common; dropped 1 of rna.\n");
}

TEST(ReportInputs, HandsOnTheWarningsOfTheJoin) {
  std::vector<Table> tables{table_of("a", {"1", "2", "3", "4", "5"}), table_of("b", {"5", "x", "y"})};
  EXPECT_EQ(join_inputs(tables, {"", ""}).warnings.size(), 1U);
}

}  // namespace
}  // namespace treecca

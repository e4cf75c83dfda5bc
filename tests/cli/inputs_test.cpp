#include "cli/inputs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/workspace.hpp"

namespace treecca::cli {
namespace {

Table table_of(const std::string& name, const std::vector<std::string>& ids) {
  Table table;
  table.name = name;
  table.sample_ids = ids;
  table.feature_names = {"x", "y"};
  table.values = Matrix<double>(static_cast<Index>(ids.size()), 2, 1.0);
  return table;
}

TEST(CliInputs, DescribesTheTablesBeforeTheJoinAndWhatItDropped) {
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
}

TEST(CliInputs, HandsOnTheWarningsOfTheJoin) {
  std::vector<Table> tables{table_of("a", {"1", "2", "3", "4", "5"}), table_of("b", {"5", "x", "y"})};
  EXPECT_EQ(join_inputs(tables, {"", ""}).warnings.size(), 1U);
}

TEST(CliInputs, GroupsAndWeightsFollowTheJoinedSamples) {
  const Workspace space;
  DataOptions data;
  data.groups = space.write("groups.csv", "id,group\nq,b\np,a\ns,a\n");
  data.weights = space.write("weights.csv", "id,weight\nq,2\np,1\ns,3\n");
  data.engine_params = {{"gamma", "1"}};
  const FitOptions options = fit_options_of(data, {table_of("rna", {"p", "q", "s"})});
  ASSERT_EQ(options.groups.size(), 3U);
  EXPECT_EQ(options.groups[0], options.groups[2]);
  EXPECT_NE(options.groups[0], options.groups[1]);
  EXPECT_EQ(options.sample_weight, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(options.engine_params, data.engine_params);
  EXPECT_TRUE(fit_options_of({}, {table_of("rna", {"p"})}).groups.empty());
}

}  // namespace
}  // namespace treecca::cli

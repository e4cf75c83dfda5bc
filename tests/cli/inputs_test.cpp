#include "cli/inputs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/temporary_file.hpp"
#include "helpers/workspace.hpp"
#include "treecca/error.hpp"

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
  std::vector<Table> tables{table_of("rna", {"p", "q", "s"})};
  const FitOptions options = fit_options_of(data, tables);
  ASSERT_EQ(options.groups.size(), 3U);
  EXPECT_EQ(options.groups[0], options.groups[2]);
  EXPECT_NE(options.groups[0], options.groups[1]);
  EXPECT_EQ(options.sample_weight, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(options.engine_params, data.engine_params);
  EXPECT_TRUE(fit_options_of({}, tables).groups.empty());
}

TEST(CliInputs, CovariatesComeFromAFileOrOutOfTheTables) {
  const Workspace space;
  DataOptions data;
  data.covariates.path = space.write("clinical.csv", "id,age,batch,name\nq,30,A,x\np,40,B,y\ns,50,A,z\n");
  data.adjust = {"age", "batch"};
  std::vector<Table> tables{table_of("rna", {"p", "q", "s"})};
  const std::vector<Covariate> read = fit_options_of(data, tables).covariates;
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].values, (std::vector<double>{40, 30, 50}));
  EXPECT_EQ(read[1].levels, (std::vector<std::string>{"B", "A"}));
  EXPECT_EQ(read[1].values, (std::vector<double>{0, 1, 1}));

  data.adjust = {"age", "batch"};
  data.classes = {"age"};  // numbers that are classes; the file has its own ways of reading
  data.covariates.reading.id_column = "name";
  data.covariates.reading.missing = {"-9"};
  data.covariates.path = space.write("plates.csv", "id,age,batch,name\nq,30,A,s\np,40,B,p\ns,30.0,A,q\n");
  const std::vector<Covariate> classes = fit_options_of(data, tables).covariates;
  EXPECT_EQ(classes[0].levels, (std::vector<std::string>{"40", "30"}));
  EXPECT_EQ(classes[0].values, (std::vector<double>{0, 1, 1}));
  data.covariates.reading.missing = {"30"};
  expect_error<DataError>([&] { fit_options_of(data, tables); }, {"line 4", "\"age\" has no value"});

  data.covariates = {};
  data.classes = {};
  data.adjust = {tables[0].feature_names[0]};
  const Table before = tables[0];
  const std::vector<Covariate> taken = fit_options_of(data, tables).covariates;
  EXPECT_EQ(taken[0].values[1], before.values(1, 0));
  EXPECT_EQ(tables[0].feature_names.size(), before.feature_names.size() - 1);
  EXPECT_EQ(tables[0].values(1, 0), before.values(1, 1));
  expect_error<DataError>([&] { fit_options_of(data, tables); }, {"--adjust", "no view has this column"});

  Model model;
  EXPECT_TRUE(covariates_for(model, {}, tables[0]).empty());
  model.covariates = {{"age", {1, 2}, {}}};
  expect_error<UsageError>([&] { covariates_for(model, {}, tables[0]); }, {"fitted with covariates (age)"});
}

}  // namespace
}  // namespace treecca::cli

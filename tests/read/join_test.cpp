#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

using Strings = std::vector<std::string>;
using Sizes = std::vector<std::size_t>;

/// Two columns that tell the id (its length of text is no matter) and the table apart: hash and
/// column.
float cell_of(const std::string& id, int column) {
  return static_cast<float>(std::hash<std::string>{}(id) % 100'000) + 0.25F * static_cast<float>(column);
}

Table table_with(const std::string& name, const Strings& ids) {
  Table table{name, ids, {"a", "b"}, Matrix<double>(static_cast<Index>(ids.size()), 2)};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (int j = 0; j < 2; ++j) table.values(static_cast<Index>(i), j) = cell_of(ids[i], j);
  }
  return table;
}

Table table_without_ids(const std::string& name, Index rows) {
  return {name, {}, {"a"}, Matrix<double>(rows, 1, 1.0F)};
}

void expect_rows_follow_ids(const Table& table) {
  ASSERT_EQ(table.values.rows(), static_cast<Index>(table.sample_ids.size()));
  for (std::size_t i = 0; i < table.sample_ids.size(); ++i) {
    for (int j = 0; j < 2; ++j) {
      EXPECT_EQ(table.values(static_cast<Index>(i), j), cell_of(table.sample_ids[i], j));
    }
  }
}

TEST(JoinBySample, KeepsCommonSamplesInTheOrderOfTheFirst) {
  std::vector<Table> tables = {table_with("rna", {"d", "a", "c", "b"}), table_with("prot", {"b", "x", "d", "a"}),
                               table_with("meth", {"a", "b", "d"})};
  const JoinReport report = join_by_sample(tables);
  EXPECT_TRUE(report.by_id);
  EXPECT_EQ(report.matched, 3U);
  EXPECT_EQ(report.rows, (Sizes{4, 4, 3}));
  EXPECT_EQ(report.dropped, (Sizes{1, 1, 0}));
  for (const Table& table : tables) {
    EXPECT_EQ(table.sample_ids, (Strings{"d", "a", "b"}));
    expect_rows_follow_ids(table);
  }
}

TEST(JoinBySample, WarnsIfSamplesOfTheSmallestViewHaveNoMatch) {
  const auto warnings = [](const Strings& first, const Strings& second) {
    std::vector<Table> tables = {table_with("a", first), table_with("b", second)};
    return join_by_sample(tables).warnings;
  };
  EXPECT_EQ(
      warnings({"1", "2", "3", "4"}, {"1", "x", "y"}),
      Strings{"Only 1 of the 3 samples of view \"b\" are in all views; the others are dropped (--join outer keeps "
              "them)."});
  const Strings ten{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  EXPECT_EQ(warnings(ten, {"a", "b", "c", "d", "e", "f", "g", "h", "i", "x"}), Strings{});  // one in ten
  EXPECT_EQ(warnings(ten, {"a", "b", "c", "d", "e", "f", "g", "h", "x", "y"}).size(), 1U);
  std::vector<Table> by_order = {table_without_ids("a", 3), table_without_ids("b", 3)};
  EXPECT_EQ(join_by_sample(by_order).warnings, Strings{});
}

TEST(JoinBySample, NamesIdsThatDifferInSpellingOnly) {
  const auto last_warning = [](const Strings& first, const Strings& second) {
    std::vector<Table> tables = {table_with("a", first), table_with("b", second)};
    const Strings warnings = join_by_sample(tables).warnings;
    return warnings.empty() ? std::string() : warnings.front();
  };
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
           {"001", "1"}, {"S-7", "s7"}, {"P_01", "P1"}, {"12.0", "12"}, {"TCGA.01", "tcga-01"}, {"s 1", "s1"}}) {
    EXPECT_EQ(last_warning({"x", "y", one}, {"x", "y", other}),
              "1 sample id of the views \"a\" and \"b\" differ only in spelling, as \"" + one + "\" and \"" + other +
                  "\". Write the ids alike in all files.");
  }
  EXPECT_EQ(last_warning({"x", "y", "10"}, {"x", "y", "1"}).find("spelling"), std::string::npos);
  EXPECT_EQ(last_warning({"x", "1", "01"}, {"x", "1", "01"}), "");
}

TEST(JoinBySample, WarnsOfRowNumbersThatWereTakenForIds) {
  const auto warnings = [](const Strings& ids, bool recognised) {
    std::vector<Table> tables = {table_with("a", ids), table_with("b", ids)};
    for (Table& table : tables) table.ids_recognised = recognised;
    return join_by_sample(tables).warnings;
  };
  for (const Strings& ids : {Strings{"0", "1", "2"}, Strings{"1", "2", "3"}}) {
    ASSERT_EQ(warnings(ids, true).size(), 1U);
    EXPECT_NE(warnings(ids, true)[0].find("row numbers, so rows are matched by their order"), std::string::npos);
    EXPECT_EQ(warnings(ids, false), Strings{});
  }
  EXPECT_EQ(warnings({"2", "1", "0"}, true), Strings{});
  std::vector<Table> shifted = {table_with("a", {"1", "2", "3"}), table_with("b", {"0", "1", "2"})};
  for (Table& table : shifted) table.ids_recognised = true;
  expect_error<DataError>([&] { join_by_sample(shifted); },
                          {"start at 1 in view \"a\" and at 0 in view \"b\"", "--id none"});
}

TEST(JoinBySample, AgreesWithSetsOnRandomTables) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<Table> tables;
    std::set<std::string> common;
    for (unsigned v = 0, views = 2 + random() % 3; v < views; ++v) {
      Strings ids;
      for (int i = 0; i < 30; ++i) {
        if (random() % 3 != 0 || i == 0) ids.push_back("s" + std::to_string(i));
      }
      std::shuffle(ids.begin(), ids.end(), random);
      const std::set<std::string> here(ids.begin(), ids.end());
      if (v == 0) common = here;
      std::erase_if(common, [&](const std::string& id) { return !here.contains(id); });
      tables.push_back(table_with("v", ids));
    }
    Strings expected;
    for (const std::string& id : tables[0].sample_ids) {
      if (common.contains(id)) expected.push_back(id);
    }
    const JoinReport report = join_by_sample(tables);
    EXPECT_EQ(report.matched, expected.size());
    for (const Table& table : tables) {
      EXPECT_EQ(table.sample_ids, expected);
      expect_rows_follow_ids(table);
    }
  }
}

TEST(JoinBySample, MatchesByOrderWithoutIds) {
  std::vector<Table> tables = {table_without_ids("rna", 4), table_without_ids("prot", 4)};
  const JoinReport report = join_by_sample(tables);
  EXPECT_FALSE(report.by_id);
  EXPECT_EQ(report.matched, 4U);
  EXPECT_EQ(report.rows, (Sizes{4, 4}));
  EXPECT_EQ(report.dropped, (Sizes{0, 0}));
  tables.push_back(table_without_ids("meth", 5));
  expect_error<DataError>([&] { join_by_sample(tables); },
                          {"\"rna\" has 4", "\"prot\" has 4", "\"meth\" has 5", "same number of rows"});
}

TEST(JoinBySample, SamplesInColumnsAreNoticed) {
  Table genes = table_with("genes", {"TP53", "BRCA1"});
  genes.feature_names = {"s1", "s2"};
  std::vector<Table> tables{table_with("lipids", {"s1", "s2", "s3"}), genes};
  expect_error<DataError>([&] { join_by_sample(tables); },
                          {"The sample ids of view \"lipids\" are columns of view \"genes\"", "Transpose it."});
}

TEST(JoinBySample, SummariesAreNoSamples) {
  std::vector<Table> tables{table_with("a", {"s1", "s2", "TOTAL"}), table_with("b", {"s1", "s2", "TOTAL"})};
  EXPECT_EQ(join_by_sample(tables).warnings,
            std::vector<std::string>{
                "View \"a\": \"TOTAL\" looks like a summary of samples, not like a sample. Leave this row out."});
  tables = {table_with("a", {"s1", "totally"}), table_with("b", {"s1", "totally"})};
  EXPECT_TRUE(join_by_sample(tables).warnings.empty());
}

TEST(JoinBySample, EqualFirstRowsAreRatherHeaders) {
  Table a{"a", {}, {"f0", "f1"}, Matrix<double>(3, 2)};
  a.values(0, 0) = 2001;
  a.values(0, 1) = 2005;
  Table b = a;
  b.name = "b";
  std::vector<Table> tables{a, b};
  EXPECT_EQ(join_by_sample(tables).warnings,
            std::vector<std::string>{"The first rows of the views \"a\" and \"b\" are equal (2001, 2005, ...), as "
                                     "headers are. If they are headers, use --header yes."});
  tables[1].values(0, 1) = 2006;
  EXPECT_TRUE(join_by_sample(tables).warnings.empty());
  tables = {a, b};
  for (Table& table : tables) table.values(0, 1) = 2001;  // constant rows, as of zeros, may be equal
  EXPECT_TRUE(join_by_sample(tables).warnings.empty());
  tables = {a, b};
  tables[1].feature_names = {"x", "y"};
  EXPECT_TRUE(join_by_sample(tables).warnings.empty());
}

TEST(JoinBySample, NeedsTwoViewsUnlessOneIsAllowed) {
  std::vector<Table> none;
  std::vector<Table> one = {table_with("rna", {"b", "a"})};
  expect_error<DataError>([&] { join_by_sample(none); }, {"No view", "two views"});
  expect_error<DataError>([&] { join_by_sample(none, true); }, {"No view"});
  expect_error<DataError>([&] { join_by_sample(one); }, {"Only one view", "two views"});
  EXPECT_EQ(join_by_sample(one, true).matched, 2U);
  EXPECT_EQ(one[0].sample_ids, (Strings{"b", "a"}));
  one[0].sample_ids = {"a", "a"};
  expect_error<DataError>([&] { join_by_sample(one, true); }, {"\"a\" appears in rows 1 and 2", "--groups"});
}

TEST(JoinBySample, NamesWhatDoesNotFit) {
  const auto refused = [](std::vector<Table> tables, std::initializer_list<std::string_view> parts) {
    expect_error<DataError>([&] { join_by_sample(tables); }, parts);
  };
  refused({table_with("rna", {"a", "b"}), table_with("prot", {"a", "c", "b", "c"})},
          {"\"prot\"", "\"c\" appears in rows 2 and 4", "Ids must be unique"});
  refused({table_with("rna", {"TCGA-01", "TCGA-02"}), table_with("prot", {"tcga.01"})},
          {"No sample id is in all views", "\"rna\" has 2 samples (e.g. \"TCGA-01\", \"TCGA-02\")",
           "\"prot\" has 1 sample (e.g. \"tcga.01\")", "differ only in spelling"});
  refused({table_with("rna", {"a"}), table_without_ids("prot", 1)}, {"\"prot\" has no sample ids but \"rna\" has"});
  Table wrong = table_with("rna", {"a", "b"});
  wrong.sample_ids.pop_back();
  refused({wrong, table_with("prot", {"a"})}, {"\"rna\" has 1 sample ids for 2 rows"});
}

TEST(JoinBySample, OuterKeepsTheSamplesOfAnyTable) {
  std::vector<Table> tables = {table_with("rna", {"d", "a"}), table_with("prot", {"b", "a"}),
                               table_with("meth", {"e", "b", "d"})};
  const JoinReport report = join_by_sample(tables, false, Join::outer);
  EXPECT_EQ(report.matched, 0U);
  EXPECT_EQ(report.dropped, (Sizes{0, 0, 0}));
  const std::vector<Strings> present = {{"d", "a"}, {"b", "a"}, {"e", "b", "d"}};
  for (std::size_t v = 0; v < 3; ++v) {
    ASSERT_EQ(tables[v].sample_ids, (Strings{"d", "a", "b", "e"}));
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string& id = tables[v].sample_ids[i];
      const bool has = std::find(present[v].begin(), present[v].end(), id) != present[v].end();
      for (int j = 0; j < 2; ++j) {
        const double value = tables[v].values(static_cast<Index>(i), j);
        if (has) {
          EXPECT_EQ(value, cell_of(id, j));
        } else {
          EXPECT_TRUE(std::isnan(value));
        }
      }
    }
  }
}

TEST(JoinBySample, OuterNeedsASampleThatTwoTablesHave) {
  std::vector<Table> tables = {table_with("rna", {"a"}), table_with("prot", {"b"}), table_with("meth", {"c"})};
  try {
    join_by_sample(tables, false, Join::outer);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("No sample id is in two views"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace treecca

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/match_features.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

using Strings = std::vector<std::string>;

Table table_with(const Strings& names) {
  Table table{"rna", {}, names, Matrix<double>(2, static_cast<Index>(names.size()))};
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < table.values.cols(); ++j) table.values(i, j) = static_cast<float>(10 * i + j);
  }
  return table;
}

TEST(MatchFeatures, ReordersAndDropsColumns) {
  Table table = table_with({"a", "b", "c", "d"});
  match_features(table, {"d", "a", "c"});
  EXPECT_EQ(table.feature_names, (Strings{"d", "a", "c"}));
  EXPECT_EQ(table.values.values(), (std::vector<double>{3, 0, 2, 13, 10, 12}));
}

TEST(MatchFeatures, LeavesEqualNamesAlone) {
  Table table = table_with({"a", "b"});
  match_features(table, {"a", "b"});
  EXPECT_EQ(table.values, table_with({"a", "b"}).values);
}

TEST(MatchFeatures, MatchesMadeUpNamesByPosition) {
  Table table = table_with({"f0", "f1"});
  match_features(table, {"b", "a"});
  EXPECT_EQ(table.feature_names, (Strings{"b", "a"}));
  EXPECT_EQ(table.values, table_with({"b", "a"}).values);
  Table wider = table_with({"f0", "f1", "f2"});
  expect_error<DataError>(
      [&] {
        match_features(wider, {"a", "b"});
      },
      {"\"rna\" has 3 columns without names", "2 features"});
  match_features(wider, {"f2", "f0"});
  EXPECT_EQ(wider.values.values(), (std::vector<double>{2, 0, 12, 10}));
}

TEST(MatchFeatures, NamesAbsentFeatures) {
  Table table = table_with({"a", "b"});
  expect_error<DataError>(
      [&] {
        match_features(table, {"a", "x", "y"});
      },
      {"\"rna\" lacks 2 of the 3 features", "\"x\", \"y\"."});
  Strings many;
  for (int i = 0; i < 13; ++i) many.push_back("g" + std::to_string(i));
  expect_error<DataError>([&] { match_features(table, many); }, {"lacks 13", "\"g9\" and 3 more"});
  EXPECT_EQ(table.feature_names, (Strings{"a", "b"}));
}

TEST(FeatureColumns, NamesWinOverPositionWhereOneMatches) {
  EXPECT_EQ(feature_columns("rna", {"f0", "f1"}, {"f1", "f0"}), (std::vector<Index>{1, 0}));
  EXPECT_EQ(feature_columns("rna", {"f1", "f0"}, {"f0", "f1"}), (std::vector<Index>{1, 0}));
  expect_error<DataError>([] { feature_columns("rna", {"f1", "g"}, {"f0", "f1"}); }, {"lacks 1 of the 2", "\"f0\""});
  expect_error<DataError>([] { feature_columns("rna", {"f0", "f1"}, {"f1", "f2"}); }, {"lacks 1 of the 2", "\"f2\""});
  expect_error<DataError>(
      [] {
        feature_columns("rna", {"a"}, {"f0", "f1"});
      },
      {"has 1 columns where the model has 2 features without names"});
}

TEST(FeatureColumns, AreEmptyWhenNothingHasToMove) {
  EXPECT_TRUE(feature_columns("rna", {"a", "b"}, {"a", "b"}).empty());
  EXPECT_TRUE(feature_columns("rna", {"f0", "f1"}, {"a", "b"}).empty());
  EXPECT_TRUE(feature_columns("rna", {"a", "b"}, {"f0", "f1"}).empty());
  EXPECT_EQ(feature_columns("rna", {"a", "b", "c"}, {"a", "b"}), (std::vector<Index>{0, 1}));
  EXPECT_EQ(feature_columns("rna", {"a", "a", "b"}, {"b"}), (std::vector<Index>{2}));
  expect_error<DataError>([] { feature_columns("rna", {"a", "a", "b"}, {"a"}); }, {"\"rna\"", "\"a\" more than once"});
}

}  // namespace
}  // namespace treecca

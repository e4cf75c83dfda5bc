#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

using Groups = std::vector<std::int64_t>;
using Strings = std::vector<std::string>;

Groups by_id(std::string_view text, const Strings& ids) {
  const TemporaryFile file("g.csv", text);
  return read_groups(file.path(), ids, ids.size());
}

Groups by_order(std::string_view text, std::size_t n_samples) {
  const TemporaryFile file("g.csv", text);
  return read_groups(file.path(), {}, n_samples);
}

TEST(ReadGroups, FollowsTheOrderOfTheSamples) {
  const Groups expected = {0, 1, 0};  // numbered by first appearance among the samples
  for (const std::string text :
       {"id,group\nb,Y\na,X\nc,X\nother,Z\n", "patient,group\nb,Y\na,X\nc,X\n", "b,Y\na,X\nc,X\n", "a,X\nb,Y\nc,X\n",
        "group\nb,Y\na,X\nc,X\n", "group,sample\nY,b\nX,a\nX,c\n", "\"\",\"g\"\n\"b\",1\n\"a\",2\n\"c\",2\n",
        "id\tgroup\r\nb\t 1 \r\na\tone, \r\nc\tone,\r\n"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(by_id(text, {"a", "b", "c"}), expected);
  }
}

TEST(ReadGroups, ALabelIsNotTakenForAHeader) {
  EXPECT_EQ(by_id("a,patient\nb,control\nc,patient\n", {"a", "b", "c"}), (Groups{0, 1, 0}));
  EXPECT_EQ(by_id("group,patient_id\nY,b\nX,a\nX,c\n", {"a", "b", "c"}), (Groups{0, 1, 0}));
}

TEST(ReadGroups, TakesRowsInOrderWithoutIds) {
  const Groups expected = {0, 1, 0};
  for (const std::string text : {"X\nY\nX\n", "group\nX\nY\nX\n", "3\n1\n3\n", ",group\n0,X\n1,Y\n2,X\n"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(by_order(text, 3), expected);
  }
}

TEST(ReadGroups, NamesWhatIsWrong) {
  const auto id_refused = [](std::string_view text, std::initializer_list<std::string_view> parts) {
    expect_error<DataError>([&] { by_id(text, {"a", "b"}); }, parts);
  };
  id_refused("id,group\na,X\n", {"g.csv", "has no entry for 1 of "});
  id_refused("id,group\na,X\nb,\n", {"g.csv, line 3", "\"b\""});
  id_refused("id,group\na,X\nb,Y\na,Z\n", {"\"a\" twice", "lines 2 and 4"});
  id_refused("id,group,more\na,X,1\nb,Y,2\n", {"g.csv, line 1", "3 cells", "One column is needed"});
  id_refused("X\nY\n", {"g.csv has one column"});
  id_refused("id,group\na\nb,Y\n", {"line 2", "1 cell where other lines have 2"});
  id_refused("", {"g.csv is empty"});
  const auto order_refused = [](std::string_view text, std::initializer_list<std::string_view> parts) {
    expect_error<DataError>([&] { by_order(text, 3); }, parts);
  };
  order_refused("X\nY\n", {"g.csv has entries for 2 samples, but there are 3"});
  order_refused("X\nY\nX\nY\nX\n", {"entries for 5 samples, but there are 3"});
  order_refused("X\n\"\"\nZ\n", {"line 2", "sample 2"});
  order_refused("a,X\nb,Y\nc,X\n", {"two columns"});
  order_refused(",group\n0,X\n1,Y\n", {"entries for 2 samples"});
  order_refused("id,group\nu,X\nv,Y\nw,X\n", {"have no ids to match them with"});
  expect_error<FileError>([] { read_groups("/nonexistent/g.csv", {}, 3); }, {"No such file"});
}

TEST(ReadWeights, AreLaidOutAsGroupsAre) {
  const auto by_id_or_order = [](std::string_view text, const Strings& ids) {
    const TemporaryFile file("w.csv", text);
    return read_weights(file.path(), ids, 3);
  };
  const std::vector<double> expected{1, 0.5, 0};
  for (const std::string text :
       {"code,weight\nb,0.5\na,1\nc,0\n", "b,0.5\na,1\nc,0\n", "weight,id\n0.5,b\n1,a\n0,c\n"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(by_id_or_order(text, {"a", "b", "c"}), expected);
  }
  for (const std::string text : {"1\n0.5\n0\n", "weight\n1\n0.5\n0\n", ",w\n0,1\n1,0.5\n2,0\n"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(by_id_or_order(text, {}), expected);
  }
  const auto refused = [&](std::string_view text, std::initializer_list<std::string_view> parts) {
    expect_error<DataError>([&] { by_id_or_order(text, {"a", "b", "c"}); }, parts);
  };
  refused("id,w\na,1\nb,-2\nc,1\n", {"w.csv, line 3", "\"-2\"", "\"b\""});
  refused("id,w\na,1\nb,nan\nc,1\n", {"line 3", "\"nan\""});
  refused("id,w\na,1\nb,many\nc,1\n", {"line 3", "\"many\""});
  refused("id,w\na,1\nb,1e99\nc,1\n", {"line 3"});
}

std::vector<Covariate> covariates(std::string_view text, const Strings& ids, const Strings& columns = {},
                                  std::size_t n_samples = 3) {
  const TemporaryFile file("c.csv", text);
  return read_covariates(file.path(), ids, n_samples, columns);
}

TEST(ReadCovariates, NumbersAndClassesInTheOrderOfTheSamples) {
  const std::vector<Covariate> all = covariates("age,id,batch\n30,b,x\n40,a,y\n50,c,x\n60,other,z\n", {"a", "b", "c"});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "age");
  EXPECT_EQ(all[0].values, (std::vector<double>{40, 30, 50}));
  EXPECT_TRUE(all[0].levels.empty());
  EXPECT_EQ(all[1].levels, (Strings{"y", "x"}));
  EXPECT_EQ(all[1].values, (std::vector<double>{0, 1, 1}));
  // Ids in the first column, whatever it is called; by order without ids.
  EXPECT_EQ(covariates("who,age\nb,30\na,40\nc,50\n", {"a", "b", "c"}, {"age"})[0].values,
            (std::vector<double>{40, 30, 50}));
  EXPECT_EQ(covariates("age\n1\n2\n3\n", {})[0].values, (std::vector<double>{1, 2, 3}));
}

TEST(ReadCovariates, BadFilesAreRefused) {
  const Strings ids{"a", "b", "c"};
  expect_error<DataError>([&] { covariates("id,age\na,1\nb,2\n", ids); }, {"no entry for 1 of 3 samples", "\"c\""});
  expect_error<DataError>([&] { covariates("id,age\na,1\nb,\nc,2\n", ids); }, {"line 3", "\"age\" has no value"});
  expect_error<DataError>([&] { covariates("id,age\na,1\na,2\nc,2\n", ids); }, {"\"a\" twice"});
  expect_error<DataError>([&] { covariates("id,age\na,1\n", ids, {"sex"}); }, {"no column \"sex\"", "id, age"});
  expect_error<DataError>([&] { covariates("id,age\na,1,2\n", ids); }, {"3 cells where the header has 2"});
  expect_error<DataError>([&] { covariates("id\na\nb\nc\n", ids); }, {"no column of covariates"});
  expect_error<DataError>([&] { covariates("age\n1\n2\n", {}); }, {"entries for 2 samples, but there are 3"});
  expect_error<DataError>([&] { covariates("", ids); }, {"no rows"});
}

}  // namespace
}  // namespace treecca

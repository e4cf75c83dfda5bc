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
  order_refused("X\nY\n", {"g.csv is about 2 samples where there are 3"});
  order_refused("X\nY\nX\nY\nX\n", {"about 5 samples where there are 3"});
  order_refused("X\n\"\"\nZ\n", {"line 2", "sample 2"});
  order_refused("a,X\nb,Y\nc,X\n", {"two columns"});
  order_refused(",group\n0,X\n1,Y\n", {"about 2 samples"});
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

}  // namespace
}  // namespace treecca

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "data/temporary_file.hpp"
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
  id_refused("id,group\na,X\n", {"g.csv", "no label for the sample \"b\""});
  id_refused("id,group\na,X\nb,\n", {"g.csv, line 3", "\"b\""});
  id_refused("id,group\na,X\nb,Y\na,Z\n", {"\"a\" twice", "lines 2 and 4"});
  id_refused("id,group,more\na,X,1\nb,Y,2\n", {"g.csv, line 1", "3 cells", "one column of labels"});
  id_refused("X\nY\n", {"g.csv has one column"});
  id_refused("id,group\na\nb,Y\n", {"line 2", "1 cell where other lines have 2"});
  id_refused("", {"g.csv is empty"});
  const auto order_refused = [](std::string_view text, std::initializer_list<std::string_view> parts) {
    expect_error<DataError>([&] { by_order(text, 3); }, parts);
  };
  order_refused("X\nY\n", {"g.csv has labels for 2 samples where there are 3"});
  order_refused("X\nY\nX\nY\nX\n", {"labels for 5 samples where there are 3"});
  order_refused("X\n\"\"\nZ\n", {"line 2", "sample 2"});
  order_refused("a,X\nb,Y\nc,X\n", {"two columns"});
  order_refused(",group\n0,X\n1,Y\n", {"labels for 2 samples"});
  expect_error<FileError>([] { read_groups("/nonexistent/g.csv", {}, 3); }, {"No such file"});
}

}  // namespace
}  // namespace treecca

#include "read/csv_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Strings = std::vector<std::string>;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Table table_of(std::string_view text, const std::string& id_column = "", const std::string& name = "a.csv") {
  const TemporaryFile file(name, text);
  ByteSource source(file.path());
  return read_csv_table(source, {.id_column = id_column});
}

Table table_with(std::string_view text, const ReadOptions& options) {
  const TemporaryFile file("a.csv", text);
  ByteSource source(file.path());
  return read_csv_table(source, options);
}

void expect_refused(std::string_view text, std::initializer_list<std::string_view> parts) {
  SCOPED_TRACE(text);
  expect_error<DataError>([&] { table_of(text); }, parts);
}

/// Equal numbers, NaN equal to NaN.
void expect_values(const Table& table, const std::vector<std::vector<float>>& expected) {
  ASSERT_EQ(table.values.rows(), static_cast<Index>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(table.values.cols(), static_cast<Index>(expected[i].size()));
    for (std::size_t j = 0; j < expected[i].size(); ++j) {
      const auto value = static_cast<float>(table.values(static_cast<Index>(i), static_cast<Index>(j)));
      if (std::isnan(expected[i][j])) {
        EXPECT_TRUE(std::isnan(value)) << i << ", " << j;
      } else {
        EXPECT_EQ(value, expected[i][j]) << i << ", " << j;
      }
    }
  }
}

TEST(CsvTable, ReadsWhatPandasWritesWithItsIndex) {
  const Table table = table_of(",a,b\ns1,1.5,\ns2,,-2e3\n");
  EXPECT_EQ(table.sample_ids, (Strings{"s1", "s2"}));
  EXPECT_EQ(table.feature_names, (Strings{"a", "b"}));
  expect_values(table, {{1.5F, kNan}, {kNan, -2000.0F}});

  const Table numbered = table_of(",0,1\n0,1.5,2.5\n1,3.5,4.5\n");
  EXPECT_EQ(numbered.sample_ids, (Strings{"0", "1"}));
  EXPECT_EQ(numbered.feature_names, (Strings{"0", "1"}));
  expect_values(numbered, {{1.5F, 2.5F}, {3.5F, 4.5F}});
}

TEST(CsvTable, ReadsWhatRWrites) {
  const Table csv = table_of("\"\",\"a\",\"b\"\n\"s1\",1,NA\n\"s2\",3,4\n");
  EXPECT_EQ(csv.sample_ids, (Strings{"s1", "s2"}));
  EXPECT_EQ(csv.feature_names, (Strings{"a", "b"}));
  expect_values(csv, {{1, kNan}, {3, 4}});

  const Table tsv = table_of("\"a\"\t\"b\"\n\"1\"\t1\t2\n\"2\"\t3\t4\n", "", "a.txt");
  EXPECT_EQ(tsv.sample_ids, (Strings{"1", "2"}));
  EXPECT_EQ(tsv.feature_names, (Strings{"a", "b"}));
  expect_values(tsv, {{1, 2}, {3, 4}});
}

TEST(CsvTable, ReadsTablesWithoutHeader) {
  const Table numbers = table_of("1.5,2\n3,4\n");
  EXPECT_TRUE(numbers.sample_ids.empty());
  EXPECT_EQ(numbers.feature_names, (Strings{"f0", "f1"}));
  expect_values(numbers, {{1.5F, 2}, {3, 4}});

  const Table with_ids = table_of("s1,1.5,2\ns2,3,4\n");
  EXPECT_EQ(with_ids.sample_ids, (Strings{"s1", "s2"}));
  EXPECT_EQ(with_ids.feature_names, (Strings{"f0", "f1"}));
  expect_values(with_ids, {{1.5F, 2}, {3, 4}});

  expect_values(table_of("1\n2\n"), {{1}, {2}});
}

TEST(CsvTable, ReadsOtherDialects) {
  const Table table = table_of("\xEF\xBB\xBFSample;a;b\r\n s1 ;+1; 2 \r\ns2;\"3\";?\r\n\r\n\r\n");
  EXPECT_EQ(table.sample_ids, (Strings{"s1", "s2"}));
  EXPECT_EQ(table.feature_names, (Strings{"a", "b"}));
  expect_values(table, {{1, 2}, {3, kNan}});
}

TEST(CsvTable, KeepsNumericIdsAsWritten) {
  const Table table = table_of("id,a\n007,1\n1e3,2\n1.0,3\n");
  EXPECT_EQ(table.sample_ids, (Strings{"007", "1e3", "1.0"}));
  EXPECT_EQ(table.feature_names, (Strings{"a"}));
}

TEST(CsvTable, TakesAFirstColumnOfTextForTheIds) {
  const Table table = table_of("patient,a\nP1,1\n2,2\nP3,3\n");
  EXPECT_EQ(table.sample_ids, (Strings{"P1", "2", "P3"}));
  EXPECT_EQ(table.feature_names, (Strings{"a"}));
  expect_values(table, {{1}, {2}, {3}});
  // Hexadecimal digests may look like numbers too large.
  EXPECT_EQ(table_of("key,a\n12e999,1\nabc,2\n").sample_ids, (Strings{"12e999", "abc"}));
  // Text only far below the first rows.
  std::string late = "patient,a\n";
  for (int i = 0; i < 10; ++i) late += std::to_string(i) + ",1\n";
  for (int i = 0; i < 10; ++i) late += "x" + std::to_string(i) + ",1\n";
  EXPECT_EQ(table_of(late).sample_ids.size(), 20U);
}

TEST(CsvTable, TakesAFirstColumnOfNumbersForAFeature) {
  const Table table = table_of("age,a\n34,1\nNA,2\n");
  EXPECT_TRUE(table.sample_ids.empty());
  EXPECT_EQ(table.feature_names, (Strings{"age", "a"}));
  expect_values(table, {{34, 1}, {kNan, 2}});
  // One slip in a column of numbers does not make it a column of ids.
  expect_refused("age,a\n34,1\n35,2\n36x,3\n37,4\n", {"a.csv, line 4, column \"age\"", "\"36x\"", "--id"});
}

TEST(CsvTable, DecidesOnTheFirstColumnWithinAThousandRows) {
  std::string numbers = "first,a\n";
  std::string texts = "first,a\n";
  for (int i = 0; i < 3000; ++i) {
    numbers += std::to_string(i) + ".5," + std::to_string(i) + "\n";
    texts += "s" + std::to_string(i) + "," + std::to_string(i) + "\n";
  }
  const Table features = table_of(numbers);
  EXPECT_TRUE(features.sample_ids.empty());
  EXPECT_EQ(features.feature_names, (Strings{"first", "a"}));
  EXPECT_EQ(features.values(2999, 0), 2999.5F);
  EXPECT_EQ(features.values(2999, 1), 2999.0F);
  const Table with_ids = table_of(texts);
  ASSERT_EQ(with_ids.sample_ids.size(), 3000U);
  EXPECT_EQ(with_ids.feature_names, (Strings{"a"}));
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(with_ids.sample_ids[static_cast<std::size_t>(i)], "s" + std::to_string(i));
    ASSERT_EQ(with_ids.values(i, 0), static_cast<float>(i));
  }
  expect_refused(numbers + "x,1\n", {"line 3002, column \"first\"", "\"x\"", "--id"});
  EXPECT_EQ(table_of(texts + "7,1\n").sample_ids.back(), "7");
  EXPECT_EQ(table_of(numbers + ",1\n").values.rows(), 3001);
  expect_refused(texts + ",1\n", {"line 3002", "sample id is empty"});
  expect_refused(texts + "s5,1\n", {"column \"first\"", "\"s5\" is there more than once"});
}

TEST(CsvTable, TakesTheIdColumnThatIsAskedFor) {
  const Table table = table_of(",a,key\n0,1,x\n1,2,y\n", "key");
  EXPECT_EQ(table.sample_ids, (Strings{"x", "y"}));
  EXPECT_EQ(table.feature_names, (Strings{"a"}));
  expect_values(table, {{1}, {2}});
}

TEST(CsvTable, NamesRaggedRows) {
  const std::string five_rows = "a,b,c,d,e,f\n1,2,3,4,5,6\n1,2,3,4,5,6\n1,2,3,4,5,6\n1,2,3,4,5,6\n1,2,3,4,5,6\n";
  expect_refused(five_rows + "1,2,3,4,5\n", {"a.csv, line 7: 5 cells where the header has 6"});
  expect_refused("a,b\n1,2,\n", {"line 2: 3 cells where the header has 2"});
  expect_refused("1.5,2\n3\n", {"line 2: 1 cell where the first row has 2"});
  std::string late = "a,b\n";
  for (int i = 0; i < 1000; ++i) late += "1,2\n";
  expect_refused(late + "1,2,3\n", {"line 1002: 3 cells"});
}

TEST(CsvTable, NamesCellsThatAreNoNumbers) {
  expect_refused("a,b\n1,2\n3,x\x01y\n", {"a.csv, line 3, column \"b\"", "\"x\\x01y\"", "not a number"});
  expect_refused("id,sex\ns1,male\ns2,female\n",
                 {"line 2, column \"sex\"", "\"male\"", "Read a column of text as a category (--categorical \"sex\")",
                  "--drop \"sex\""});
  expect_refused("1.5,2\n3,x\n", {"line 2, column 2", "\"x\""});
  expect_refused("a;b\n1;2,5\n", {"line 2, column \"b\"", "\"2,5\"", "--decimal ,"});
  expect_refused("a,b\n1," + std::string(1000, 'x') + "\n", {"\"" + std::string(40, 'x') + "...\""});
  expect_refused("sex,a\nmale,1\nfemale,2\nmale,3\n",
                 {"column \"sex\"", "\"male\" is there more than once", "--groups"});
}

TEST(CsvTable, ReadsCategories) {
  const std::string text = "id,sex,a,batch\ns1, male ,1,2\ns2,NA,2,10\ns3,female,,2.0\ns4,male,4,\n";
  expect_error<DataError>([&] { table_with("batch,tissue\nx,a\ny,b\n", {.categorical = {"tisue"}}); },
                          {"--categorical \"tisue\": there is no such column. Did you mean \"tissue\"?"});
  expect_error<DataError>([&] { table_with("n,tissue\n1,a\n2,b\n", {.categorical = {"plate"}}); },  // of another view
                          {"column \"tissue\"", "\"a\""});
  const Table table = table_with(text, {.categorical = {"sex", "batch", "not there"}});
  EXPECT_EQ(table.levels, (Levels{{"female", "male"}, {}, {"10", "2"}}));
  expect_values(table, {{1, 1, 1}, {kNan, 2, 0}, {0, kNan, 1}, {1, 4, kNan}});
  EXPECT_TRUE(table_of("id,a\ns1,1\ns2,2\n").levels.empty());
}

TEST(CsvTable, TakesTextForCategoriesIfAsked) {
  const Table table =
      table_with("id,a,b,c\ns1,1,1,2\ns2,2,01,3\ns3,,high,4\ns4,4,,5\ns5,5,1.0,yes\n", {.text_is_categorical = true});
  EXPECT_EQ(table.levels, (Levels{{}, {"1", "high"}, {"2", "3", "4", "5", "yes"}}));
  expect_values(table, {{1, 0, 0}, {2, 0, 1}, {kNan, 1, 2}, {4, kNan, 3}, {5, 0, 4}});
}

TEST(CsvTable, AFirstColumnThatIsACategoryIsNoId) {
  const Table table = table_with("sex,a\nmale,1\nfemale,2\nmale,3\n", {.categorical = {"sex"}});
  EXPECT_TRUE(table.sample_ids.empty());
  EXPECT_EQ(table.levels, (Levels{{"female", "male"}, {}}));
  const Table unnamed = table_with("1.5,7\n2.5,8\n3.5,7\n", {.header = Header::no, .categorical = {"f1"}});
  EXPECT_EQ(unnamed.levels, (Levels{{}, {"7", "8"}}));
}

TEST(CsvTable, LevelsAreUtf8) {
  expect_error<DataError>([] { table_with("id,a,b\ns1,1,m\xFF\ns2,2,f\n", {.categorical = {"b"}}); },
                          {"line 2, column \"b\"", "not UTF-8"});
}

TEST(CsvTable, NamesAllColumnsWithCellsThatAreNoNumbers) {
  expect_refused("id,a,sex,b\ns1,1,m,x\ns2,oops,f,2\ns3,3,m,3\n",
                 {"line 3, column \"a\": \"oops\" is not a number",
                  "Also line 2, column \"sex\": \"m\" (and 2 more cells", "Also line 2, column \"b\": \"x\""});
  std::string wide = "id";
  std::string row = "s1";
  for (int j = 0; j < 9; ++j) {
    wide += ",c" + std::to_string(j);
    row += ",text";
  }
  expect_refused(wide + "\n" + row + "\n", {"\"c0\"", "\"c4\"", "And 4 more columns."});
}

TEST(CsvTable, AdviceFitsTheCell) {
  for (const char* text : {"7.541,43", "57 541.4", "57'541.4", "1.2.3"}) {
    expect_refused("a;b\n1;" + std::string(text) + "\n", {"Set --decimal or --thousands, or correct the cell"});
  }
  expect_refused(",sample_id,a\n0,x7,1\n1,x8,2\n", {"If the column holds the sample ids, use --id \"sample_id\""});
}

TEST(CsvTable, AdviceForWhatSpreadsheetsWrite) {
  expect_refused("id,a,b\ns1,1,2\nid,a,b\ns2,3,4\n", {"line 3", "the line repeats the header"});
  expect_refused("id,a,b\ns1,1,yes\ns2,3,no\n", {"Write 1 for yes and 0 for no"});
  expect_refused("id,a,b\ns1,1,T\ns2,3,F\n", {"Write 1 for yes and 0 for no"});
  expect_refused("id,a,b\ns1,1,'2\ns2,3,4\n", {"Remove the apostrophe"});
  expect_refused("id,a,b\ns1,1,2-\ns2,3,4\n", {"Write the minus sign in front"});
}

TEST(CsvTable, SaysWhichCommaIsMeant) {
  expect_refused("a;b\n1;\"58,297\"\n", {"If the comma separates thousands, use --thousands ,", "--decimal ,"});
  expect_refused("a;b\n58,297;1\n1,000;2\n", {"column \"a\": \"58,297\"", "--thousands"});  // not taken for ids
  expect_refused("a;b\n1;\"58,2\"\n", {"it has a decimal comma. Use --decimal ,"});
  expect_values(table_with("a;b\n1;58,297\n2;-1,000,000.5\n", {.thousands = ','}), {{1, 58297}, {2, -1000000.5F}});
  expect_values(table_with("a;b\n1;58,297\n2;1.000,5\n", {.decimal = ',', .thousands = '.'}),
                {{1, 58.297F}, {2, 1000.5F}});
  expect_error<DataError>([] { table_with("a;b\n1;5,82\n2;3\n", {.thousands = ','}); }, {"\"5,82\""});
  expect_error<DataError>([] { table_with("a;b\n1;1.5\n2;3\n", {.decimal = ','}); }, {"\"1.5\""});
}

TEST(CsvTable, DecimalCommasAreNoDelimiters) {
  const Table table = table_with("1,5;2,25\n3,5;4,75\n", {.decimal = ','});
  expect_values(table, {{1.5F, 2.25F}, {3.5F, 4.75F}});
  expect_values(table_with("1,5\t2,25\n3,5\t4,75\n", {.decimal = ','}), {{1.5F, 2.25F}, {3.5F, 4.75F}});
  expect_refused("1,5;2,25\n3,5;4,75\n", {"\"1,5\"", "decimal comma"});
  expect_refused("1,05,2,75\n3,50,4,25\n", {"\"1,05\" looks like one number with a decimal comma"});
  expect_values(table_of("1,5,2,75\n3,50,4,25\n"), {{1, 5, 2, 75}, {3, 50, 4, 25}});
}

TEST(CsvTable, OtherWaysToWriteAMissingValue) {
  const Table table = table_with("a,b,c\n1,-999,<LOD\n-999.0,2,3\nND,#DIV/0!,-\n", {.missing = {"-999", "<lod"}});
  expect_values(table, {{1, kNan, kNan}, {kNan, 2, 3}, {kNan, kNan, kNan}});
  expect_values(table_of("a,b\nTRUE,false\nFalse,true\n"), {{1, 0}, {0, 1}});
}

TEST(CsvTable, ColumnsCanBeLeftOut) {
  const Table table = table_with("id,sex,a,b\ns1,m,1,2\ns2,f,3,4\n", {.drop = {"sex", "b", "other"}});
  EXPECT_EQ(table.feature_names, (Strings{"a"}));
  EXPECT_EQ(table.dropped, (Strings{"sex", "b"}));
  expect_values(table, {{1}, {3}});
}

TEST(CsvTable, TheUserKnowsWhatTheFirstRowAndColumnAre) {
  EXPECT_EQ(table_with("1,2\n3,4\n", {.header = Header::yes}).feature_names, (Strings{"1", "2"}));
  EXPECT_EQ(table_with("400,402.5,405\n0.1,0.2,0.1\n0.2,0.2,0.1\n", {.header = Header::no}).values.rows(), 3);
  const Table without = table_with("id,a\n7,1\n8,2\n", {.has_ids = false});
  EXPECT_TRUE(without.sample_ids.empty());
  EXPECT_EQ(without.feature_names, (Strings{"id", "a"}));
  EXPECT_TRUE(table_of("id,a\n7,1\n8,2\n").ids_recognised);
  EXPECT_FALSE(table_of("id,a\n7,1\n8,2\n", "id").ids_recognised);
  expect_error<DataError>([] { table_with("a,b\n1,2\n", {.id_column = "a", .header = Header::no}); }, {"--header no"});
}

TEST(CsvTable, NamesInfinities) {
  for (const char* text : {"inf", "-Infinity", "1e39", "1e999", "3.4028236e38"}) {
    expect_refused("a,b\n1,2\n1," + std::string(text) + "\n",
                   {"a.csv, line 3, column \"b\"", text, "infinite or too large"});
  }
  expect_refused("a,b\n1,2\ninf,1\n3,3\n", {"line 3, column \"a\"", "infinite"});
}

TEST(CsvTable, NamesIdsThatCannotBeUsed) {
  expect_refused("id,a\ns1,1\n ,2\n", {"a.csv, line 3", "sample id is empty"});
  expect_refused("patient,a\ns1,1\ns2,1\n,2\n", {"a.csv, line 4", "sample id is empty"});
  expect_refused("id,a\ns1\xE9,1\n", {"line 2", "s1\\xe9", "UTF-8"});
}

TEST(CsvTable, RefusesTablesWithoutContent) {
  expect_refused("", {"a.csv is empty"});
  expect_refused("\n\n", {"a.csv is empty"});
  expect_refused("\xEF\xBB\xBF", {"a.csv is empty"});
  expect_refused("a,b\n", {"a.csv has a header but no rows"});
  expect_refused("id\n1\n2\n", {"no features"});
}

TEST(CsvTable, RefusesNamesThatAreThereTwice) {
  expect_refused("id,g1,g2,g1\ns,1,2,3\n", {"a.csv", "\"g1\""});
  expect_refused("a,a\n1,2\n", {"\"a\""});
}

/// Writes random tables in all dialects and reads them back.
TEST(CsvTable, ReadsBackRandomTables) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return random() % n; };
  for (int trial = 0; trial < 400; ++trial) {
    const char delimiter = ",\t;"[trial % 3];
    const char* const line_end = below(2) == 0 ? "\n" : "\r\n";
    const bool quotes = below(2) == 0;
    const bool header = below(4) != 0;
    const bool ids = below(2) == 0;
    const bool short_header = header && ids && below(3) == 0;
    const std::size_t rows = 2 + below(30);
    const std::size_t cols = 2 + below(6);
    const auto written = [&](const std::string& text) { return quotes ? '"' + text + '"' : text; };

    Table expected;
    std::string text = below(4) == 0 ? "\xEF\xBB\xBF" : "";
    for (std::size_t j = 0; j < cols; ++j) {
      expected.feature_names.push_back((header ? "g" : "f") + std::to_string(j));
      if (header) {
        if (j == 0 && ids && !short_header) text += written(below(2) == 0 ? "" : "Sample_ID") + delimiter;
        text += written(expected.feature_names[j]) + (j + 1 < cols ? std::string(1, delimiter) : line_end);
      }
    }
    std::vector<std::vector<float>> values(rows, std::vector<float>(cols));
    for (std::size_t i = 0; i < rows; ++i) {
      if (ids) {
        expected.sample_ids.push_back("s " + std::to_string(i));
        text += written(expected.sample_ids.back()) + delimiter;
      }
      for (std::size_t j = 0; j < cols; ++j) {
        // A fraction in the first row: all integers there could be names.
        const bool missing = i > 0 && below(5) == 0;
        const float value = i == 0 ? static_cast<float>(below(1000)) + 0.5F
                                   : std::ldexp(static_cast<float>(random()) + 0.5F, static_cast<int>(below(60)) - 40);
        values[i][j] = missing ? kNan : value;
        char number[40];
        std::snprintf(number, sizeof number, "%.9g", static_cast<double>(value));
        const char* const token = std::vector<const char*>{"NA", "nan", "null", "?"}[below(4)];
        text += (missing ? token : std::string(number)) + (j + 1 < cols ? std::string(1, delimiter) : line_end);
      }
    }
    for (unsigned blank = below(3); blank > 0; --blank) text += line_end;

    SCOPED_TRACE(text);
    const Table table = table_of(text);
    EXPECT_EQ(table.sample_ids, expected.sample_ids);
    EXPECT_EQ(table.feature_names, expected.feature_names);
    expect_values(table, values);
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace treecca

#include "read/table_layout.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Rows = std::vector<std::vector<std::string>>;

TableLayout layout_of(const Rows& rows, const std::string& id_column = "") {
  std::vector<TextRecord> records;
  for (const auto& row : rows) records.push_back({records.size() + 1, row});
  return recognise_layout(records, {.id_column = id_column}, "a.csv");
}

/// "h" or "-" for the header, then one letter per column: f(eature), i(d), p(erhaps id), -
/// (ignored).
std::string shape_of(const Rows& rows, const std::string& id_column = "") {
  const TableLayout layout = layout_of(rows, id_column);
  std::string shape = layout.has_header ? "h" : "-";
  for (const ColumnRole role : layout.roles) shape += "fip-"[static_cast<int>(role)];
  return shape;
}

TEST(TableLayout, RecognisesAHeaderByItsText) {
  EXPECT_EQ(shape_of({{"a", "b"}, {"1", "2"}}), "hpf");
  EXPECT_EQ(shape_of({{"1", "b"}, {"1", "2"}}), "hpf");
  EXPECT_EQ(shape_of({{"1.5", "2"}, {"1", "2"}}), "-pf");
  EXPECT_EQ(shape_of({{"1.5", "NA"}, {"1", "2"}}), "-pf");
  EXPECT_EQ(shape_of({{"x"}, {"1"}}), "hf");
  EXPECT_EQ(shape_of({{"x"}, {"y"}}), "hf");
  EXPECT_EQ(shape_of({{"1"}, {"2"}}), "-f");
  EXPECT_EQ(shape_of({{"a", "b"}}), "hpf");
}

TEST(TableLayout, RecognisesTheIdColumnByItsName) {
  for (const char* name : {"",         "id",          "ID",       "ids",       "Sample",     "sample_id",  "SampleID",
                           "index",    "rowname",     "RowNames", " id ",      "patient",    "Patient",    "PATIENTID",
                           "subject",  "participant", "eid",      "Barcode",   "subject_id", "PATIENT_ID", "case.id",
                           "Donor-ID", "case id",     "Case Id",  "PatientID", "donorId",    "SubjectId",  "x_id"}) {
    EXPECT_EQ(shape_of({{name, "a"}, {"1", "2"}}), "hif") << name;
  }
  EXPECT_EQ(shape_of({{"a", "id"}, {"1", "2"}}), "hpf");
  for (const char* name : {"identity", "lipid", "Lipid", "LIPID", "valid", "grid", "GRID", "acid", "covid", "COVID",
                           "Id3", "idh", "id_x", "patients_age", "d", "I D"}) {
    EXPECT_EQ(shape_of({{name, "a"}, {"1", "2"}}), "hpf") << name;
  }
  EXPECT_EQ(shape_of({{"a", "patient_id"}, {"1", "2"}}), "hpf");
}

TEST(TableLayout, TakesTheIdColumnThatIsAskedFor) {
  EXPECT_EQ(shape_of({{"a", "key", "b"}, {"1", "s", "2"}}, "key"), "hfif");
  EXPECT_EQ(shape_of({{"id", "key"}, {"1", "s"}}, "key"), "hfi");
  EXPECT_EQ(shape_of({{"2010", "2011"}, {"1", "2"}}, "2010"), "hif");
  // Row names that nobody asked for are no feature.
  EXPECT_EQ(shape_of({{"", "key", "b"}, {"0", "s", "2"}}, "key"), "h-if");
  EXPECT_EQ(shape_of({{"key", "b"}, {"0", "s", "2"}}, "key"), "h-if");
  expect_error<DataError>(
      [] {
        layout_of({{"a", "b"}, {"1", "2"}}, "key");
      },
      {"a.csv", "no column \"key\"", "\"a\", \"b\""});
  expect_error<DataError>(
      [] {
        layout_of({{"key", "a", "key"}, {"1", "2", "3"}}, "key");
      },
      {"more than one column \"key\""});
}

TEST(TableLayout, RecognisesRowsThatBeginWithAnIdWithoutAHeader) {
  EXPECT_EQ(shape_of({{"s1", "1.5", "2"}, {"s2", "NA", "4"}}), "-pff");
  EXPECT_EQ(shape_of({{"s1", "1", "2"}, {"s2", "3", "4"}}), "-pff");
  EXPECT_EQ(shape_of({{"age", "1", "2"}, {"34", "3", "4"}}), "hpff");
  EXPECT_EQ(shape_of({{"s1", "1", "2"}}), "hpff");
}

TEST(TableLayout, RecognisesNamesThatAreNumbers) {
  // Years or database keys.
  EXPECT_EQ(shape_of({{"country", "2010", "2011"}, {"A", "0.5", "3.5"}, {"B", "", "2.5"}}), "hpff");
  EXPECT_EQ(shape_of({{"sample", "7157", "672"}, {"A", "1", "3"}}), "hiff");
  EXPECT_EQ(shape_of({{"", "7157", "672"}, {"A", "1", "3"}}), "hiff");
  EXPECT_EQ(shape_of({{"", "7157", "672"}, {"9", "1.5", "3.5"}}), "hiff");
  EXPECT_EQ(shape_of({{"", "7157", "672"}, {"0", "1", "3"}, {"1", "4", "5"}}), "hiff");
  // The same shapes that may as well be data.
  EXPECT_EQ(shape_of({{"s1", "2010", "2011"}, {"s2", "0.5", "3"}}), "-pff");
  EXPECT_EQ(shape_of({{"s1", "2010", "2010"}, {"s2", "0.5", "3.5"}}), "-pff");
  EXPECT_EQ(shape_of({{"s1", "1", "2"}, {"s2", "0.5", "3.5"}}), "-pff");
  EXPECT_EQ(shape_of({{"s1", "2010", "2011"}, {"s2", "NA", "3.5"}}), "-pff");
  EXPECT_EQ(shape_of({{"", "7157", "672"}, {"9", "1", "3.5"}}), "-pff");
  EXPECT_EQ(shape_of({{"", "0.5", "1"}, {"1", "4", "5"}}), "-pff");
  // Data frames without column names, with and without row numbers.
  EXPECT_EQ(shape_of({{"", "0", "1", "2"}, {"7", "5", "6", "7"}}), "hifff");
  EXPECT_EQ(shape_of({{"0", "1", "2"}, {"0.5", "6.5", "7.5"}}), "hpff");
  EXPECT_EQ(shape_of({{"0", "1", "2"}, {"0.5", "6", "7.5"}}), "-pff");
  EXPECT_EQ(shape_of({{"0", "1", "2"}, {"3", "4", "5"}}), "-pff");
  EXPECT_EQ(shape_of({{"1", "2", "3"}, {"0.5", "6.5", "7.5"}}), "-pff");
  EXPECT_EQ(shape_of({{"0", "1", "2"}}), "-pff");
}

/// Rows of `count` measurements between 0 and 1.
Rows spectra(std::size_t rows, std::size_t count) {
  Rows result;
  for (std::size_t i = 0; i < rows; ++i) {
    auto& row = result.emplace_back();
    for (std::size_t j = 0; j < count; ++j)
      row.push_back(std::to_string(0.01 * static_cast<double>((7 * i + 13 * j) % 97)));
  }
  return result;
}

TEST(TableLayout, RecognisesNumbersThatAreNames) {
  const auto below = [](std::vector<std::string> first, Rows rows) {
    rows.insert(rows.begin(), std::move(first));
    return rows;
  };
  // Wavelengths, masses; with fractions, descending, few of them, unevenly spaced.
  std::vector<std::string> wavelengths, masses, counts;
  for (int j = 0; j < 10; ++j) {
    wavelengths.push_back(std::to_string(400 + 2.5 * j));
    masses.push_back(std::to_string(0.9 - 0.01 * j * j));
    counts.push_back(std::to_string(j + 1));
  }
  const TableLayout layout = layout_of(below(wavelengths, spectra(6, 10)));
  EXPECT_TRUE(layout.has_header);
  EXPECT_EQ(layout.names[1], wavelengths[1]);
  EXPECT_NE(layout.note.find("a.csv: the first row (400.000000, 402.500000, 405.000000, ...) is read as the header"),
            std::string::npos)
      << layout.note;
  EXPECT_NE(layout.note.find("--header no"), std::string::npos);
  EXPECT_TRUE(layout_of(below(masses, spectra(6, 10))).has_header);  // within the range of the values, but they descend
  EXPECT_TRUE(layout_of(below({"400", "402.5", "405"}, spectra(6, 3))).has_header);
  EXPECT_EQ(layout_of(below({"0.1", "0.2", "0.3"}, spectra(6, 3))).has_header, false);  // could be a sample
  EXPECT_EQ(layout_of(below({"400.5", "405", "402"}, spectra(6, 3))).has_header, false);
  // Integers above fractions: keys, and column numbers from 1.
  for (const std::vector<std::string>& first :
       {std::vector<std::string>{"7157", "672", "5290"}, std::vector<std::string>{"1", "2", "3"}}) {
    const TableLayout keys = layout_of(below(first, spectra(6, 3)));
    EXPECT_TRUE(keys.has_header) << first[0];
    EXPECT_FALSE(keys.note.empty());
    EXPECT_FALSE(layout_of(below(first, {{"1", "2", "3"}, {"2", "5", "1"}})).has_header) << first[0];
  }
  // Few numbers that ascend may be names or a sample.
  const Rows integers{{"4", "1", "7", "2", "9"}, {"3", "8", "1", "5", "2"}, {"6", "2", "2", "8", "1"}};
  const TableLayout doses = layout_of(below({"0", "1", "5", "10", "50"}, integers));
  EXPECT_FALSE(doses.has_header);
  EXPECT_EQ(doses.note,
            "a.csv: the first row (0, 1, 5, ...) is read as a sample, but its numbers ascend, as in a header of "
            "wavelengths, and the numbers of other rows do not. If it is the header, use --header yes.");
  EXPECT_TRUE(layout_of(integers).note.empty());
  // Rows that all ascend: names are evenly spaced.
  Rows ascending;
  for (int i = 0; i < 5; ++i) {
    auto& row = ascending.emplace_back();
    for (int j = 0; j < 10; ++j) row.push_back(std::to_string(j * j + 0.5 * i));
  }
  EXPECT_TRUE(layout_of(below(counts, ascending)).has_header);
  EXPECT_FALSE(layout_of(ascending).has_header);
  // After a name for the ids, and next to row names.
  Rows named = spectra(6, 10);
  for (auto& row : named) row.insert(row.begin(), "s" + row[0]);
  std::vector<std::string> titled = wavelengths;
  titled.insert(titled.begin(), "wavelength");
  EXPECT_TRUE(layout_of(below(titled, named)).has_header);
}

TEST(TableLayout, RecognisesAHeaderWithoutANameForTheRowNames) {
  EXPECT_EQ(shape_of({{"a", "b"}, {"s1", "1", "2"}, {"s2", "3", "4"}}), "hiff");
  EXPECT_EQ(shape_of({{"a", "b"}, {"1", "1", "2"}, {"2", "3", ""}}), "hiff");
  EXPECT_EQ(shape_of({{"2010", "2012"}, {"s1", "1", "2"}}), "hiff");
  EXPECT_EQ(shape_of({{"x"}, {"s1", "1"}}), "hif");
  const std::vector<std::string> names = layout_of({{"a", "b"}, {"s1", "1", "2"}}).names;
  EXPECT_EQ(names, (std::vector<std::string>{"", "a", "b"}));
  // A delimiter at the end of every row is another thing, and numbers only are a ragged table.
  EXPECT_EQ(shape_of({{"a", "b"}, {"1", "2", ""}, {"3", "4", ""}}), "hpf");
  EXPECT_EQ(shape_of({{"1.5", "2"}, {"1", "1", "2"}}), "-pf");
  EXPECT_EQ(shape_of({{"a", "b"}, {"s1", "1", "2"}, {"3", "4"}}), "hpf");
}

TEST(TableLayout, RefusesNamesThatCannotBeUsed) {
  expect_error<DataError>(
      [] {
        layout_of({{"id", "a", "b", " a"}, {"1", "2", "3", "4"}});
      },
      {"a.csv", "columns 2 and 4", "\"a\""});
  expect_error<DataError>([] { layout_of({{"a", "b", ""}, {"1", "2", "3"}}); }, {"column 3 has no name"});
  expect_error<DataError>([] { layout_of({{"a", "b\xE9"}, {"1", "2"}}); }, {"column 2", "b\\xe9", "UTF-8"});
}

}  // namespace
}  // namespace treecca

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "helpers/temporary_file.hpp"
#include "read/byte_source.hpp"
#include "read/npy_bytes.hpp"
#include "treecca/error.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

const std::string kCsv = "id,a,\"b\"\ns1,1.5,2\ns2,NA,\"4\"\ns3,5,-6e1\n";

std::string small_npy() {
  std::string data;
  for (const double value : {1.5, 2.0, -3.0, 4.25, 5.0, 6.0}) data += element_bytes(value);
  return npy_bytes(npy_header_text("<f8", "(3, 2)"), data);
}

TEST(ReadTable, RecognisesTheKindByContent) {
  const Matrix<double> expected = [] {
    Matrix<double> values(3, 2);
    values.values() = {1.5, 2.0, -3.0, 4.25, 5.0, 6.0};
    return values;
  }();
  const std::string csv = "a,b\n1.5,2\n-3,4.25\n5,6\n";
  const std::string tsv = "a\tb\n1.5\t2\n-3\t4.25\n5\t6\n";
  for (const std::string& bytes : {csv, tsv, gzipped(csv), gzipped(tsv), small_npy(), gzipped(small_npy())}) {
    for (const char* name : {"a", "a.csv", "a.txt.gz", "a.dat"}) {
      const TemporaryFile file(name, bytes);
      const Table table = read_table(file.path(), "rna");
      EXPECT_EQ(table.name, "rna");
      EXPECT_EQ(table.values, expected);
    }
  }
}

TEST(ReadTable, PassesTheIdColumnOn) {
  const TemporaryFile file("a.csv", "a,key\n1,x\n2,y\n");
  EXPECT_EQ(read_table(file.path(), "v", {"key"}).sample_ids, (std::vector<std::string>{"x", "y"}));
}

TEST(ReadTable, RefusesFilesThatAreNoTables) {
  using namespace std::string_view_literals;
  const auto refused = [](const char* name, std::string_view bytes, std::initializer_list<std::string_view> parts) {
    const TemporaryFile file(name, bytes);
    expect_error<DataError>([&] { read_table(file.path(), "v"); }, parts);
  };
  const std::string zip_start = "PK\x03\x04" + std::string(26, '\0');
  refused("a.npz", zip_start + "x", {"a.npz", "Extract the array"});
  refused("a.bin", zip_start + "rna.npy", {"a.bin", "Extract the array"});
  refused("a.xlsx", zip_start + "[Content_Types].xml", {"a.xlsx", "Excel", "CSV"});
  refused("a.csv", "", {"a.csv is empty"});
  refused("a.csv", gzipped(""), {"a.csv is empty"});
  refused("a.csv",
          "\x7F"
          "ELF\2\1\1\0\0"sv,
          {"a.csv is not text"});
  refused("a.npy", "1,2\n3,4\n", {"a.npy is not an NPY file"});
}

TEST(ReadTable, NamesFilesThatCannotBeRead) {
  const TemporaryFile file("a.csv", kCsv);
  expect_error<FileError>([&] { read_table(file.folder() + "/none.csv", "v"); }, {"none.csv", "No such file"});
  expect_error<FileError>([&] { read_table(file.folder(), "v"); }, {"Is a directory"});
}

/// Reads whatever the bytes are: a table, or an error of the family. Anything else fails the test.
void survive(const TemporaryFile& file, const std::string& bytes) {
  file.write(bytes);
  try {
    const Table table = read_table(file.path(), "v");
    ASSERT_GT(table.values.rows(), 0);
    ASSERT_EQ(table.values.cols(), static_cast<Index>(table.feature_names.size()));
    ASSERT_TRUE(table.sample_ids.empty() || static_cast<Index>(table.sample_ids.size()) == table.values.rows());
  } catch (const DataError& error) {
    ASSERT_NE(std::string(error.what()).find(file.path()), std::string::npos) << error.what();
  }
}

TEST(ReadTable, SurvivesDamageOfEveryKind) {
  std::mt19937 random(1);
  for (const std::string& whole : {kCsv, gzipped(kCsv), small_npy(), gzipped(small_npy())}) {
    const TemporaryFile file("a.dat", "");
    for (std::size_t size = 0; size <= whole.size(); ++size) survive(file, whole.substr(0, size));
    for (int trial = 0; trial < 600; ++trial) {
      std::string damaged = whole;
      for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
        char& byte = damaged[random() % damaged.size()];
        byte = trial % 2 == 0 ? static_cast<char>(byte ^ (1 << random() % 8)) : static_cast<char>(random());
      }
      survive(file, damaged);
    }
  }
}

TEST(ReadTable, ReportsEveryTruncationOfBinaryKinds) {
  for (const std::string& whole : {small_npy(), gzipped(small_npy()), gzipped(kCsv)}) {
    const TemporaryFile file("a.dat", "");
    for (std::size_t size = 0; size < whole.size(); ++size) {
      file.write(whole.substr(0, size));
      EXPECT_THROW(read_table(file.path(), "v"), DataError) << size;
    }
  }
}

TEST(ReadTable, NamesTheWayFromOtherFormats) {
  const auto refused = [](const std::string& name, const std::string& bytes,
                          std::initializer_list<std::string_view> parts) {
    const TemporaryFile file(name, bytes);
    expect_error<DataError>([&] { read_table(file.path(), "v"); }, parts);
  };
  refused("a.parquet", "PAR1\x15\x04", {"is a Parquet file", "pandas.read_parquet(", "to_csv('a.csv')"});
  refused("a.feather", "ARROW1", {"is a Feather file", "pandas.read_feather("});
  refused("a.h5", "\x89HDF\r\n", {"is an HDF5 file", "pandas.read_hdf("});
  refused("model.json", "{\n \"format\": \"treecca-model\",\n", {"model.json is a TreeCCA model, not a table."});
  refused("a.xls", "\xD0\xCF\x11\xE0", {"is an Excel workbook", "pandas.read_excel("});
  refused("a.xlsx", std::string("PK\x03\x04") + std::string(60, ' '), {"is an Excel workbook", "pandas.read_excel("});
  refused("a.csv", "PAR1\x15\x04", {"to_csv('a_table.csv')"});  // not over the file itself
  refused("a.zip", std::string("PK\x03\x04") + std::string(60, ' '), {"Unpack it"});
}

TEST(ReadTable, AFileThatUnfoldsWithoutEndIsRefused) {
  const TemporaryFile file("bomb.csv.gz", "");
  gzFile packed = gzopen(file.path().c_str(), "wb9");
  std::string rows = "a,b\n";
  while (rows.size() < (1 << 20)) rows += "1,2\n";
  for (int i = 0; i < 1100; ++i)
    gzwrite(packed, rows.data() + (i == 0 ? 0 : 4), static_cast<unsigned>(rows.size() - (i == 0 ? 0 : 4)));
  gzclose(packed);
  ByteSource source(file.path());
  std::string out(1 << 20, ' ');
  expect_error<DataError>(
      [&] {
        while (source.read(out.data(), out.size()) > 0) continue;
      },
      {"bomb.csv.gz", "decompresses to more than 200 times", "gunzip"});
}

}  // namespace
}  // namespace treecca

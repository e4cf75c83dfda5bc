#include "read/npy.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "helpers/temporary_file.hpp"
#include "read/npy_bytes.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

static_assert(std::endian::native == std::endian::little, "element_bytes() expects it");

Table table_of(const std::string& bytes) {
  const TemporaryFile file("a.npy", bytes);
  ByteSource source(file.path());
  return read_npy_table(source, {});
}

void expect_refused(const std::string& bytes, std::initializer_list<std::string_view> parts) {
  expect_error<DataError>([&] { table_of(bytes); }, parts);
}

/// Random elements of one dtype in every order and version, read back as the double nearest to each.
template <class T, class Make>
void check_round_trip(const std::string& type, Make make) {
  std::mt19937_64 random(1);
  constexpr Index kRows = 7;
  constexpr Index kCols = 3;
  for (const bool big_endian : {false, true}) {
    for (const bool fortran_order : {false, true}) {
      for (const int version : {1, 2, 3}) {
        SCOPED_TRACE(type + (big_endian ? " big" : " little") + (fortran_order ? " Fortran" : " C"));
        std::string data;
        Matrix<double> expected(kRows, kCols);
        for (Index k = 0; k < kRows * kCols; ++k) {
          const T value = make(random());
          const Index row = fortran_order ? k % kRows : k / kCols;
          const Index col = fortran_order ? k / kRows : k % kCols;
          expected(row, col) = static_cast<double>(value);
          data += element_bytes(value, big_endian);
        }
        const std::string descr = (sizeof(T) == 1 ? "|" : big_endian ? ">" : "<") + type;
        const std::string bytes = npy_bytes(npy_header_text(descr, "(7, 3)", fortran_order), data, version);
        EXPECT_EQ(table_of(bytes).values, expected);
        EXPECT_EQ(table_of(gzipped(bytes)).values, expected);
      }
    }
  }
}

TEST(Npy, ReadsIntegersOfEverySize) {
  check_round_trip<std::int8_t>("i1", [](std::uint64_t bits) { return static_cast<std::int8_t>(bits); });
  check_round_trip<std::int16_t>("i2", [](std::uint64_t bits) { return static_cast<std::int16_t>(bits); });
  check_round_trip<std::int32_t>("i4", [](std::uint64_t bits) { return static_cast<std::int32_t>(bits); });
  check_round_trip<std::int64_t>("i8", [](std::uint64_t bits) { return static_cast<std::int64_t>(bits); });
  check_round_trip<std::uint8_t>("u1", [](std::uint64_t bits) { return static_cast<std::uint8_t>(bits); });
  check_round_trip<std::uint16_t>("u2", [](std::uint64_t bits) { return static_cast<std::uint16_t>(bits); });
  check_round_trip<std::uint32_t>("u4", [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); });
  check_round_trip<std::uint64_t>("u8", [](std::uint64_t bits) { return bits; });
  check_round_trip<bool>("b1", [](std::uint64_t bits) { return bits % 2 == 1; });
}

TEST(Npy, ReadsRealNumbers) {
  const auto real = [](std::uint64_t bits) { return (static_cast<double>(bits) - 9e18) * 1.2345e-7; };
  check_round_trip<double>("f8", real);
  check_round_trip<float>("f4", [&](std::uint64_t bits) { return static_cast<float>(real(bits)); });
}

TEST(Npy, KeepsWhatSinglePrecisionWouldLose) {
  const std::int64_t value = (std::int64_t{1} << 50) + 1;
  const Table table = table_of(npy_bytes(npy_header_text("<i8", "(1,)"), element_bytes(value)));
  EXPECT_EQ(table.values(0, 0), static_cast<double>(value));
}

TEST(Npy, ReadsHalfPrecision) {
  const std::vector<std::pair<std::uint16_t, float>> known = {
      {0x0000, 0.0F},        {0x8000, -0.0F},          {0x3C00, 1.0F},           {0xC000, -2.0F},
      {0x7BFF, 65504.0F},    {0x0400, 6.1035156e-05F}, {0x03FF, 6.0975552e-05F}, {0x0001, 5.9604645e-08F},
      {0x3555, 0.33325195F}, {0xFBFF, -65504.0F}};
  std::string data;
  for (const auto& [bits, value] : known) data += element_bytes(bits);
  const Table table = table_of(npy_bytes(npy_header_text("<f2", "(10,)"), data));
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(table.values(static_cast<Index>(i), 0), known[i].second) << i;
    EXPECT_EQ(std::signbit(table.values(static_cast<Index>(i), 0)), std::signbit(known[i].second)) << i;
  }
  const std::string nan = npy_bytes(npy_header_text(">f2", "(1,)"), element_bytes(std::uint16_t{0x7E01}, true));
  EXPECT_TRUE(std::isnan(table_of(nan).values(0, 0)));
  expect_refused(npy_bytes(npy_header_text("<f2", "(1,)"), element_bytes(std::uint16_t{0xFC00})),
                 {"row 0, column 0", "infinite"});
}

TEST(Npy, MakesUpNamesAndHasNoIds) {
  const std::string bytes = npy_bytes(npy_header_text("|u1", "(1, 3)"), "abc");
  const Table table = table_of(bytes);
  EXPECT_EQ(table.feature_names, (std::vector<std::string>{"f0", "f1", "f2"}));
  EXPECT_TRUE(table.sample_ids.empty());
  const Table column = table_of(npy_bytes(npy_header_text("|u1", "(3,)"), "abc"));
  EXPECT_EQ(column.values.rows(), 3);
  EXPECT_EQ(column.values.cols(), 1);
  const TemporaryFile file("a.npy", bytes);
  ByteSource source(file.path());
  expect_error<DataError>([&] { read_npy_table(source, {"key"}); }, {"a.npy", "\"key\""});
}

TEST(Npy, TakesNanForMissingAndNamesInfinities) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto bytes = [](double a, double b, double c, bool fortran_order) {
    return npy_bytes(npy_header_text("<f8", "(2, 2)", fortran_order),
                     element_bytes(1.0) + element_bytes(a) + element_bytes(b) + element_bytes(c));
  };
  EXPECT_TRUE(std::isnan(table_of(bytes(nan, 1, 2, false)).values(0, 1)));
  EXPECT_TRUE(std::isnan(table_of(bytes(nan, 1, 2, true)).values(1, 0)));
  const double infinity = std::numeric_limits<double>::infinity();
  expect_refused(bytes(infinity, 1, 2, false), {"a.npy, row 0, column 1", "infinite"});
  expect_refused(bytes(-infinity, 1, 2, true), {"a.npy, row 1, column 0", "infinite"});
  expect_refused(bytes(1, 1e39, 2, false), {"a.npy, row 1, column 0", "single precision"});
  expect_refused(bytes(1, 1, 0x1.ffffffp127, false), {"a.npy, row 1, column 1"});
}

TEST(Npy, RefusesOtherDtypesAndShapes) {
  for (const char* descr :
       {"<c8", "<c16", "|S5", "<U3", "|O", "<M8[ns]", "<f16", "f8", "=f8", "|f8", "<f3", "", "<", "<f88"}) {
    SCOPED_TRACE(descr);
    expect_refused(npy_bytes(npy_header_text(descr, "(1, 1)"), std::string(16, '\0')), {"a.npy", "dtype"});
  }
  expect_refused(npy_bytes(npy_header_text("|u1", "()"), "a"), {"0 dimensions"});
  expect_refused(npy_bytes(npy_header_text("|u1", "(1, 1, 1)"), "a"), {"3 dimensions"});
  expect_refused(npy_bytes(npy_header_text("|u1", "(0, 3)"), ""), {"0 rows and 3 columns"});
  expect_refused(npy_bytes(npy_header_text("|u1", "(3, 0)"), ""), {"3 rows and 0 columns"});
  expect_refused(npy_bytes(npy_header_text("|u1", "(1, 1)"), "a", 4), {"version 4"});
}

TEST(Npy, ChecksTheSizeBeforeItAsksForMemory) {
  for (const char* shape : {"(1000000000000, 1000)", "(4294967296, 4294967296)", "(18446744073709551615, 2)",
                            "(3, 1000000000000)", "(9223372036854775807,)"}) {
    for (const char* type : {"<f8", "|u1"}) {
      const std::string bytes = npy_bytes(npy_header_text(type, shape), "12345678");
      SCOPED_TRACE(shape);
      expect_refused(bytes, {"a.npy is a damaged NPY file"});
      expect_refused(gzipped(bytes), {"a.npy is a damaged NPY file"});
    }
  }
  expect_refused(npy_bytes(npy_header_text("|u1", "(2, 2)"), "abc"), {"cut off"});
  expect_refused(npy_bytes(npy_header_text("|u1", "(2, 2)"), "abcde"), {"continues after the end"});
  expect_refused(gzipped(npy_bytes(npy_header_text("|u1", "(2, 2)"), "abc")), {"cut off"});
  expect_refused(gzipped(npy_bytes(npy_header_text("|u1", "(2, 2)"), "abcde")), {"continues after the end"});
  std::string long_header = npy_bytes(npy_header_text("|u1", "(1, 1)"), "a", 2);
  long_header[11] = '\x7F';  // the highest byte of the header's length
  expect_refused(long_header, {"header of 21"});
}

}  // namespace
}  // namespace treecca

#include "read/npy_header.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Shape = std::vector<std::uint64_t>;

TEST(NpyHeader, ReadsWhatNumPyWrites) {
  const NpyHeader header =
      parse_npy_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }      \n", "a.npy");
  EXPECT_EQ(header.descr, "<f8");
  EXPECT_FALSE(header.fortran_order);
  EXPECT_EQ(header.shape, (Shape{3, 4}));
}

TEST(NpyHeader, ReadsOtherSpellings) {
  const NpyHeader header = parse_npy_header("{\"shape\":(5L,),'fortran_order':True,\"descr\":\"|u1\"}", "a.npy");
  EXPECT_EQ(header.descr, "|u1");
  EXPECT_TRUE(header.fortran_order);
  EXPECT_EQ(header.shape, (Shape{5}));
  EXPECT_EQ(parse_npy_header("{'descr': 'x', 'fortran_order': True, 'shape': ()}", "a").shape, Shape{});
  EXPECT_EQ(parse_npy_header("{'descr': 'x', 'fortran_order': True, 'shape': (18446744073709551615,1)}", "a").shape,
            (Shape{18446744073709551615U, 1}));
}

TEST(NpyHeader, RefusesAnythingElse) {
  for (const std::string text : {"", "{", "{}", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': False}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)} x",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), 'more': 1}",
                                 "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)}",
                                 "{'descr': '<f8', 'fortran_order': 0, 'shape': (3, 4)}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (-3, 4)}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (3 4)}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (,)}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': 3}",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551616, 1)}",
                                 "{'descr': '<f8, 'fortran_order': False, 'shape': (3, 4)}", "{'descr': \"<f8', }"}) {
    SCOPED_TRACE(text);
    expect_error<DataError>([&] { parse_npy_header(text, "a.npy"); }, {"a.npy", "damaged"});
  }
  std::string many = "{'shape': (";
  for (int i = 0; i < 100; ++i) many += "1,";
  expect_error<DataError>([&] { parse_npy_header(many, "a.npy"); }, {"dimensions"});
  expect_error<DataError>([] { parse_npy_header("{'descr': [('x', '<f8')], }", "a.npy"); }, {"structured"});
}

}  // namespace
}  // namespace treecca

// treecca convert.
#include <gtest/gtest.h>

#include "cli/model_file_fixture.hpp"

namespace treecca {
namespace {

using CliConvert = ModelFileTest;

TEST_F(CliConvert, ThereAndBackGivesTheSameBytes) {
  ASSERT_EQ(run_cli({"convert", path_, space_.file("m.ubj")}).exit_code, 0);
  EXPECT_EQ(load_model(space_.file("m.ubj")), model_);
  EXPECT_NE(read_bytes(space_.file("m.ubj")), read_bytes(path_));
  ASSERT_EQ(run_cli({"convert", space_.file("m.ubj"), space_.file("back.json")}).exit_code, 0);
  EXPECT_EQ(read_bytes(space_.file("back.json")), read_bytes(path_));
}

TEST_F(CliConvert, RefusesUnknownEndingsAndPlaces) {
  expect_failure(run_cli({"convert", path_, space_.file("m.txt")}), 2, {"m.txt", ".ubj"});
  expect_failure(run_cli({"convert", path_, space_.file("absent/m.ubj")}), 1, {"absent/m.ubj"});
  EXPECT_EQ(space_.contents(), (std::set<std::string>{"model.json"}));
}

}  // namespace
}  // namespace treecca

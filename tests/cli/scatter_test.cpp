#include "cli/scatter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace treecca::cli {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(CliScatter, CornersAreWhereTheyBelong) {
  const auto lines = lines_of(scatter({0, 1, 1, 1}, {0, 2, 2, std::nan("")}, "across", "up"));
  ASSERT_EQ(lines.size(), 18U);
  EXPECT_EQ(lines[0], "  up");
  EXPECT_EQ(lines[1], "       2 |" + std::string(63, ' ') + ":");  // two points together
  EXPECT_EQ(lines[15], "       0 |.");
  EXPECT_NE(lines[17].find("across"), std::string::npos);
}

TEST(CliScatter, ConstantAndEmptyDataAreDrawn) {
  EXPECT_EQ(lines_of(scatter({1, 1}, {3, 3}, "x", "y")).size(), 18U);
  EXPECT_EQ(lines_of(scatter({}, {}, "x", "y")).size(), 18U);
}

}  // namespace
}  // namespace treecca::cli

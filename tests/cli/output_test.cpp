#include "cli/output.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "helpers/workspace.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

TEST(CliWriteOutput, FollowsLinksAndReplacesFiles) {
  const Workspace space;
  space.write("real", "old");
  std::filesystem::create_symlink(space.file("real"), space.file("link"));
  write_output(space.file("link"), "new");
  EXPECT_EQ(read_bytes(space.file("real")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(space.file("link")));
  EXPECT_THROW(write_output(space.path(), "x"), FileError);
  EXPECT_THROW(write_output(space.file("absent/x"), "x"), FileError);
}

}  // namespace
}  // namespace treecca::cli

// Folders written whole or not at all.
#include "cli/output.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "cli/run_cli.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

using Names = std::set<std::string>;

OutputFile file(const std::string& name, const std::string& bytes) {
  return {name, [bytes] { return bytes; }};
}

OutputFile failing_file() {
  return {"bad", []() -> std::string { throw FileError("no"); }};
}

TEST(CliOutputFolder, MakesTheFolderAndItsParents) {
  const Workspace space;
  const OutputFolder folder(space.file("x/y/"));
  EXPECT_EQ(space.contents(), Names{});
  folder.write({file("one", "1"), file("two", "2")});
  EXPECT_EQ(space.contents(), (Names{"x", "x/y", "x/y/one", "x/y/two"}));
  EXPECT_EQ(read_bytes(space.file("x/y/two")), "2");
  const mode_t mask = umask(0);
  umask(mask);
  struct stat status {};
  ASSERT_EQ(stat(space.file("x/y").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0777 & ~mask) << "the folder is not open to those who may see others";
}

TEST(CliOutputFolder, FailureLeavesNoTrace) {
  const Workspace space;
  const OutputFolder folder(space.file("x/y"));
  EXPECT_THROW(folder.write({file("one", "1"), failing_file()}), FileError);
  EXPECT_EQ(space.contents(), Names{});
}

TEST(CliOutputFolder, FailureKeepsWhatWasThere) {
  const Workspace space;
  space.write("one", "old");
  const OutputFolder folder(space.path());
  EXPECT_THROW(folder.write({file("one", "new"), failing_file()}, {"one"}), FileError);
  EXPECT_EQ(space.contents(), Names{"one"});
  EXPECT_EQ(read_bytes(space.file("one")), "old");
}

// The second file cannot be moved into place: the first, moved already, must go back.
TEST(CliOutputFolder, FailureWhileMovingIsUndone) {
  const Workspace space;
  space.write("one", "old");
  space.write("gone", "obsolete");
  std::filesystem::create_directory(space.file("two"));
  const OutputFolder folder(space.path());
  EXPECT_THROW(folder.write({file("one", "new"), file("two", "new")}, {"gone"}), FileError);
  EXPECT_EQ(space.contents(), (Names{"one", "two", "gone"}));
  EXPECT_EQ(read_bytes(space.file("one")), "old");
  EXPECT_EQ(read_bytes(space.file("gone")), "obsolete");
}

TEST(CliOutputFolder, ReplacesItsFilesAndTheObsoleteOnesOnly) {
  const Workspace space;
  space.write("one", "old");
  space.write("gone", "obsolete");
  space.write("mine", "keep");
  OutputFolder(space.path()).write({file("one", "new")}, {"gone", "never-was"});
  EXPECT_EQ(space.contents(), (Names{"one", "mine"}));
  EXPECT_EQ(read_bytes(space.file("one")), "new");
}

TEST(CliOutputFolder, RefusesWhatIsNotAFolder) {
  const Workspace space;
  space.write("f", "");
  EXPECT_THROW(OutputFolder(space.file("f")), FileError);
  EXPECT_THROW(OutputFolder(space.file("f/below")), FileError);
  EXPECT_THROW(OutputFolder(""), UsageError);
  EXPECT_THROW(OutputFolder("/proc/none"), FileError);
}

TEST(CliOutputFolder, AFolderThatIsFullOfOthersFilesIsNotReplaced) {
  const Workspace space;
  const OutputFolder folder(space.file("late"));
  const OutputFile racing{"one", [&] {
                            std::filesystem::create_directory(space.file("late"));
                            space.write("late/theirs", "x");
                            return std::string("1");
                          }};
  EXPECT_THROW(folder.write({racing}), FileError);
  EXPECT_EQ(space.contents(), (Names{"late", "late/theirs"}));
}

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

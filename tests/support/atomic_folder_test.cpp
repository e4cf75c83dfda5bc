#include "support/atomic_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "helpers/workspace.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Names = std::set<std::string>;

OutputFile file(const std::string& name, const std::string& bytes) {
  return {name, [bytes] { return bytes; }};
}

OutputFile failing_file() {
  return {"bad", []() -> std::string { throw FileError("no"); }};
}

TEST(AtomicFolder, MakesTheFolderAndItsParents) {
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

TEST(AtomicFolder, FailureLeavesNoTrace) {
  const Workspace space;
  const OutputFolder folder(space.file("x/y"));
  EXPECT_THROW(folder.write({file("one", "1"), failing_file()}), FileError);
  EXPECT_EQ(space.contents(), Names{});
}

TEST(AtomicFolder, FailureKeepsWhatWasThere) {
  const Workspace space;
  space.write("one", "old");
  const OutputFolder folder(space.path());
  EXPECT_THROW(folder.write({file("one", "new"), failing_file()}, {"one"}), FileError);
  EXPECT_EQ(space.contents(), Names{"one"});
  EXPECT_EQ(read_bytes(space.file("one")), "old");
}

// The second file cannot be moved into place: the first, moved already, must go back.
TEST(AtomicFolder, FailureWhileMovingIsUndone) {
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

TEST(AtomicFolder, ReplacesItsFilesAndTheObsoleteOnesOnly) {
  const Workspace space;
  space.write("one", "old");
  space.write("gone", "obsolete");
  space.write("mine", "keep");
  OutputFolder(space.path()).write({file("one", "new")}, {"gone", "never-was"});
  EXPECT_EQ(space.contents(), (Names{"one", "mine"}));
  EXPECT_EQ(read_bytes(space.file("one")), "new");
}

TEST(AtomicFolder, RefusesWhatIsNotAFolder) {
  const Workspace space;
  space.write("f", "");
  EXPECT_THROW(OutputFolder(space.file("f")), FileError);
  EXPECT_THROW(OutputFolder(space.file("f/below")), FileError);
  EXPECT_THROW(OutputFolder(""), UsageError);
  EXPECT_THROW(OutputFolder("/proc/none"), FileError);
}

TEST(AtomicFolder, AFolderThatIsFullOfOthersFilesIsNotReplaced) {
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

TEST(AtomicFolder, ARequestToStopLeavesNoTrace) {
  const Workspace space;
  std::atomic<bool> stop{false};
  const OutputFile stopping{"one", [&] {
                              stop = true;
                              return std::string("1");
                            }};
  EXPECT_THROW(OutputFolder(space.file("x")).write({stopping, file("two", "2")}, {}, &stop), Interrupted);
  EXPECT_EQ(space.contents(), Names{});
}

}  // namespace
}  // namespace treecca

#include "support/atomic_folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "helpers/workspace.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

namespace fs = std::filesystem;
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

TEST(AtomicFolder, WhatElseIsInTheFolderStays) {
  const Workspace space;
  const std::string folder = space.file("run");
  fs::create_directories(folder + "/notes/deep");
  write_bytes(folder + "/notes/deep/a.txt", "mine");
  write_bytes(folder + "/b.txt", "mine too");
  fs::create_symlink("b.txt", folder + "/link");
  fs::permissions(folder, fs::perms::owner_all);
  OutputFolder(folder).write({{"model.json", [] { return "1"; }}});
  OutputFolder(folder).write({{"model.json", [] { return "2"; }}, {"new.csv", [] { return "3"; }}}, {"gone.csv"});
  EXPECT_EQ(space.contents(), (std::set<std::string>{"run", "run/b.txt", "run/model.json", "run/new.csv", "run/notes",
                                                     "run/notes/deep", "run/notes/deep/a.txt"}));
  EXPECT_EQ(read_bytes(folder + "/model.json"), "2");
  EXPECT_EQ(read_bytes(folder + "/link"), "mine too");
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
}

TEST(AtomicFolder, ClearsWhatADeadProcessLeftBehind) {
  const Workspace space;
  const std::string folder = space.file("run");
  for (const bool exists : {false, true}) {
    // The names that a process gives: seen while it writes.
    std::string name;
    const auto look = [&] {
      for (const auto& entry : fs::directory_iterator(space.path())) {
        if (entry.path().filename().string().starts_with(".treecca-")) name = entry.path().filename().string();
      }
      return std::string("1");
    };
    OutputFolder(folder).write({{"a", look}});
    const std::string process = std::to_string(getpid());
    const std::size_t at = name.find("-" + process + "-");
    ASSERT_NE(at, std::string::npos) << name;
    const std::string dead = name.substr(0, at) + "-999999999-abcdef";
    const std::string alive = name.substr(0, at) + "-" + process + "-abcdef";
    if (!exists) fs::remove_all(folder);
    for (const std::string& other : {dead, alive, std::string(".treecca-0123456789abcdef-999999999-abcdef")}) {
      fs::create_directories(space.file(other + "/new/notes"));
    }
    OutputFolder(folder).write({{"a", [] { return "1"; }}});
    EXPECT_FALSE(fs::exists(space.file(dead))) << exists;
    EXPECT_TRUE(fs::exists(space.file(alive)));
    EXPECT_TRUE(fs::exists(space.file(".treecca-0123456789abcdef-999999999-abcdef")));
    EXPECT_EQ(fs::exists(folder + "/notes"), exists);  // only a folder that is there can have had it
    for (const std::string& other : {alive, std::string(".treecca-0123456789abcdef-999999999-abcdef")})
      fs::remove_all(space.file(other));
  }
}

/// The folder is probed before a fit, so that a long fit is not wasted.
TEST(AtomicFolder, ProbesOfDeadProcessesAreCleared) {
  const Workspace space;
  const std::string dead = space.file(".treecca-probe-999999999-abcdef");
  const std::string with_content = space.file(".treecca-probe-999999998-abcdef");
  const std::string alive = space.file(".treecca-probe-" + std::to_string(getppid()) + "-abcdef");
  for (const std::string& one : {dead, with_content, alive}) fs::create_directory(one);
  write_bytes(with_content + "/mine", "x");
  const OutputFolder folder(space.path());
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(with_content + "/mine"));
  EXPECT_TRUE(fs::exists(alive));
}

TEST(AtomicFolder, AKilledProcessLeavesTheOldFolderOrTheNewOne) {
  const Workspace space;
  const std::string folder = space.file("run");
  const auto files_of = [](const std::string& content) {
    std::vector<OutputFile> files;
    for (int f = 0; f < 8; ++f) files.push_back({"f" + std::to_string(f), [content] { return content; }});
    return files;
  };
  OutputFolder(folder).write(files_of("0"));
  for (int attempt = 1; attempt <= 20; ++attempt) {
    const pid_t child = fork();
    if (child == 0) {
      for (int n = 0;; ++n) OutputFolder(folder).write(files_of(std::to_string(attempt * 100000 + n)));
    }
    usleep(static_cast<useconds_t>(500 * attempt));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string first = read_bytes(folder + "/f0");
    for (int f = 1; f < 8; ++f) ASSERT_EQ(read_bytes(folder + "/f" + std::to_string(f)), first) << attempt;
  }
  OutputFolder(folder).write(files_of("end"));
  EXPECT_EQ(space.contents().size(), 9U);  // no temporary folder is left
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

#include "support/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "treecca/error.hpp"

namespace treecca {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes beyond 64 KiB fail, as on a full disk.
class SmallFilesOnly {
 public:
  SmallFilesOnly() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = 64 * 1024;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFilesOnly() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

class AtomicFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::temp_directory_path() / ("treecca-" + test + "-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }

  fs::path folder_;
};

TEST_F(AtomicFileTest, WritesTheBytesGiven) {
  const std::string bytes("a\0b\n", 4);
  write_file_atomically(path("x"), bytes);
  EXPECT_EQ(content(path("x")), bytes);
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, JoinsManyWritesLargerThanTheBuffer) {
  std::string all;
  AtomicFile file(path("x"));
  for (int i = 0; i < 300; ++i) {
    const std::string part(10'000 + static_cast<std::size_t>(i), static_cast<char>('a' + i % 26));
    file.write(part);
    all += part;
  }
  file.commit();
  EXPECT_EQ(content(path("x")), all);
}

TEST_F(AtomicFileTest, TheTargetIsUntouchedUntilCommit) {
  write_file_atomically(path("x"), "old");
  AtomicFile file(path("x"));
  file.write("new");
  EXPECT_EQ(content(path("x")), "old");
  file.commit();
  EXPECT_EQ(content(path("x")), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, WithoutCommitNothingIsLeft) {
  {
    AtomicFile file(path("x"));
    file.write("text");
    EXPECT_EQ(files(), 1);  // the temporary file
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, AFullDiskLeavesTheOldFileAndNoOther) {
  write_file_atomically(path("x"), "old");
  for (const std::size_t size : {std::size_t{100'000}, std::size_t{5'000'000}}) {
    const SmallFilesOnly limit;
    try {
      write_file_atomically(path("x"), std::string(size, 'x'));
      FAIL() << "should have thrown";
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find(path("x")), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("too large"), std::string::npos) << error.what();
    }
    EXPECT_EQ(files(), 1);
  }
  EXPECT_EQ(content(path("x")), "old");
}

TEST_F(AtomicFileTest, AFailedFileCannotBeUsedFurther) {
  AtomicFile file(path("x"));
  {
    const SmallFilesOnly limit;
    file.write(std::string(100'000, 'x'));
    EXPECT_THROW(file.commit(), FileError);
  }
  EXPECT_THROW(file.write("y"), FileError);
  EXPECT_THROW(file.commit(), FileError);
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, CommitsOnce) {
  AtomicFile file(path("x"));
  file.write("text");
  file.commit();
  EXPECT_THROW(file.commit(), FileError);
  EXPECT_THROW(file.write("more"), FileError);
  EXPECT_EQ(content(path("x")), "text");
}

TEST_F(AtomicFileTest, NamesFileAndReason) {
  const auto message = [](const std::string& target) -> std::string {
    try {
      write_file_atomically(target, "text");
    } catch (const FileError& error) {
      return error.what();
    }
    return "no error";
  };
  write_file_atomically(path("file"), "text");
  EXPECT_EQ(message(path("absent/x")), "Cannot write \"" + path("absent/x") + "\": No such file or directory.");
  EXPECT_EQ(message(path("file/x")), "Cannot write \"" + path("file/x") + "\": Not a directory.");
  EXPECT_EQ(message(folder_.string()), "Cannot write \"" + folder_.string() + "\": Is a directory.");
  EXPECT_EQ(message("/dev/null"), "Cannot write \"/dev/null\": it is not a regular file.");
  EXPECT_NE(message(""), "no error");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, FollowsLinksAndKeepsPermissions) {
  write_file_atomically(path("real"), "old");
  fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(path("real"), path("link"));
  write_file_atomically(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("real")), "new");
  EXPECT_EQ(fs::status(path("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, NewFilesFollowTheUmask) {
  const mode_t before = ::umask(022);
  write_file_atomically(path("x"), "text");
  ::umask(before);
  EXPECT_EQ(static_cast<unsigned>(fs::status(path("x")).permissions()), 0644U);
}

TEST_F(AtomicFileTest, WorksForTheLongestNames) {
  const std::string longest(255, 'n');
  write_file_atomically(path(longest), "text");
  EXPECT_EQ(content(path(longest)), "text");
}

}  // namespace
}  // namespace treecca

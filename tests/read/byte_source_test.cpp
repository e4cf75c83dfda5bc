#include "read/byte_source.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

std::string read_all(ByteSource& source, std::size_t piece = 1000) {
  std::string all;
  std::string buffer(piece, '\0');
  while (const std::size_t got = source.read(buffer.data(), piece)) all.append(buffer, 0, got);
  return all;
}

std::string random_bytes(std::size_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  if (size > 0) bytes[0] = 'x';  // not the beginning of gzip
  return bytes;
}

TEST(ByteSource, GivesTheBytesOfPlainAndGzipFiles) {
  for (const std::size_t size : {0U, 1U, 999U, 1000U, 5'000'000U}) {
    const std::string bytes = random_bytes(size, 1);
    const TemporaryFile plain("a.bin", bytes);
    const TemporaryFile zipped("b.bin", gzipped(bytes));
    ByteSource plain_source(plain.path());
    ByteSource zipped_source(zipped.path());
    EXPECT_EQ(plain_source.known_size(), size);
    EXPECT_EQ(zipped_source.known_size(), std::nullopt);
    EXPECT_TRUE(read_all(plain_source) == bytes);
    EXPECT_TRUE(read_all(zipped_source) == bytes);
  }
}

TEST(ByteSource, GivesPeekedBytesAgain) {
  const TemporaryFile file("a.txt", "abcdef");
  ByteSource source(file.path());
  EXPECT_EQ(source.peek(2), "ab");
  EXPECT_EQ(source.peek(4), "abcd");
  char first = 0;
  EXPECT_EQ(source.read(&first, 1), 1U);
  EXPECT_EQ(first, 'a');
  EXPECT_EQ(source.peek(100), "bcdef");
  EXPECT_EQ(read_all(source, 4), "bcdef");
  EXPECT_EQ(source.peek(1), "");
}

TEST(ByteSource, NamesTheReasonWhenAFileCannotBeRead) {
  const TemporaryFile file("a.txt", "abc");
  expect_error<FileError>([&] { ByteSource source(file.path() + "x"); }, {"a.txtx", "No such file or directory"});
  expect_error<FileError>([&] { ByteSource source(file.folder()); }, {file.folder(), "Is a directory"});
  expect_error<FileError>([&] { ByteSource source(""); }, {"No such file or directory"});
}

TEST(ByteSource, ReportsEveryTruncationOfAGzipFile) {
  const std::string whole = gzipped(random_bytes(300, 2));
  // A single byte may be anything; from two bytes on it is gzip.
  for (std::size_t size = 2; size < whole.size(); ++size) {
    const TemporaryFile file("a.gz", whole.substr(0, size));
    expect_error<DataError>(
        [&] {
          ByteSource source(file.path());
          read_all(source);
        },
        {"a.gz", "gzip"});
  }
}

TEST(ByteSource, NeverGivesOtherBytesFromDamagedGzip) {
  const std::string bytes = random_bytes(300, 3);
  const std::string whole = gzipped(bytes);
  constexpr std::size_t kHeader = 10;
  int reported = 0;
  for (std::size_t at = kHeader; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const TemporaryFile file("a.gz", damaged);
    ByteSource source(file.path());
    try {
      EXPECT_TRUE(read_all(source) == bytes) << at;  // a few bits of the format mean nothing
    } catch (const DataError& error) {
      ++reported;
      EXPECT_NE(std::string(error.what()).find("a.gz is a"), std::string::npos) << error.what();
    }
  }
  EXPECT_GE(reported, static_cast<int>(bytes.size()));
}

}  // namespace
}  // namespace treecca

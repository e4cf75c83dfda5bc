#include "read/byte_source.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr unsigned kBufferBytes = 1U << 16;
constexpr std::size_t kLargestRead = std::size_t{1} << 20;

[[noreturn]] void fail_system(const std::string& path, int error) {
  throw FileError(fmt::format("Cannot read {}: {}.", path, error != 0 ? std::strerror(error) : "unknown reason"));
}

}  // namespace

void ByteSource::Close::operator()(gzFile_s* file) const { gzclose_r(file); }

ByteSource::ByteSource(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    path_ = "standard input";
    file_.reset(gzdopen(dup(STDIN_FILENO), "rb"));
    if (!file_) fail_system(path_, errno);
  } else {
    std::error_code ignored;
    if (std::filesystem::is_directory(path_, ignored)) fail_system(path_, EISDIR);
    errno = 0;
    file_.reset(gzopen(path_.c_str(), "rb"));
    if (!file_) fail_system(path_, errno);
  }
  gzbuffer(file_.get(), kBufferBytes);
}

/// Refuses decompression bombs: a small file can decompress to more than fits into memory.
void ByteSource::check_unfolded_size() const {
  constexpr std::uint64_t kAnyRatio = std::uint64_t{1} << 30;
  constexpr std::uint64_t kMaxRatio = 200;  // tables of numbers have 2 to 20
  if (unfolded_ < kAnyRatio || gzdirect(file_.get()) != 0) return;
  const auto packed = static_cast<std::uint64_t>(std::max<z_off_t>(1, gzoffset(file_.get())));
  if (unfolded_ / packed < kMaxRatio) return;
  throw DataError(fmt::format(
      "{} decompresses to more than {} times its size, which is unusual for a table. If this is correct, unpack "
      "it first (gunzip).",
      path_, kMaxRatio));
}

std::size_t ByteSource::read_file(char* out, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const auto wanted = static_cast<unsigned>(std::min(size - done, kLargestRead));
    errno = 0;
    const int got = gzread(file_.get(), out + done, wanted);
    const int system_error = errno;
    int status = Z_OK;
    const char* reason = gzerror(file_.get(), &status);
    if (status == Z_ERRNO) fail_system(path_, system_error);
    // If a gzip file ends too early, zlib reports no failed read; only the status shows it.
    if (status == Z_BUF_ERROR) {
      throw DataError(fmt::format("{} is a gzip file that is cut off before its end.", path_));
    }
    if (got < 0 || status < 0) {
      std::string_view text = reason;  // zlib puts the path before the reason
      const std::string prefix = path_ + ": ";
      if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
      throw DataError(fmt::format("{} is a damaged gzip file: {}.", path_, text));
    }
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
    unfolded_ += static_cast<std::uint64_t>(got);
    check_unfolded_size();
  }
  return done;
}

std::size_t ByteSource::read(char* out, std::size_t size) {
  const std::size_t from_ahead = std::min(size, ahead_.size());
  std::copy_n(ahead_.data(), from_ahead, out);
  ahead_.erase(0, from_ahead);
  return from_ahead + read_file(out + from_ahead, size - from_ahead);
}

std::string_view ByteSource::peek(std::size_t size) {
  const std::size_t before = ahead_.size();
  if (before < size) {
    ahead_.resize(size);
    ahead_.resize(before + read_file(ahead_.data() + before, size - before));
  }
  return std::string_view(ahead_).substr(0, size);
}

std::optional<std::uint64_t> ByteSource::known_size() const {
  std::error_code error;
  if (gzdirect(file_.get()) == 0 || !std::filesystem::is_regular_file(path_, error)) return {};
  const std::uintmax_t size = std::filesystem::file_size(path_, error);
  if (error) return {};
  return size;
}

}  // namespace treecca

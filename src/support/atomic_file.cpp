#include "support/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

std::string reason(int system_error) { return std::generic_category().message(system_error); }

/// The target of a link; a path that does not exist yet stays as it is.
std::string resolve_link(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// A name next to the target that no other thread or process of this machine uses.
std::string temporary_name(const std::string& target, int attempt) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}/.treecca-{}-{}-{}.tmp", folder_of(target), ::getpid(), counter.fetch_add(1), attempt);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(resolve_link(path)) {
  if (path.find('\0') != std::string::npos) {  // the system would write to another file
    throw FileError(fmt::format("Cannot write {}: the path has a null character.", in_quotes(path)));
  }
  struct stat existing {};
  const bool exists = ::stat(target_.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(existing.st_mode)) {
    throw FileError(fmt::format("Cannot write \"{}\": it is not a regular file.", path_));
  }
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts && file_ < 0; ++attempt) {
    const std::string name = temporary_name(target_, attempt);
    file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ >= 0) temporary_ = name;
    if (file_ < 0 && errno != EEXIST) fail(errno);
  }
  if (file_ < 0) fail(EEXIST);
  if (exists && ::fchmod(file_, existing.st_mode & 07777) != 0) fail(errno);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::string_view bytes) {
  if (file_ < 0) fail(EBADF);
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferBytes) flush();
}

void AtomicFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

/// Writes all bytes to the disk.
void AtomicFile::close() {
  if (file_ < 0) fail(EBADF);  // discarded or committed before
  flush();
  if (::fsync(file_) != 0) fail(errno);
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0) fail(errno);
}

void AtomicFile::commit() {
  close();
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // a folder may be writable but not readable: the file itself is complete
  const int result = ::fsync(folder);
  const int error = errno;
  ::close(folder);
  // Some file systems cannot sync a folder and return EINVAL; the rename is then not synced.
  if (result != 0 && error != EINVAL && error != ENOTSUP) fail(error);
}

void AtomicFile::discard() noexcept {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::fail(int system_error) {
  discard();
  throw FileError(fmt::format("Cannot write \"{}\": {}.", path_, reason(system_error)));
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace treecca

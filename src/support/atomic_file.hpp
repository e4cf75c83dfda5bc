// Files that appear whole or not at all.
//
// Bytes go to a temporary file beside the target; `commit` brings them to the disk (fsync), renames
// the temporary file to the target and brings the folder to the disk. Until then the target is
// untouched. On every failure, and when an AtomicFile is destroyed without commit, the temporary
// file is removed. A symbolic link is followed, an existing file keeps its permissions, anything
// but a regular file is refused. Failure: FileError that names the file and the system's reason.
// One object belongs to one thread.
#pragma once

#include <string>
#include <string_view>

namespace treecca {

class AtomicFile {
 public:
  /// Creates the temporary file, so that a folder that cannot be written to is found before the
  /// work is done.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);

  /// Makes the file appear under its name. Once.
  void commit();

  const std::string& path() const { return path_; }

 private:
  void flush();
  void close();
  void discard() noexcept;
  [[noreturn]] void fail(int system_error);

  std::string path_;       // as the caller gave it, for messages
  std::string target_;     // with links resolved
  std::string temporary_;  // "" when there is no temporary file (any more)
  std::string buffer_;
  int file_ = -1;
};

/// The whole content at once.
void write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace treecca

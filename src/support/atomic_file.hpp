// Writes files atomically: a file appears completely or not at all.
//
// Bytes go to a temporary file next to the target; `commit` writes them to the disk (fsync), renames the temporary file
// to the target and writes the folder to the disk. Until then the target is unchanged. On every failure, and if an
// AtomicFile is destroyed without commit, the temporary file is removed. Symbolic links are followed, an existing file
// keeps its permissions, and targets other than regular files are refused. Failure: FileError with the file and the
// system's reason.
// One object belongs to one thread.
#pragma once

#include <string>
#include <string_view>

namespace treecca {

class AtomicFile {
 public:
  /// Creates the temporary file, so that an unwritable folder is detected before the work is done.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);

  /// Moves the file to its final name. Call once.
  void commit();

  const std::string& path() const { return path_; }

 private:
  void flush();
  void close();
  void discard() noexcept;
  [[noreturn]] void fail(int system_error);

  std::string path_;       // as the caller gave it, for messages
  std::string target_;     // with links resolved
  std::string temporary_;  // empty if there is no temporary file
  std::string buffer_;
  int file_ = -1;
};

/// Writes the whole content at once.
void write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace treecca

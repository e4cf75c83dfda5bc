// Reads the bytes of a file in order, plain or gzip, without loading the whole file.
//
// gzip is recognised by its first bytes and decompressed during reading; pipes work as well as files.
// Failure: FileError if the file cannot be opened or read (with the system's reason), DataError if its gzip stream is
// cut off or damaged. Not thread-safe: one reader per source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct gzFile_s;

namespace treecca {

class ByteSource {
 public:
  explicit ByteSource(std::string path);

  const std::string& path() const { return path_; }

  /// Fills `out` with the next `size` bytes; returns fewer only at the end of the data.
  std::size_t read(char* out, std::size_t size);

  /// The next bytes, at most `size`; the following read() returns them again. Valid until then.
  std::string_view peek(std::size_t size);

  /// Size of the whole file if it is known before reading: not for gzip, not for a pipe.
  std::optional<std::uint64_t> known_size() const;

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };
  std::size_t read_file(char* out, std::size_t size);

  void check_unfolded_size() const;

  std::string path_;
  std::uint64_t unfolded_ = 0;  // bytes read
  std::unique_ptr<gzFile_s, Close> file_;
  std::string ahead_;  // peeked and not yet read
};

}  // namespace treecca

// Results on disk: whole or not at all.
//
// Failure is a FileError that names the file or folder and the reason, a full disk included;
// Interrupted after Ctrl-C. In both cases everything is as it was before.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace treecca::cli {

/// A file to be written into a folder: its name there, and what makes its bytes (called once, just
/// before writing, so that only one file at a time is in memory).
struct OutputFile {
  std::string name;
  std::function<std::string()> bytes;
};

class OutputFolder {
 public:
  /// Makes sure, before long work begins, that the folder exists or can be made and can be written
  /// to. Leaves no trace.
  explicit OutputFolder(std::string path);

  /// Writes all files, then moves them into place. Files of the same names, and those of `obsolete`
  /// that exist, are replaced; others are left alone.
  void write(const std::vector<OutputFile>& files, const std::vector<std::string>& obsolete = {}) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Writes one file, atomically where it is an ordinary file; "-" is stdout, devices and pipes are
/// written directly.
void write_output(const std::string& path, std::string_view bytes);

/// UsageError when one of the files to be written is one of those that are read, also by another
/// name.
void refuse_overwriting(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// Prints to stdout; FileError when it does not take it.
void print_text(std::string_view text);
template <class... T>
void print(fmt::format_string<T...> format, T&&... arguments) {
  print_text(fmt::format(format, std::forward<T>(arguments)...));
}

/// Prints to stderr. That it does not take it is ignored: there is nowhere left to say so.
void print_message(std::string_view text) noexcept;

/// To be called first of all: puts something in the place of standard streams that the caller
/// closed, so that no file of data gets their number and is taken for them. Messages then go
/// nowhere; printing to a closed stdout stays an error.
void occupy_standard_streams();

/// Hands everything printed so far to the system; FileError when stdout does not take it.
void flush_stdout();

}  // namespace treecca::cli

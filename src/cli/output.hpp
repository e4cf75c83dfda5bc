// Output of the commands: standard streams, files, folders.
//
// Failure: FileError that names the file or folder and the reason (including a full disk); Interrupted after Ctrl-C.
// Files and folders are then unchanged.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/atomic_folder.hpp"

namespace treecca::cli {

/// Writes into the folder; after Ctrl-C it is unchanged.
void write_folder(const OutputFolder& folder, const std::vector<OutputFile>& files,
                  const std::vector<std::string>& obsolete = {});

/// Writes one file, atomically if it is a regular file; "-" is stdout. Devices and pipes are written directly.
void write_output(const std::string& path, std::string_view bytes);

/// Failure: UsageError if an output file is one of the input files, even under another name.
void refuse_overwriting(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// Prints to stdout. Failure: FileError if stdout cannot be written.
void print_text(std::string_view text);
template <class... T>
void print(fmt::format_string<T...> format, T&&... arguments) {
  print_text(fmt::format(format, std::forward<T>(arguments)...));
}

/// Prints to stderr. Errors are ignored, because there is no other place to report them.
void print_message(std::string_view text) noexcept;

/// Prints each as a line on stderr: "treecca: warning: ...".
void print_warnings(const std::vector<std::string>& warnings);

/// Call this first: it opens a substitute for each standard stream that the caller closed, so that no data file gets
/// its file descriptor and is mistaken for the stream. Messages are then discarded; printing to a closed stdout is
/// still an error.
void occupy_standard_streams();

/// Flushes stdout. Failure: FileError if stdout cannot be written.
void flush_stdout();

}  // namespace treecca::cli

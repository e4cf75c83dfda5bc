// Where the program writes to: standard streams, files, folders.
//
// Failure is a FileError that names the file or folder and the reason, a full disk included; Interrupted after Ctrl-C.
// Files and folders are then as they were before.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/atomic_folder.hpp"

namespace treecca::cli {

/// Writes into the folder; Ctrl-C leaves it as it was.
void write_folder(const OutputFolder& folder, const std::vector<OutputFile>& files,
                  const std::vector<std::string>& obsolete = {});

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

/// One line each on stderr: "treecca: warning: ...".
void print_warnings(const std::vector<std::string>& warnings);

/// To be called first of all: puts something in the place of standard streams that the caller
/// closed, so that no file of data gets their number and is taken for them. Messages then go
/// nowhere; printing to a closed stdout stays an error.
void occupy_standard_streams();

/// Hands everything printed so far to the system; FileError when stdout does not take it.
void flush_stdout();

}  // namespace treecca::cli

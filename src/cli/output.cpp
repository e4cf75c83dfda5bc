#include "cli/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/stop.hpp"
#include "support/atomic_file.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string_view what, const fs::path& path, const std::error_code& error) {
  throw FileError(fmt::format("{} {} failed: {}.", what, path.string(), error.message()));
}

std::error_code last_error() { return {errno, std::generic_category()}; }

}  // namespace

void write_folder(const OutputFolder& folder, const std::vector<OutputFile>& files,
                  const std::vector<std::string>& obsolete) {
  const StopScope scope;
  folder.write(files, obsolete, scope.flag());
}

void write_output(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    print_text(bytes);
    flush_stdout();
    return;
  }
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (!fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status)) {
    const StopScope scope;
    write_file_atomically(path, bytes);
    return;
  }
  // A device or a pipe must not be replaced by a file.
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) fail("Opening", path, last_error());
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0;
  const std::error_code error = last_error();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) fail("Writing", path, written ? last_error() : error);
}

void refuse_overwriting(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (const std::string& output : outputs) {
    for (const std::string& input : inputs) {
      std::error_code error;  // a file that does not exist is not overwritten
      if (fs::is_regular_file(input, error) && fs::equivalent(output, input, error) && !error) {
        throw UsageError(fmt::format("The output would overwrite the input {}; write to another place.", input));
      }
    }
  }
}

void print_text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) flush_stdout();
}

void print_message(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    print_message(fmt::format("treecca: warning: {}\n", printable(warning)));
  }
}

void occupy_standard_streams() {
  // open() returns the lowest free number, so they are opened in order. Each is opened in the wrong direction, so that
  // reading from stdin or writing to stdout still fails, as on a closed stream.
  constexpr int kModes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int stream = 0; stream < 3; ++stream) {
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", kModes[stream]) != stream) return;
  }
}

void flush_stdout() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw FileError(fmt::format("Standard output cannot be written: {}.", std::strerror(errno)));
  }
}

}  // namespace treecca::cli

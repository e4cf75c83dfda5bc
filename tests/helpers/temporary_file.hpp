// Files for the tests of the readers, and a check of what an error says.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace treecca {

/// A file with the given bytes, removed at the end of its life. `name` is the last part of its
/// path.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, std::string_view bytes) {
    static std::atomic<int> counter{0};
    folder_ = std::filesystem::temp_directory_path() /
              ("treecca_data_" + std::to_string(getpid()) + "_" + std::to_string(counter++));
    std::filesystem::create_directory(folder_);
    path_ = (folder_ / name).string();
    write(bytes);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view bytes) const {
    std::ofstream stream(path_, std::ios::binary | std::ios::trunc);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream) throw std::runtime_error("cannot write " + path_);
  }
  const std::string& path() const { return path_; }
  std::string folder() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

/// The bytes as a gzip file holds them.
inline std::string gzipped(std::string_view bytes) {
  const TemporaryFile file("x.gz", "");
  gzFile out = gzopen(file.path().c_str(), "wb");
  const bool written =
      out != nullptr && (bytes.empty() || gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size())) > 0);
  if (!written || gzclose(out) != Z_OK) throw std::runtime_error("cannot write gzip");
  std::ifstream stream(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Runs `action`, which must throw exactly an ErrorType whose message has all `parts`.
template <class ErrorType, class Action>
void expect_error(Action&& action, std::initializer_list<std::string_view> parts) {
  try {
    action();
    ADD_FAILURE() << "no error";
  } catch (const ErrorType& error) {
    const std::string message = error.what();
    for (const std::string_view part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in: " << message;
    }
  }
}

}  // namespace treecca

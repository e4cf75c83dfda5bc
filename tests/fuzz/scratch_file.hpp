// One file for all inputs of this process, removed at its end.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

class ScratchFile {
 public:
  ScratchFile()
      : path_((std::filesystem::temp_directory_path() / ("treecca_fuzz_" + std::to_string(getpid()))).string()) {}
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  const std::string& write(const std::uint8_t* data, std::size_t size) const {
    std::ofstream stream(path_, std::ios::binary | std::ios::trunc);
    if (size > 0) stream.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    return path_;
  }

 private:
  std::string path_;
};

// Any bytes as a table and as a file of groups: read, or refused with an error of the family;
// nothing else.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "treecca/error.hpp"
#include "treecca/table.hpp"

namespace {

/// One file for all inputs of this process, removed at its end.
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

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ScratchFile file;
  const std::string& path = file.write(data, size);
  try {
    const treecca::Table table = treecca::read_table(path, "view");
    const auto rows = static_cast<std::size_t>(table.values.rows());
    check(rows > 0 && !table.feature_names.empty());
    check(table.feature_names.size() == static_cast<std::size_t>(table.values.cols()));
    check(table.sample_ids.empty() || table.sample_ids.size() == rows);
  } catch (const treecca::Error&) {
  }
  try {
    check(treecca::read_groups(path, {}, 3).size() == 3);
  } catch (const treecca::Error&) {
  }
  try {
    check(treecca::read_groups(path, {"s1", "s2"}, 2).size() == 2);
  } catch (const treecca::Error&) {
  }
  return 0;
}

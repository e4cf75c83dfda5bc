// Any bytes as a table and as a file of groups: read, or refused with an error of the family;
// nothing else.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "scratch_file.hpp"
#include "treecca/error.hpp"
#include "treecca/table.hpp"

namespace {

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

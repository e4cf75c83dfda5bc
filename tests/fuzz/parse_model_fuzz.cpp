// libFuzzer entry: whatever the bytes, parse_model gives a model that can be written and read
// again, or a ModelError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "treecca/error.hpp"
#include "treecca/model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const treecca::Model model = treecca::parse_model({reinterpret_cast<const char*>(data), size});
    for (const auto format : {treecca::ModelFormat::json, treecca::ModelFormat::ubjson}) {
      if (!(treecca::parse_model(treecca::serialize_model(model, format)) == model)) std::abort();
    }
  } catch (const treecca::ModelError&) {
  }
  return 0;
}

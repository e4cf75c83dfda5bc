#include "model/checksum.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr std::string_view kKey = "checksum";
constexpr std::string_view kKeyBefore = "producer";
/// The arrays that docs/model-file.md lists as single precision.
constexpr std::array<std::string_view, 3> kSingles = {"cover", "threshold", "leaf_values"};

void round_singles(Document& document) {
  for (std::size_t i = 0; i < document.items.size(); ++i) {
    Document& item = document.items[i];
    const bool single = document.kind == Document::Kind::object &&
                        std::find(kSingles.begin(), kSingles.end(), document.keys[i]) != kSingles.end();
    if (single) {
      for (double& number : item.numbers) number = static_cast<double>(static_cast<float>(number));
    }
    round_singles(item);
  }
}

std::string checksum_of(const Document& document) {
  const std::string bytes = write_ubjson(document);
  const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
  return fmt::format("{:08x}", crc32_z(crc32_z(0, nullptr, 0), data, bytes.size()));
}

}  // namespace

void add_checksum(Document& document) {
  Document checksum(checksum_of(document));
  // Not at the end, because a user who deletes its line would then have to remove the comma before it.
  const auto before = std::find(document.keys.begin(), document.keys.end(), kKeyBefore);
  const auto at =
      std::min<std::ptrdiff_t>(before - document.keys.begin() + 1, static_cast<std::ptrdiff_t>(document.keys.size()));
  document.keys.insert(document.keys.begin() + at, std::string(kKey));
  document.items.insert(document.items.begin() + at, std::move(checksum));
}

void verify_checksum(Document document) {
  const auto key = std::find(document.keys.begin(), document.keys.end(), kKey);
  if (key == document.keys.end()) return;
  const auto item = document.items.begin() + (key - document.keys.begin());
  const std::string stated = std::move(item->text);
  document.items.erase(item);
  document.keys.erase(key);
  round_singles(document);
  const std::string found = checksum_of(document);
  if (stated != found) {
    throw ModelError(
        fmt::format("it was changed or damaged after it was written: the checksum of its content is {}, not the "
                    "one it states. Delete the key \"{}\" if the change was on purpose.",
                    found, kKey));
  }
}

}  // namespace treecca

#include "cli/toml_file.hpp"

#include <fmt/format.h>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

namespace fs = std::filesystem;
using Kind = TomlValue::Kind;

constexpr std::size_t kMaxBytes = 1'000'000;

[[noreturn]] void refuse_file(const std::string& path, std::string_view reason) {
  throw FileError(fmt::format("The config file {} cannot be read: {}.", path, reason));
}

std::string read_text(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error && !fs::status_known(status)) refuse_file(path, error.message());
  // A device or a pipe may have no end.
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    refuse_file(path, fs::is_directory(status) ? "it is a folder" : "it is not a regular file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_file(path, std::strerror(errno));
  std::string text(kMaxBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) refuse_file(path, std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxBytes) refuse_file(path, "it is larger than 1 MB");
  return text;
}

std::size_t line_of(const toml::source_region& source) { return source.begin.line; }

TomlValue value_of(const toml::node& node);

TomlValue table_of(const toml::table& table) {
  // The library sorts keys by name; people mean the order in which they wrote them.
  std::vector<std::pair<toml::source_position, std::string>> keys;
  for (auto&& [key, node] : table) keys.emplace_back(key.source().begin, std::string(key.str()));
  std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  TomlValue value;
  for (auto& [position, key] : keys) {
    value.items.push_back(value_of(*table.get(key)));
    value.items.back().line = position.line;
    value.keys.push_back(std::move(key));
  }
  return value;
}

TomlValue value_of(const toml::node& node) {
  TomlValue value;
  if (const toml::table* table = node.as_table()) {
    value = table_of(*table);
  } else if (const toml::array* list = node.as_array()) {
    value.kind = Kind::list;
    for (const toml::node& item : *list) value.items.push_back(value_of(item));
  } else if (const auto* text = node.as_string()) {
    value.kind = Kind::text;
    value.text = text->get();
  } else if (const auto* whole = node.as_integer()) {
    value.kind = Kind::whole;
    value.text = fmt::format("{}", whole->get());
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = Kind::number;
    value.text = fmt::format("{}", number->get());
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = Kind::boolean;
    value.text = boolean->get() ? "true" : "false";
  } else {
    value.kind = Kind::date;
    value.text = "a date";
  }
  value.line = line_of(node.source());
  return value;
}

}  // namespace

TomlValue read_toml_file(const std::string& path) {
  const std::string text = read_text(path);
  try {
    return table_of(toml::parse(text));
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("The config file {}, line {}, is not TOML: {}.", path, line_of(error.source()),
                                 error.description()));
  }
}

}  // namespace treecca::cli

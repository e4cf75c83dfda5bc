#include "cli/toml_file.hpp"

#include <fmt/format.h>

namespace treecca::cli {
/// Thrown if an assertion of the TOML library fails, because of a mistake in the file that it does not report.
struct TomlFault {};
[[noreturn, maybe_unused]] static void toml_fault() { throw TomlFault(); }
}  // namespace treecca::cli

// By default these end the program or are undefined behaviour ("x = [ }" reaches one in version 3.3).
#define TOML_ASSERT(expression) (static_cast<bool>(expression) ? void() : ::treecca::cli::toml_fault())
#define TOML_ASSERT_ASSUME(expression) TOML_ASSERT(expression)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
// With NDEBUG the library would ignore TOML_ASSERT. Releases must check as much as other builds.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

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
  // Reading a device or a pipe may never end.
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

/// Position of the last character of the string that begins at `at`, in any of TOML's four notations.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const std::size_t length = text.substr(at, 3) == std::string(3, text[at]) ? 3 : 1;
  const std::string_view quotes = text.substr(at, length);
  const bool has_escapes = text[at] == '"';
  for (at += length; at < text.size(); ++at) {
    if (text.substr(at, length) == quotes) return at + length - 1;
    if (has_escapes && text[at] == '\\') ++at;
  }
  return text.size();
}

/// Refuses brackets within brackets, and keys of many parts (a.b.c), beyond kMaxNesting. Scans correct TOML correctly;
/// a wrong scan after a mistake is harmless, because the library stops at the mistake.
void check_nesting(const std::string& path, std::string_view text) {
  std::size_t brackets = 0;
  std::size_t dots = 0;  // in the current key
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') i = end_of_string(text, i);
    if (c == '#') i = std::min(text.find('\n', i), text.size());
    if (c == '[' || c == '{') ++brackets;
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    if (c == '.') ++dots;
    if (std::string_view("=,[]{}#\n").find(c) != std::string_view::npos) dots = 0;
    if (brackets > kMaxNesting || dots > kMaxNesting) {
      const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
      throw UsageError(fmt::format("The config file {}, line {}: values are nested more than {} levels deep.", path,
                                   lines + 1, kMaxNesting));
    }
  }
}

std::size_t line_of(const toml::source_region& source) { return source.begin.line; }

TomlValue value_of(const toml::node& node);

TomlValue table_of(const toml::table& table) {
  // The library sorts keys by name; the order of the file is the order of the views.
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
  } else if (const auto* integer = node.as_integer()) {
    value.kind = Kind::integer;
    value.text = fmt::format("{}", integer->get());
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
  check_nesting(path, text);
  try {
    return table_of(toml::parse(text));
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("The config file {}, line {}, is not TOML: {}.", path, line_of(error.source()),
                                 error.description()));
  } catch (const TomlFault&) {
    throw UsageError(fmt::format("The config file {} is not TOML. Check brackets, braces and commas.", path));
  }
}

}  // namespace treecca::cli

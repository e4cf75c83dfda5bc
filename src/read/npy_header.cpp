#include "read/npy_header.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <utility>

#include "read/cell.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr std::size_t kMaxDimensions = 32;  // NumPy's own limit

class Parser {
 public:
  Parser(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  NpyHeader parse();

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(fmt::format("{} is a damaged NPY file: {}.", path_, reason));
  }
  void skip_blanks() {
    const std::size_t begin = rest_.find_first_not_of(" \t\n\r");
    rest_.remove_prefix(begin == std::string_view::npos ? rest_.size() : begin);
  }
  bool accept(std::string_view token) {
    skip_blanks();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail(fmt::format("\"{}\" is expected at {} in its header", token, in_quotes(rest_)));
  }
  std::string string();
  std::uint64_t integer();
  bool boolean();
  std::vector<std::uint64_t> tuple();

  std::string_view rest_;
  const std::string& path_;
};

std::string Parser::string() {
  const char* const quote = accept("'") ? "'" : "\"";
  if (*quote == '"') expect("\"");
  const std::size_t end = rest_.find(quote);
  if (end == std::string_view::npos) fail("a text in its header does not end");
  std::string text(rest_.substr(0, end));
  rest_.remove_prefix(end + 1);
  return text;
}

std::uint64_t Parser::integer() {
  skip_blanks();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t value = 0;
  std::size_t digits = 0;
  for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
    const auto digit = static_cast<std::uint64_t>(rest_[digits] - '0');
    if (value > (kMost - digit) / 10) fail("its shape is too large");
    value = value * 10 + digit;
  }
  if (digits == 0) fail(fmt::format("a number is expected at {} in its header", in_quotes(rest_)));
  rest_.remove_prefix(digits);
  accept("L");  // the suffix of long integers in Python 2
  return value;
}

bool Parser::boolean() {
  if (accept("True")) return true;
  expect("False");
  return false;
}

std::vector<std::uint64_t> Parser::tuple() {
  std::vector<std::uint64_t> values;
  expect("(");
  while (!accept(")")) {
    if (values.size() == kMaxDimensions) fail("its shape has too many dimensions");
    values.push_back(integer());
    if (!accept(",")) {
      expect(")");
      break;
    }
  }
  return values;
}

NpyHeader Parser::parse() {
  NpyHeader header;
  bool has_descr = false;
  bool has_order = false;
  bool has_shape = false;
  expect("{");
  while (!accept("}")) {
    const std::string key = string();
    expect(":");
    bool* seen = key == "descr"           ? &has_descr
                 : key == "fortran_order" ? &has_order
                 : key == "shape"         ? &has_shape
                                          : nullptr;
    if (seen == nullptr || std::exchange(*seen, true)) {
      fail(fmt::format("the key {} in its header is unknown or repeated", in_quotes(key)));
    }
    if (seen == &has_descr) {
      if (accept("[")) {
        throw DataError(
            fmt::format("{} holds records with named fields (a structured dtype). Save a plain "
                        "two-dimensional array.",
                        path_));
      }
      header.descr = string();
    } else if (seen == &has_order) {
      header.fortran_order = boolean();
    } else {
      header.shape = tuple();
    }
    if (!accept(",")) {
      expect("}");
      break;
    }
  }
  skip_blanks();
  if (!rest_.empty()) fail("its header continues after its end");
  if (!has_descr || !has_order || !has_shape) fail("its header lacks descr, fortran_order or shape");
  return header;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& path) { return Parser(text, path).parse(); }

}  // namespace treecca

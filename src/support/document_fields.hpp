// Checked access to the members of an object of a Document.
//
// Every accessor throws ModelError with the member's path if it is missing or of the wrong kind; `finish` throws if the
// object has a member that was never read. The Document must outlive its Fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/document.hpp"

namespace treecca {

/// Whether a number is an integer within these limits.
bool is_whole_within(double value, double low, double high);

[[noreturn]] void refuse_document(const std::string& path, std::string_view reason);

class Fields {
 public:
  Fields(const Document& object, std::string path);

  std::string path(std::string_view key) const;

  const Document& get(std::string_view key);
  bool has(std::string_view key) const { return object_.find(key) != nullptr; }
  bool boolean(std::string_view key);
  double number(std::string_view key);
  /// An integer within the limits (both inclusive, at most 2^53 in magnitude).
  double whole(std::string_view key, double low, double high);
  const std::string& text(std::string_view key);
  const std::vector<double>& numbers(std::string_view key);
  /// The same, with a fixed count.
  const std::vector<double>& numbers(std::string_view key, std::size_t count);
  /// Single-precision numbers.
  std::vector<float> singles(std::string_view key, std::size_t count);
  /// Integers within the limits.
  std::vector<std::int32_t> wholes(std::string_view key, std::size_t count, double low, double high);
  const std::vector<std::string>& texts(std::string_view key);
  const std::vector<Document>& objects(std::string_view key);

  void finish() const;

 private:
  const Document& object_;
  std::string path_;
  std::vector<std::string_view> asked_;
};

}  // namespace treecca

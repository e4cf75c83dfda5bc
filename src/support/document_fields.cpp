#include "support/document_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "treecca/error.hpp"

namespace treecca {
namespace {

/// An empty array has no element kind: it reads as an empty list of any kind.
bool is_list_of(const Document& document, Document::Kind kind) {
  return document.kind == kind || (document.kind == Document::Kind::numbers && document.numbers.empty());
}

}  // namespace

bool is_whole_within(double value, double low, double high) {
  return value == std::trunc(value) && value >= low && value <= high;
}

void refuse_document(const std::string& path, std::string_view reason) {
  throw ModelError(fmt::format("{} {}.", path, reason));
}

Fields::Fields(const Document& object, std::string path) : object_(object), path_(std::move(path)) {
  if (object.kind != Document::Kind::object) refuse_document(path_, "must be an object");
}

std::string Fields::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const Document& Fields::get(std::string_view key) {
  const Document* found = object_.find(key);
  if (found == nullptr) refuse_document(path(key), "is missing");
  asked_.push_back(key);
  return *found;
}

bool Fields::boolean(std::string_view key) {
  const Document& value = get(key);
  if (value.kind != Document::Kind::boolean) refuse_document(path(key), "must be true or false");
  return value.boolean;
}

double Fields::number(std::string_view key) {
  const Document& value = get(key);
  if (value.kind != Document::Kind::number) refuse_document(path(key), "must be a number");
  return value.number;
}

double Fields::whole(std::string_view key, double low, double high) {
  const Document& value = get(key);
  if (value.kind != Document::Kind::number || !is_whole_within(value.number, low, high)) {
    refuse_document(path(key), fmt::format("must be an integer from {:.0f} to {:.0f}", low, high));
  }
  return value.number;
}

const std::string& Fields::text(std::string_view key) {
  const Document& value = get(key);
  if (value.kind != Document::Kind::text) refuse_document(path(key), "must be a text");
  return value.text;
}

const std::vector<double>& Fields::numbers(std::string_view key) {
  const Document& value = get(key);
  if (value.kind != Document::Kind::numbers) refuse_document(path(key), "must be an array of numbers");
  return value.numbers;
}

const std::vector<double>& Fields::numbers(std::string_view key, std::size_t count) {
  const std::vector<double>& values = numbers(key);
  if (values.size() != count) {
    refuse_document(path(key), fmt::format("has {} numbers, but must have {}", values.size(), count));
  }
  return values;
}

std::vector<float> Fields::singles(std::string_view key, std::size_t count) {
  const std::vector<double>& values = numbers(key, count);
  std::vector<float> result;
  result.reserve(values.size());
  for (const double value : values) {
    if (!(std::abs(value) <= std::numeric_limits<float>::max())) {
      refuse_document(path(key), "holds a number beyond single precision");
    }
    result.push_back(static_cast<float>(value));
  }
  return result;
}

std::vector<std::int32_t> Fields::wholes(std::string_view key, std::size_t count, double low, double high) {
  const std::vector<double>& values = numbers(key, count);
  std::vector<std::int32_t> result;
  result.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_whole_within(values[i], low, high)) {
      refuse_document(path(key), fmt::format("has {} at position {}, but must have integers from {:.0f} to {:.0f}",
                                             values[i], i, low, high));
    }
    result.push_back(static_cast<std::int32_t>(values[i]));
  }
  return result;
}

const std::vector<std::string>& Fields::texts(std::string_view key) {
  const Document& value = get(key);
  if (!is_list_of(value, Document::Kind::texts)) refuse_document(path(key), "must be an array of texts");
  return value.texts;
}

const std::vector<Document>& Fields::objects(std::string_view key) {
  const Document& value = get(key);
  if (!is_list_of(value, Document::Kind::items)) refuse_document(path(key), "must be an array of objects");
  return value.items;
}

void Fields::finish() const {
  for (const std::string& key : object_.keys) {
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
      refuse_document(path_.empty() ? "the file" : path_, fmt::format("has the unknown key \"{}\"", key));
    }
  }
}

}  // namespace treecca

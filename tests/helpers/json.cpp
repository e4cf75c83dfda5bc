#include "helpers/json.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

namespace treecca {

struct Json::Value {
  nlohmann::json json;
};

Json::Json(const char* text) : value_(std::make_shared<Value>(Value{text})) {}
Json Json::of(bool value) { return Json(std::make_shared<const Value>(Value{value})); }
Json Json::of(double value) { return Json(std::make_shared<const Value>(Value{value})); }

namespace {

template <class Parse>
nlohmann::json parsed(Parse&& parse) {
  try {
    return parse();
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

void round_to_single(nlohmann::json& value) {
  if (value.is_number_float()) value = value.get<float>();
  if (!value.is_structured()) return;
  for (auto& item : value) round_to_single(item);
}

}  // namespace

Json Json::parse(const std::string& text) {
  return Json(std::make_shared<const Value>(Value{parsed([&] { return nlohmann::json::parse(text); })}));
}

Json Json::parse_ubjson(const std::string& bytes) {
  return Json(std::make_shared<const Value>(Value{parsed([&] { return nlohmann::json::from_ubjson(bytes); })}));
}

Json Json::operator[](const char* key) const {
  return Json(std::make_shared<const Value>(Value{contains(key) ? value_->json.at(key) : nlohmann::json()}));
}

Json Json::element(std::size_t index) const {
  const bool exists = value_->json.is_array() && index < value_->json.size();
  return Json(std::make_shared<const Value>(Value{exists ? value_->json.at(index) : nlohmann::json()}));
}

std::size_t Json::size() const { return value_->json.size(); }
bool Json::contains(const std::string& key) const { return value_->json.contains(key); }
bool Json::is_null() const { return value_->json.is_null(); }

Json Json::without(const std::string& key) const {
  Value copy = *value_;
  copy.json.erase(key);
  return Json(std::make_shared<const Value>(std::move(copy)));
}

Json Json::in_single_precision() const {
  Value copy = *value_;
  round_to_single(copy.json);
  return Json(std::make_shared<const Value>(std::move(copy)));
}

std::vector<Json> Json::items() const {
  std::vector<Json> items;
  for (std::size_t i = 0; i < size(); ++i) items.push_back(element(i));
  return items;
}

double Json::number() const { return value_->json.get<double>(); }
std::string Json::text() const { return value_->json.get<std::string>(); }
std::string Json::dump() const { return value_->json.dump(); }
bool Json::equal(const Json& a, const Json& b) { return a.value_->json == b.value_->json; }
std::ostream& operator<<(std::ostream& stream, const Json& json) { return stream << json.dump(); }

}  // namespace treecca

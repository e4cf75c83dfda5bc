#include "support/parameters_document.hpp"

#include <type_traits>

namespace treecca {
namespace {

template <class T>
Document document_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return Document(EnumNames<T>::value.at(static_cast<std::size_t>(value)));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return Document(value);
  } else if (value.is_auto()) {
    return Document("auto");
  } else if constexpr (is_or_auto<T>) {
    return Document(*value.value);
  } else if (value.values.size() == 1) {
    return Document(value.values[0]);
  } else {
    constexpr bool integers = std::is_integral_v<typename decltype(value.values)::value_type>;
    return Document({value.values.begin(), value.values.end()},
                    integers ? Document::Type::int64 : Document::Type::float64);
  }
}

}  // namespace

Document parameters_document(const Parameters& parameters, bool all) {
  Document document = Document::object();
  for_each_parameter([&](const Declaration& declaration, auto member) {
    if (all || declaration.affects_model) {
      document.add(std::string(declaration.name), document_of(parameters.*member));
    }
  });
  return document;
}

Document engine_params_document(const EngineParams& given) {
  Document document = Document::object();
  for (const auto& [name, value] : given) document.add(name, value);
  return document;
}

}  // namespace treecca

#include "treecca/parameters.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <string>
#include <type_traits>

#include "bindings.hpp"
#include "treecca/ssl.hpp"

namespace nb = nanobind;

namespace treecca::python {
namespace {

template <class T>
void describe_type(nb::dict& one) {
  if constexpr (is_or_auto<T>) {
    describe_type<typename decltype(T::value)::value_type>(one);
  } else if constexpr (is_per_view<T>) {
    describe_type<typename decltype(T::values)::value_type>(one);
    one["per_view"] = true;
  } else {
    one["per_view"] = false;
    nb::list choices;
    if constexpr (std::is_enum_v<T>) {
      for (const std::string_view choice : EnumNames<T>::value) choices.append(std::string(choice));
    }
    one["choices"] = choices;
    one["kind"] = std::is_enum_v<T>             ? "choice"
                  : std::is_same_v<T, bool>     ? "boolean"
                  : std::is_floating_point_v<T> ? "number"
                                                : "integer";
  }
}

nb::dict defaults_of(const std::string& name, Parameters (*of_preset)(Preset)) {
  nb::dict defaults;
  const auto& presets = EnumNames<Preset>::value;
  for (std::size_t i = 0; i < presets.size(); ++i) {
    defaults[std::string(presets[i]).c_str()] = to_text(of_preset(static_cast<Preset>(i)), name);
  }
  return defaults;
}

nb::object limit_or_none(double limit) { return std::isfinite(limit) ? nb::cast(limit) : nb::none(); }

nb::list declarations() {
  nb::list all;
  for_each_parameter([&]<class T>(const Declaration& declaration, T Parameters::*) {
    const std::string name(declaration.name);
    nb::dict one;
    one["name"] = name;
    one["help"] = std::string(declaration.help);
    one["details"] = std::string(declaration.details);
    one["ssl_help"] = std::string(declaration.ssl_help.empty() ? declaration.help : declaration.ssl_help);
    describe_type<T>(one);
    one["low"] = limit_or_none(declaration.low);
    one["high"] = limit_or_none(declaration.high);
    one["open_low"] = declaration.open_low;
    one["zero_means"] = std::string(declaration.zero_means);
    one["auto"] = std::string(declaration.auto_help);
    one["in_ssl"] = declaration.in_ssl;
    one["default"] = defaults_of(name, Parameters::of_preset);
    one["ssl_default"] = defaults_of(name, ssl_parameters);
    all.append(one);
  });
  return all;
}

}  // namespace

void bind_parameters(nb::module_& module) {
  module.def(
      "parameter_declarations", declarations, nb::sig("def parameter_declarations() -> list[dict]"),
      "Every parameter in the order of the docs: name, texts, type (kind, choices, per_view), limits (None: no "
      "limit), how \"auto\" is chosen (empty: not allowed), and the default of every preset as text, for TreeCCA "
      "and TreeCCASSL.");
}

}  // namespace treecca::python

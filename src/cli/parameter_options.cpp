#include "cli/parameter_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <type_traits>

namespace treecca::cli {
namespace {

template <class T>
struct IsPerView : std::false_type {};
template <class T>
struct IsPerView<PerView<T>> : std::true_type {};

/// What stands behind the option in the help: {a,b,c} for choices, else the kind of number.
template <class T>
std::string type_label() {
  if constexpr (std::is_same_v<T, bool>) {
    return "{true,false}";
  } else if constexpr (std::is_enum_v<T>) {
    const auto& names = EnumNames<T>::value;
    return fmt::format("{{{}}}", fmt::join(names.begin(), names.end(), ","));
  } else if constexpr (IsPerView<T>::value) {
    using Element = typename decltype(T::values)::value_type;
    return type_label<Element>() + ",...";
  } else if constexpr (std::is_floating_point_v<T>) {
    return "NUMBER";
  } else {
    return "INTEGER";
  }
}

/// The meaning, what is allowed unless the choices already say it, and the default.
std::string help_text(const Declaration& declaration, bool has_choices, const Parameters& defaults) {
  std::string help(declaration.help);
  if (!has_choices) {
    std::string allowed = allowed_values(declaration.name);
    allowed[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(allowed[0])));
    help += ". " + allowed;
  }
  if (declaration.can_be_auto) help += fmt::format(". Auto: {}", declaration.auto_help);
  return fmt::format("{} [{}]", help, to_text(defaults, declaration.name));
}

/// All spellings of a parameter's option, the declared name first among the long ones.
std::string spellings(std::string_view name) {
  std::string all = name == "n_components" ? "-k," : "";
  all += fmt::format("--{}", name);
  std::string dashed(name);
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  if (dashed != name) all += ",--" + dashed;
  if (name == "random_state") all += ",--seed";
  if (name == "n_jobs") all += ",--threads";
  return all;
}

template <class T>
void add_option(CLI::App& verb, ParameterTexts& texts, const Declaration& declaration,
                const Parameters& defaults = {}) {
  const std::string name(declaration.name);
  verb.add_option_function<std::string>(
          spellings(name), [&texts, name](const std::string& text) { texts[name] = text; },
          help_text(declaration, std::is_enum_v<T> || std::is_same_v<T, bool>, defaults))
      ->type_name(type_label<T>())
      ->group("Parameters");
}

}  // namespace

void add_parameter_options(CLI::App& verb, ParameterTexts& texts) { add_parameter_options(verb, texts, {}, {}); }

void add_parameter_options(CLI::App& verb, ParameterTexts& texts, const Parameters& defaults,
                           const std::set<std::string_view>& without) {
  for_each_parameter([&]<class T>(const Declaration& declaration, T Parameters::*) {
    if (!without.contains(declaration.name)) add_option<T>(verb, texts, declaration, defaults);
  });
}

void add_threads_option(CLI::App& verb, ParameterTexts& texts) {
  for_each_parameter([&]<class T>(const Declaration& declaration, T Parameters::*) {
    if (declaration.name == "n_jobs") add_option<T>(verb, texts, declaration);
  });
}

Parameters resolve_parameters(const ParameterTexts& texts, Parameters (*of_preset)(Preset)) {
  const Parameters parameters = parameters_from_texts({texts.begin(), texts.end()}, of_preset);
  validate(parameters);
  return parameters;
}

}  // namespace treecca::cli

#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <type_traits>

#include "support/names.hpp"
#include "treecca/error.hpp"
#include "treecca/ssl.hpp"

namespace treecca::cli {
namespace {

std::string with_underscores(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

/// The number that `read` (strtod, strtoll) finds if it uses the whole text; else empty.
template <class Read>
auto whole_text(const std::string& text, Read read) -> std::optional<decltype(read(nullptr, nullptr))> {
  if (text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const auto value = read(text.c_str(), &end);
  if (end != text.c_str() + text.size() || errno == ERANGE) return std::nullopt;
  return value;
}

std::optional<Index> to_integer(const std::string& text) {
  return whole_text(text, [](const char* begin, char** end) { return Index{std::strtoll(begin, end, 10)}; });
}

std::optional<double> to_number(const std::string& text) {
  return whole_text(text, [](const char* begin, char** end) { return std::strtod(begin, end); });
}

/// Kind, choices and value label of a parameter's option, derived from the type of the member.
template <class T>
void set_type(Option& option) {
  if constexpr (is_or_auto<T>) {
    set_type<typename decltype(T::value)::value_type>(option);
  } else if constexpr (is_per_view<T>) {
    set_type<typename decltype(T::values)::value_type>(option);
    option.value += ",...";
    option.per_view = true;
  } else if constexpr (std::is_same_v<T, bool>) {
    option.kind = Option::Kind::boolean;
    option.choices = {"true", "false"};
  } else if constexpr (std::is_enum_v<T>) {
    option.choices = {EnumNames<T>::value.begin(), EnumNames<T>::value.end()};
  } else {
    option.kind = std::is_floating_point_v<T> ? Option::Kind::number : Option::Kind::integer;
    option.value = std::is_floating_point_v<T> ? "NUM" : "INT";
  }
}

/// `text` with a capital first letter and a full stop; an empty text stays empty.
std::string sentence(std::string_view text) {
  std::string result(text);
  if (result.empty()) return result;
  result[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(result[0])));
  return result + (result.back() == '.' ? "" : ".");
}

/// " Range: 1 to 16."; empty for choices, and for limits so wide that they only stop typing errors.
std::string range_help(const Declaration& declaration) {
  constexpr double kWide = 1000;
  if (declaration.high >= kWide) return "";
  if (declaration.open_low) return fmt::format(" Range: above {} and up to {}.", declaration.low, declaration.high);
  return fmt::format(" Range: {} to {}.", declaration.low, declaration.high);
}

/// The meaning, the range, the meaning of "auto", the default.
std::string parameter_help(const Declaration& declaration, const Parameters& defaults) {
  std::string help = sentence(declaration.help) + range_help(declaration);
  if (declaration.can_be_auto) help += fmt::format(" auto: {}.", declaration.auto_help);
  const std::string usual = to_text(defaults, declaration.name);
  return fmt::format("{} [{}]", help, usual == declaration.zero_means ? "0" : usual);
}

/// The same for one table: "auto" is explained only if it is the default.
std::string ssl_parameter_help(Declaration declaration, const Parameters& defaults) {
  if (!declaration.ssl_help.empty()) declaration.help = declaration.ssl_help;
  declaration.can_be_auto = declaration.can_be_auto && to_text(defaults, declaration.name) == "auto";
  return parameter_help(declaration, defaults);
}

template <class T>
Option parameter_option(const Declaration& declaration, const Parameters& defaults) {
  Option option{.name = std::string(declaration.name), .group = "Parameters", .parameter = true};
  if (option.name == "n_components") option.letter = 'k';
  if (option.name == "random_state") option.alias = "seed";
  if (option.name == "n_jobs") option.alias = "threads";
  set_type<T>(option);
  option.help = parameter_help(declaration, defaults);
  return option;
}

std::vector<Option> parameter_options_where(const Parameters& defaults, bool (*wanted)(const Declaration&)) {
  std::vector<Option> options;
  for_each_parameter([&]<class T>(const Declaration& declaration, T Parameters::*) {
    if (wanted(declaration)) options.push_back(parameter_option<T>(declaration, defaults));
  });
  return options;
}

}  // namespace

std::string Option::value_label() const {
  return choices.empty() ? value : fmt::format("{{{}}}", fmt::join(choices, ","));
}

const Option* find_option(const std::vector<Option>& options, std::string_view word) {
  const std::string name = word.starts_with("--") ? with_underscores(word.substr(2)) : "";
  const char letter = word.size() == 2 && word[0] == '-' ? word[1] : '\0';
  const auto found = std::find_if(options.begin(), options.end(), [&](const Option& option) {
    if (option.positional) return false;
    if (letter != '\0' && letter != '-') return option.letter == letter;
    return !name.empty() && (option.name == name || option.alias == name);
  });
  return found == options.end() ? nullptr : &*found;
}

std::vector<std::string> spellings(const std::vector<Option>& options) {
  std::vector<std::string> names;
  for (const Option& option : options) {
    if (option.positional) continue;
    if (option.letter != 0) names.push_back({'-', option.letter});
    names.push_back("--" + option.name);
    if (!option.alias.empty()) names.push_back("--" + option.alias);
  }
  return names;
}

bool exclude_each_other(const Option& a, const Option& b) { return a.excludes == b.name || b.excludes == a.name; }

void check_value(const Option& option, const std::string& text) {
  if (option.parameter) return;
  const auto refuse = [&](const std::string& allowed, const std::string& hint = "") {
    throw UsageError(fmt::format("{} must be {}, not \"{}\".{}", option.shown_name(), allowed, text, hint));
  };
  if (!option.choices.empty() &&
      std::find(option.choices.begin(), option.choices.end(), text) == option.choices.end()) {
    refuse(fmt::format("one of \"{}\"", fmt::join(option.choices, "\", \"")),
           did_you_mean(text, {option.choices.begin(), option.choices.end()}));
  }
  if (option.kind == Option::Kind::integer && !to_integer(text)) refuse("an integer");
  if (option.kind == Option::Kind::number && !to_number(text)) refuse("a number");
}

Arguments::Arguments(std::string command, std::vector<Option> options)
    : command_(std::move(command)), options_(std::move(options)), values_(options_.size()) {}

std::size_t Arguments::index_of(std::string_view name) const {
  const auto found =
      std::find_if(options_.begin(), options_.end(), [&](const Option& option) { return option.name == name; });
  return static_cast<std::size_t>(found - options_.begin());
}

bool Arguments::declares(std::string_view name) const { return index_of(name) < options_.size(); }

const std::vector<std::string>& Arguments::texts(std::string_view name) const {
  const std::size_t index = index_of(name);
  if (index == options_.size()) throw std::logic_error(fmt::format("{} declares no option {}", command_, name));
  return values_[index];
}

std::string Arguments::text(std::string_view name, std::string fallback) const {
  const std::vector<std::string>& given = texts(name);
  return given.empty() ? std::move(fallback) : given.back();
}

std::optional<Index> Arguments::integer(std::string_view name) const {
  return has(name) ? to_integer(text(name)) : std::nullopt;
}

std::optional<double> Arguments::number(std::string_view name) const {
  return has(name) ? to_number(text(name)) : std::nullopt;
}

ParameterTexts Arguments::parameters() const {
  ParameterTexts given;
  for (std::size_t i = 0; i < options_.size(); ++i) {
    if (options_[i].parameter && !values_[i].empty()) given.emplace_back(options_[i].name, values_[i].back());
  }
  return given;
}

void Arguments::add(const Option& option, std::string text) {
  check_value(option, text);
  values_.at(index_of(option.name)).push_back(std::move(text));
}

std::vector<Option> combined(std::initializer_list<std::vector<Option>> lists) {
  std::vector<Option> all;
  for (const std::vector<Option>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<Option> parameter_options(const Parameters& defaults) {
  return parameter_options_where(defaults, [](const Declaration&) { return true; });
}

std::vector<Option> ssl_parameter_options() {
  const Parameters defaults = ssl_parameters();
  std::vector<Option> options =
      parameter_options_where(defaults, [](const Declaration& declaration) { return declaration.in_ssl; });
  for_each_parameter([&](const Declaration& declaration, auto) {
    for (Option& option : options) {
      if (option.name != declaration.name) continue;
      option.help = ssl_parameter_help(declaration, defaults);
      if (option.per_view) option.value = option.value.substr(0, option.value.find(','));
      option.per_view = false;
    }
  });
  return options;
}

namespace {

/// A parameter of the fit as an option of another command.
Option option_of(std::string_view name) {
  const std::vector<Option> all = parameter_options();
  Option option = *find_option(all, name);
  option.group = Option{}.group;
  return option;
}

}  // namespace

Option threads_option() { return option_of("--n_jobs"); }

Option seed_option() { return option_of("--random_state"); }

Parameters parse_parameters(const ParameterTexts& texts, Index n_views, Parameters (*of_preset)(Preset)) {
  const Parameters parameters = parameters_from_texts(texts, of_preset);
  validate(parameters, n_views);
  return parameters;
}

}  // namespace treecca::cli

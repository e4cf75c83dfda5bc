#include "treecca/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <type_traits>

#include "support/names.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string limit_text(double limit) {
  return limit == std::floor(limit) ? fmt::format("{:.0f}", limit) : fmt::format("{}", limit);
}

// ---- allowed values, as text ----

/// ", 1 to 16", ", above 0 and up to 1" or ", 0 or more". Every number has a lower limit.
std::string range_text(const Declaration& declaration) {
  const std::string low = limit_text(declaration.low);
  if (!std::isfinite(declaration.high)) return fmt::format(", {} or more", low);
  const std::string high = limit_text(declaration.high);
  return declaration.open_low ? fmt::format(", above {} and up to {}", low, high)
                              : fmt::format(", {} to {}", low, high);
}

template <class T>
std::string allowed_text(const Declaration& declaration) {
  if constexpr (is_per_view<T>) {
    using Element = typename decltype(T::values)::value_type;
    return allowed_text<Element>(declaration) + " (one value, or one per view)" +
           (declaration.can_be_auto ? ", or \"auto\"" : "");
  } else if constexpr (is_or_auto<T>) {
    return allowed_text<typename decltype(T::value)::value_type>(declaration) + ", or \"auto\"";
  } else if constexpr (std::is_enum_v<T>) {
    return fmt::format("one of \"{}\"", fmt::join(EnumNames<T>::value, "\", \""));
  } else if constexpr (std::is_same_v<T, bool>) {
    return "true or false";
  } else {
    return (std::is_floating_point_v<T> ? "a number" : "an integer") + range_text(declaration) +
           (declaration.zero_means.empty() ? "" : fmt::format(", or \"{}\" for 0", declaration.zero_means));
  }
}

// ---- one value from text and to text ----

/// The value of a text; empty if the text is not a T. The range is checked elsewhere.
template <class T>
std::optional<T> from_text(const Declaration& declaration, std::string_view text) {
  text = trimmed(text);
  if constexpr (is_per_view<T>) {
    using Element = typename decltype(T::values)::value_type;
    if (text == "auto") return T{};
    T result;
    while (true) {
      const auto comma = text.find(',');
      const std::optional<Element> element = from_text<Element>(declaration, text.substr(0, comma));
      if (!element) return std::nullopt;
      result.values.push_back(*element);
      if (comma == std::string_view::npos) return result;
      text.remove_prefix(comma + 1);
    }
  } else if constexpr (is_or_auto<T>) {
    if (text == "auto") return T{};
    const auto value = from_text<typename decltype(T::value)::value_type>(declaration, text);
    return value ? std::optional<T>(*value) : std::nullopt;
  } else if constexpr (std::is_enum_v<T>) {
    const auto& names = EnumNames<T>::value;
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) return std::nullopt;
    return static_cast<T>(found - names.begin());
  } else if constexpr (std::is_same_v<T, bool>) {
    for (const std::string_view yes : {"true", "yes", "on", "1"}) {
      if (text == yes) return true;
    }
    for (const std::string_view no : {"false", "no", "off", "0"}) {
      if (text == no) return false;
    }
    return std::nullopt;
  } else {
    if (!declaration.zero_means.empty() && text == declaration.zero_means) return T{0};
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
  }
}

template <class T>
std::string text_of(const Declaration& declaration, const T& value) {
  if constexpr (is_per_view<T>) {
    if (value.is_auto()) return "auto";
    std::vector<std::string> texts;
    for (const auto element : value.values) texts.push_back(text_of(declaration, element));
    return fmt::format("{}", fmt::join(texts, ","));
  } else if constexpr (is_or_auto<T>) {
    return value.is_auto() ? "auto" : text_of(declaration, *value.value);
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(EnumNames<T>::value.at(static_cast<std::size_t>(value)));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else {
    if (!declaration.zero_means.empty() && value == T{0}) return std::string(declaration.zero_means);
    return fmt::format("{}", value);
  }
}

// ---- limits ----

template <class T>
bool in_range(const Declaration& declaration, const T& value) {
  if constexpr (is_per_view<T>) {
    if (value.is_auto()) return declaration.can_be_auto;
    return std::all_of(value.values.begin(), value.values.end(),
                       [&](auto element) { return in_range(declaration, element); });
  } else if constexpr (is_or_auto<T>) {
    return value.is_auto() || in_range(declaration, *value.value);
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<std::size_t>(value) < EnumNames<T>::value.size();
  } else if constexpr (std::is_same_v<T, bool>) {
    return true;
  } else {
    const auto number = static_cast<double>(value);
    const bool above = declaration.open_low ? number > declaration.low : number >= declaration.low;
    return std::isfinite(number) && above && number <= declaration.high;
  }
}

template <class T>
[[noreturn]] void refuse(const Declaration& declaration, std::string_view given) {
  std::string hint;
  if constexpr (std::is_enum_v<T>) {
    hint = did_you_mean(given, {EnumNames<T>::value.begin(), EnumNames<T>::value.end()});
  }
  if (std::is_same_v<T, Preset> && given == "default") {
    hint = " What was \"default\" is now \"plain\"; \"auto\" is the default.";
  }
  throw UsageError(
      fmt::format("{} must be {}, not \"{}\".{}", declaration.name, allowed_text<T>(declaration), given, hint));
}

template <class T>
void check_range(const Declaration& declaration, const T& value) {
  if (in_range(declaration, value)) return;
  if constexpr (std::is_enum_v<T>) {
    refuse<T>(declaration, fmt::format("{}", static_cast<int>(value)));
  } else {
    refuse<T>(declaration, text_of(declaration, value));
  }
}

/// Calls use(declaration, member) for the parameter of that name; UsageError if there is none.
template <class Use>
void with_parameter(std::string_view name, Use&& use) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '-', '_');
  bool found = false;
  std::vector<std::string_view> names;
  for_each_parameter([&](const Declaration& declaration, auto member) {
    names.push_back(declaration.name);
    if (declaration.name != wanted) return;
    found = true;
    use(declaration, member);
  });
  if (found) return;
  const std::string hint = did_you_mean(wanted, names);
  throw UsageError(fmt::format("There is no parameter \"{}\".{}", name,
                               hint.empty() ? fmt::format(" The parameters are: {}.", fmt::join(names, ", ")) : hint));
}

}  // namespace

Parameters Parameters::of_preset(Preset preset) {
  Parameters parameters;
  parameters.preset = preset;
  if (preset == Preset::automatic) return parameters;
  parameters.n_repeats = 0;
  parameters.linear = 0.0;
  parameters.cross_fit = 5;
  parameters.n_estimators = 150;
  parameters.learning_rate = 0.1;
  parameters.max_depth = 4;
  parameters.screen = Index{0};
  parameters.sketch = 0;
  parameters.leaf_sweeps = 0;
  parameters.n_oversamples = 0;
  if (preset == Preset::paper) {
    parameters.objective = Objective::ey;
    parameters.trees = Trees::scalar;
    parameters.cross_fit = 0;
    parameters.n_estimators = 500;
    parameters.max_depth = 5;
    parameters.min_child_weight = 5.0;
    parameters.subsample = 0.8;
    parameters.colsample_bytree = 0.8;
    parameters.init_fade = 0;
    parameters.rotate = false;
  }
  return parameters;
}

bool Parameters::screens() const {
  return screen.is_auto() || std::any_of(screen.values.begin(), screen.values.end(), [](Index m) { return m > 0; });
}

void validate(const Parameters& parameters, Index n_views) {
  for_each_parameter([&]<class T>(const Declaration& declaration, T Parameters::*member) {
    const T& value = parameters.*member;
    check_range(declaration, value);
    if constexpr (is_per_view<T>) {
      const auto given = static_cast<Index>(value.values.size());
      if (n_views > 0 && given > 1 && given != n_views) {
        throw UsageError(
            fmt::format("{} has {} values but there are {} views; give one value for all views or one "
                        "for each.",
                        declaration.name, given, n_views));
      }
    }
  });
  if (parameters.cross_fit == 1) {
    throw UsageError(
        "cross_fit must not be 1, because a single fold leaves no rows to learn from. Use 0 (off), or 2 or more "
        "folds.");
  }
  if (parameters.early_stopping_rounds > 0 && parameters.cross_fit == 0) {
    throw UsageError(
        "early_stopping_rounds needs cross-fitting, because it watches the out-of-fold correlations. Set cross_fit to "
        "2 or more, or early_stopping_rounds to 0.");
  }
  if (parameters.cross_fit == 0 && !parameters.n_repeats.is_auto() && parameters.n_repeats > 0) {
    throw UsageError("n_repeats needs cross-fitting inside its parts. Set cross_fit to 2 or more, or n_repeats to 0.");
  }
}

void set_from_text(Parameters& parameters, std::string_view name, std::string_view text) {
  with_parameter(name, [&]<class T>(const Declaration& declaration, T Parameters::*member) {
    const std::optional<T> value = from_text<T>(declaration, text);
    if (!value) refuse<T>(declaration, text);
    check_range(declaration, *value);
    if constexpr (std::is_same_v<T, Preset>) {
      Parameters of_preset = Parameters::of_preset(*value);
      of_preset.n_components = parameters.n_components;
      of_preset.n_jobs = parameters.n_jobs;
      of_preset.random_state = parameters.random_state;
      parameters = of_preset;
    } else {
      parameters.*member = *value;
    }
  });
}

Parameters parameters_from_texts(const ParameterTexts& texts, Parameters (*of_preset)(Preset)) {
  Parameters chosen;
  for (const auto& [name, text] : texts) {
    if (name == "preset") set_from_text(chosen, name, text);
  }
  const auto with_texts = [&](Parameters parameters) {
    for (const auto& [name, text] : texts) {
      if (name != "preset") set_from_text(parameters, name, text);
    }
    return parameters;
  };
  Parameters start = of_preset(chosen.preset);
  if (!with_texts(start).rotate) start.n_oversamples = 0;  // extra components are only useful with a rotation
  return with_texts(start);
}

std::string to_text(const Parameters& parameters, std::string_view name) {
  std::string text;
  with_parameter(name,
                 [&](const Declaration& declaration, auto member) { text = text_of(declaration, parameters.*member); });
  return text;
}

std::string allowed_values(std::string_view name) {
  std::string text;
  with_parameter(
      name, [&]<class T>(const Declaration& declaration, T Parameters::*) { text = allowed_text<T>(declaration); });
  return text;
}

namespace {

/// The parameters to try first.
constexpr std::array<std::string_view, 6> kFirst{"n_components", "preset", "n_estimators",
                                                 "max_depth",    "screen", "random_state"};

std::string meaning_of(const Declaration& declaration) {
  std::string meaning(declaration.help);
  if (declaration.can_be_auto) meaning += fmt::format(". auto: {}", declaration.auto_help);
  return meaning;
}

/// The default of the Python classes.
std::string python_default(std::string_view name, const std::string& usual) {
  if (name == "n_components") return usual;
  if (name == "preset") return fmt::format("\"{}\"", usual);
  return name == "random_state" ? "None: a new seed" : "None";
}

}  // namespace

std::string parameter_reference_markdown() {
  const Parameters plain = Parameters::of_preset(Preset::plain);
  const Parameters paper = Parameters::of_preset(Preset::paper);
  std::string text =
      "# Parameters\n\n"
      "The names are the same in Python, in C++, on the command line (`--max_depth 3` or `--max-depth 3`) and in\n"
      "config files.\n\n"
      "## The parameters to try first\n\n"
      "| parameter | default | Python default | meaning |\n"
      "|---|---|---|---|\n";
  for (const std::string_view first : kFirst) {
    with_parameter(first, [&](const Declaration& declaration, auto member) {
      const std::string usual = text_of(declaration, Parameters().*member);
      text +=
          fmt::format("| `{}` | {} | {} | {} |\n", first, usual, python_default(first, usual), meaning_of(declaration));
    });
  }
  text +=
      "\nIn Python None means the default of the preset, except for `random_state`: None draws a new seed for every\n"
      "fit. Give an integer to repeat a fit. On the command line and in C++ the seed is 0 unless you set it.\n\n"
      "## All parameters\n\n"
      "The columns \"plain\" and \"paper\" have the values of `preset = plain` and `preset = paper` that differ from\n"
      "the default. Python's defaults are None, but for `n_components` and `preset`.\n\n"
      "| parameter | default | plain | paper | allowed | meaning |\n"
      "|---|---|---|---|---|---|\n";
  for_each_parameter([&]<class T>(const Declaration& declaration, T Parameters::*member) {
    const std::string usual = text_of(declaration, Parameters().*member);
    const auto if_other = [&](const Parameters& parameters) {
      const std::string own = text_of(declaration, parameters.*member);
      return own == usual ? "" : own;
    };
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", declaration.name, usual, if_other(plain),
                        if_other(paper), allowed_text<T>(declaration), meaning_of(declaration));
  });
  return text;
}

}  // namespace treecca

#include "cli/help.hpp"

#include <fmt/format.h>

#include "cli/option_names.hpp"
#include "cli/text.hpp"

namespace treecca::cli {
namespace {

constexpr int kNameColumns = 28;

/// A name in the left column and its description, wrapped, in the right one.
std::string two_columns(const std::string& name, const std::string& description) {
  std::string right = wrapped(description, kNameColumns);
  if (right.empty()) right = "\n";
  const std::string left = "  " + name;
  if (left.size() + 1 > kNameColumns) return left + "\n" + right;
  right.replace(0, std::min<std::size_t>(right.size() - 1, kNameColumns),
                left + std::string(kNameColumns - left.size(), ' '));
  return right;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string help = CLI::Formatter::make_help(app, name, mode);
  for (std::size_t at = 0; (at = help.find("\n\n\n", at)) != std::string::npos;) help.erase(at, 1);
  return help;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string name =
      is_positional ? option->get_name(true, false) : fmt::format("{}", fmt::join(shown_names(*option), ", "));
  const bool takes_value = option->get_items_expected_max() > 0;
  if (!is_positional && takes_value) name += " " + option->get_type_name();
  if (is_positional && option->get_type_name().starts_with('{')) name += " " + option->get_type_name();
  return two_columns(name, option->get_description());
}

std::string HelpFormatter::make_subcommand(const CLI::App* verb) const {
  return two_columns(verb->get_name(), verb->get_description());
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  if (app->get_parent() == nullptr) return fmt::format("Usage: {} VERB [OPTIONS]\n", name);
  std::string usage = "Usage: " + name;
  for (const CLI::Option* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
    usage += " " + option->get_name(true, false);
  }
  return usage + " [OPTIONS]\n";
}

}  // namespace treecca::cli

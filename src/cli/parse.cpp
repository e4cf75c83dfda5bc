#include "cli/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "cli/config_file.hpp"
#include "report/text.hpp"
#include "support/names.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

constexpr std::size_t kNameColumns = 31;
constexpr std::string_view kTableEndings[] = {".csv", ".tsv", ".tab", ".txt", ".npy", ".gz"};

Option help_option() {
  return {.name = "help", .letter = 'h', .kind = Option::Kind::flag, .help = "Print this help and exit."};
}

bool looks_like_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

/// An option split into its parts, from "--out=run" or "-k3".
struct OptionWord {
  std::string name;
  std::optional<std::string> value = {};
};

OptionWord split_word(const std::string& word) {
  const std::size_t end = word.starts_with("--") ? std::min(word.find('='), word.size()) : 2;
  OptionWord split{word.substr(0, end)};
  if (end < word.size()) split.value = word.substr(end + (word[end] == '=' ? 1 : 0));
  return split;
}

std::string see_help(const Verb& verb) { return fmt::format("See treecca {} --help.", verb.name); }

/// Parses words in order into arguments.
class Reader {
 public:
  Reader(const Verb& verb, const std::vector<std::string>& words)
      : verb_(verb), words_(words), arguments_(verb.name, verb.options) {}

  Arguments read() {
    bool options_ended = false;
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (options_ended || !looks_like_option(word)) {
        others_.push_back(word);
      } else if (word == "--") {
        options_ended = true;
      } else {
        read_option(word);
      }
    }
    place_others();
    check_conflicts();
    if (arguments_.declares("config") && arguments_.has("config")) {
      apply_config_file(arguments_, arguments_.text("config"));
    }
    check_required();
    return std::move(arguments_);
  }

 private:
  void read_option(const std::string& word) {
    auto [name, value] = split_word(word);
    const Option* option = find_option(verb_.options, name);
    if (option == nullptr) {
      std::vector<std::string> known = spellings(verb_.options);
      known.emplace_back("--help");
      refuse_option(word, known, "treecca " + verb_.name);
    }
    if (!option->takes_value()) {
      if (value && *value != "true" && *value != "false") throw UsageError(fmt::format("{} takes no value.", name));
      if (value != "false") arguments_.add(*option, "true");
      return;
    }
    if (value && value->empty()) refuse_no_value(name, *option);
    if (!option->repeats && arguments_.has(option->name)) {
      throw UsageError(fmt::format("{} is given more than once. Give it once.", option->shown_name()));
    }
    arguments_.add(*option, value ? *value : next_word(name, *option));
  }

  std::string next_word(const std::string& name, const Option& option) {
    if (at_ + 1 == words_.size()) refuse_no_value(name, option);
    const std::string& next = words_[++at_];
    const std::string spelling = next.substr(0, next.find('='));
    if (find_option(verb_.options, spelling) != nullptr) {
      refuse_no_value(name, option, fmt::format(", but {} follows it", spelling));
    }
    return next;
  }

  [[noreturn]] void refuse_no_value(const std::string& name, const Option& option, std::string_view reason = "") const {
    throw UsageError(fmt::format("{} needs a value ({}){}.", name, option.value_label(), reason));
  }

  /// Assigns the remaining words to the positional arguments.
  void place_others() {
    std::size_t used = 0;
    for (const Option& option : verb_.options) {
      if (option.positional && used < others_.size()) arguments_.add(option, others_[used++]);
    }
    if (used == others_.size()) return;
    const std::vector<std::string> surplus(others_.begin() + static_cast<std::ptrdiff_t>(used), others_.end());
    throw UsageError(
        fmt::format("Unexpected argument \"{}\".{} {}", surplus.front(), view_hint(surplus), see_help(verb_)));
  }

  /// " Did you mean --view a.csv --view b.csv?" for words that look like tables, if the command reads several.
  std::string view_hint(const std::vector<std::string>& surplus) const {
    const Option* view = find_option(verb_.options, "--view");
    if (view == nullptr || !view->repeats) return "";
    std::string hint;
    for (const std::string& word : surplus) {
      const bool is_table = std::any_of(std::begin(kTableEndings), std::end(kTableEndings),
                                        [&](std::string_view ending) { return word.ends_with(ending); });
      if (is_table) hint += " --view " + word;
    }
    return hint.empty() ? "" : fmt::format(" Did you mean{}?", hint);
  }

  void check_conflicts() const {
    for (const Option& option : verb_.options) {
      if (option.excludes.empty() || !arguments_.has(option.name) || !arguments_.has(option.excludes)) continue;
      throw UsageError(
          fmt::format("--{} and --{} exclude each other. Give one of them.", option.excludes, option.name));
    }
  }

  void check_required() const {
    for (const Option& option : verb_.options) {
      if (!option.required || arguments_.has(option.name)) continue;
      throw UsageError(fmt::format("{} needs {}{}. {}", verb_.name, option.shown_name(),
                                   option.positional ? "" : " " + option.value_label(), see_help(verb_)));
    }
  }

  const Verb& verb_;
  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  std::vector<std::string> others_;
  Arguments arguments_;
};

/// A name in the left column and its description, wrapped, in the right one.
std::string two_columns(const std::string& name, const std::string& description) {
  const std::string left = "  " + name;
  std::string right = wrapped(description, static_cast<int>(kNameColumns));
  if (left.size() + 1 > kNameColumns) return left + "\n" + right;
  right.replace(0, kNameColumns, left + std::string(kNameColumns - left.size(), ' '));
  return right;
}

std::string option_help(const Option& option) {
  if (option.positional) return two_columns(option.name, option.help);
  const std::string value = option.takes_value() ? " " + option.value_label() : "";
  return two_columns(fmt::format("{}{}", fmt::join(spellings({option}), ", "), value), option.help);
}

/// The options under their headings, in the order in which a heading first appears.
std::string grouped_help(const std::vector<Option>& options) {
  std::vector<std::string> groups;
  for (const Option& option : options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  std::string help;
  for (const std::string& group : groups) {
    help += fmt::format("\n{}:\n", group);
    for (const Option& option : options) {
      if (option.group == group) help += option_help(option);
    }
  }
  return help;
}

}  // namespace

const Verb& find_verb(const std::vector<Verb>& verbs, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  const std::string hint = did_you_mean(name, names);
  throw UsageError(fmt::format("Unknown command \"{}\".{}", name,
                               hint.empty() ? fmt::format(" Commands: {}.", fmt::join(names, ", ")) : hint));
}

Arguments parse_arguments(const Verb& verb, const std::vector<std::string>& words) {
  return Reader(verb, words).read();
}

bool asks_for_help(const std::vector<std::string>& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end, [](const std::string& word) { return word == "-h" || word == "--help"; });
}

void refuse_option(const std::string& word, const std::vector<std::string>& known, const std::string& of) {
  const std::string name = word.substr(0, word.find('='));
  const std::string hint = did_you_mean(name, {known.begin(), known.end()});
  throw UsageError(fmt::format("Unknown option \"{}\".{} See {} --help.", name, hint, of));
}

std::string program_help(const std::vector<Verb>& verbs) {
  std::string help =
      "TreeCCA: nonlinear canonical correlation analysis with gradient-boosted trees.\n"
      "Usage: treecca COMMAND [OPTIONS]\n" +
      grouped_help(
          {{.name = "version", .kind = Option::Kind::flag, .help = "Print the version and exit."}, help_option()}) +
      "\nCommands:\n";
  for (const Verb& verb : verbs) help += two_columns(verb.name, verb.help);
  return help +
         "\nExamples:\n"
         "  treecca demo\n"
         "  treecca fit --view rna=rna.csv --view prot=prot.tsv -k 3 --out run/\n"
         "  treecca transform run/model.json --view rna=new.csv --out z.csv\n\n"
         "`treecca COMMAND --help` lists the options of a command.\n";
}

std::string usage_line(const Verb& verb) {
  std::string usage = "treecca " + verb.name;
  for (const Option& option : verb.options) {
    if (option.positional) usage += " " + option.name;
  }
  return usage + " [OPTIONS]";
}

std::string verb_help(const Verb& verb) {
  std::string help = fmt::format("{}\nUsage: {}\n", verb.help, usage_line(verb)) +
                     grouped_help(combined({verb.options, {help_option()}}));
  if (!verb.files.empty()) help += "\nFiles in the folder of --out:\n";
  for (const WrittenFile& file : verb.files) help += two_columns(file.name, file.content);
  return help + (verb.footer.empty() ? "" : "\n" + verb.footer + "\n");
}

}  // namespace treecca::cli

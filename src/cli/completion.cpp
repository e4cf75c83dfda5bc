// treecca completion: shell scripts made from the program's own tree of verbs and options, so they
// cannot go stale.
#include <fmt/format.h>

#include <memory>

#include "cli/option_names.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

enum class Value { none, other, file, folder, choice };

/// What may follow an option (or stand in a positional place), by its type name.
struct Completion {
  Value value = Value::none;
  std::string choices;  // separated by blanks
};

Completion completion_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  if (type.ends_with("FILE")) return {Value::file, ""};
  if (type.ends_with("DIR")) return {Value::folder, ""};
  if (type.starts_with('{') && type.ends_with('}')) {
    std::string choices = type.substr(1, type.size() - 2);
    std::replace(choices.begin(), choices.end(), ',', ' ');
    return {Value::choice, choices};
  }
  return {Value::other, ""};
}

std::vector<const CLI::App*> verbs_of(const CLI::App& app) { return app.get_subcommands({}); }

std::vector<const CLI::Option*> named_options(const CLI::App& verb) {
  return verb.get_options([](const CLI::Option* option) { return option->nonpositional(); });
}

std::vector<const CLI::Option*> positionals(const CLI::App& verb) {
  return verb.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::string all_shown_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : named_options(verb)) {
    for (const std::string& name : shown_names(*option)) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs_of(app)) names.push_back(verb->get_name());
  return fmt::format("{}", fmt::join(names, " "));
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// ---- bash ----

std::string bash_action(const Completion& completion) {
  switch (completion.value) {
    case Value::file:
      return "_treecca_files -f";
    case Value::folder:
      return "_treecca_files -d";
    case Value::choice:
      return fmt::format("_treecca_words \"{}\"", completion.choices);
    default:
      return ":";
  }
}

std::string bash_script(const CLI::App& app) {
  std::string cases;
  std::string words;
  for (const CLI::App* verb : verbs_of(app)) {
    for (const CLI::Option* option : named_options(*verb)) {
      const Completion completion = completion_of(*option);
      if (completion.value == Value::none) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option_names(*option)) patterns.push_back(verb->get_name() + ":" + name);
      cases += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), bash_action(completion));
    }
    const auto places = positionals(*verb);
    const std::string options = fmt::format("_treecca_words \"{}\"", all_shown_names(*verb));
    words += places.empty() ? fmt::format("    {}) {} ;;\n", verb->get_name(), options)
                            : fmt::format("    {}) if [[ $cur == -* ]]; then {}; else {}; fi ;;\n", verb->get_name(),
                                          options, bash_action(completion_of(*places.front())));
  }
  return fmt::format(
      R"(# Completion of treecca for bash. For this shell: source <(treecca completion bash)
_treecca_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }}
_treecca_files() {{
  mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
  compopt -o filenames 2>/dev/null || true
}}
_treecca() {{
  local at=$((COMP_CWORD - 1))
  local cur="${{COMP_WORDS[at+1]}}" prev="${{COMP_WORDS[at]}}"
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    _treecca_words "{} {}"
    return
  fi
  # "name=file" arrives in three words; what counts is the option before them.
  if [[ $cur == "=" ]]; then
    cur=""
    [[ $prev == -* ]] || prev="${{COMP_WORDS[at-1]}}"
  elif [[ $prev == "=" ]]; then
    prev="${{COMP_WORDS[at-1]}}"
    [[ $prev == -* ]] || prev="${{COMP_WORDS[at-2]}}"
  fi
  case "${{COMP_WORDS[1]}}:$prev" in
{}  esac
  case "${{COMP_WORDS[1]}}" in
{}  esac
}}
complete -F _treecca treecca
)",
      verb_names(app), all_shown_names(app), cases, words);
}

// ---- zsh ----

std::string zsh_text(const std::string& text) {
  std::string out = replaced(text, "\\", "\\\\");
  for (const std::string_view special : {"[", "]", ":"}) out = replaced(out, special, fmt::format("\\{}", special));
  return replaced(out, "'", "'\\''");
}

std::string zsh_argument(const CLI::Option& option) {
  const Completion completion = completion_of(option);
  if (completion.value == Value::none) return "";
  const std::string action = completion.value == Value::file     ? "_files"
                             : completion.value == Value::folder ? "_files -/"
                             : completion.value == Value::choice ? "(" + completion.choices + ")"
                                                                 : " ";
  return fmt::format(":{}:{}", zsh_text(option.get_type_name()), action);
}

std::string zsh_script(const CLI::App& app) {
  std::string list;
  std::string cases;
  for (const CLI::App* verb : verbs_of(app)) {
    list += fmt::format("    '{}:{}'\n", verb->get_name(), zsh_text(verb->get_description()));
    cases += fmt::format("    {})\n      _arguments", verb->get_name());
    for (const CLI::Option* option : named_options(*verb)) {
      const bool repeats = option->get_items_expected_max() > 1;
      for (const std::string& name : shown_names(*option)) {
        cases += fmt::format(" \\\n        '{}{}[{}]{}'", repeats ? "*" : "", name, zsh_text(option->get_description()),
                             zsh_argument(*option));
      }
    }
    for (const CLI::Option* option : positionals(*verb))
      cases += fmt::format(" \\\n        '{}'", zsh_argument(*option));
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef treecca
# Completion of treecca for zsh. For this shell: source <(treecca completion zsh)
_treecca() {{
  local -a verbs
  verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{}  esac
}}
if [[ $funcstack[1] == _treecca ]]; then
  _treecca "$@"
else
  compdef _treecca treecca
fi
)",
                     list, cases);
}

// ---- fish ----

std::string fish_text(const std::string& text) { return replaced(replaced(text, "\\", "\\\\"), "'", "\\'"); }

std::string fish_argument(const Completion& completion) {
  switch (completion.value) {
    case Value::none:
      return "";
    case Value::file:
      return " -r -F";
    case Value::folder:
      return " -x -a '(__fish_complete_directories)'";
    case Value::choice:
      return fmt::format(" -x -a '{}'", completion.choices);
    case Value::other:
      return " -x";
  }
  return "";
}

std::string fish_script(const CLI::App& app) {
  std::string script =
      "# Completion of treecca for fish. For this shell: treecca completion fish | "
      "source\ncomplete -c treecca -f\n";
  for (const CLI::App* verb : verbs_of(app)) {
    script += fmt::format("complete -c treecca -n __fish_use_subcommand -a {} -d '{}'\n", verb->get_name(),
                          fish_text(verb->get_description()));
    const std::string after = fmt::format("complete -c treecca -n '__fish_seen_subcommand_from {}'", verb->get_name());
    for (const CLI::Option* option : named_options(*verb)) {
      script += after;
      for (const std::string& name : shown_names(*option)) {
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      script +=
          fmt::format("{} -d '{}'\n", fish_argument(completion_of(*option)), fish_text(option->get_description()));
    }
    for (const CLI::Option* option : positionals(*verb)) {
      const Completion completion = completion_of(*option);
      script += after + (completion.value == Value::file ? " -F" : fish_argument(completion)) + "\n";
    }
  }
  return script;
}

void run(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") {
    print("{}", bash_script(app));
  } else if (shell == "zsh") {
    print("{}", zsh_script(app));
  } else if (shell == "fish") {
    print("{}", fish_script(app));
  } else {
    throw UsageError(fmt::format("There is completion for bash, zsh and fish, not for \"{}\".", shell));
  }
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("completion", "Print a completion script for a shell");
  const auto shell = std::make_shared<std::string>();
  verb->add_option("SHELL", *shell, "the shell to complete in")->type_name("{bash,zsh,fish}")->required();
  verb->footer("Example, in ~/.bashrc:\n  source <(treecca completion bash)");
  verb->callback([&app, shell] { run(app, *shell); });
}

}  // namespace treecca::cli

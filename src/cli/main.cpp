// The program `treecca`: parses the command line, runs one verb, turns failures into a message and
// an exit code.
//
// Exit codes: 0 success, 1 a run that failed (data, files, models, Ctrl-C, memory), 2 wrong usage.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string_view>

#include "cli/help.hpp"
#include "cli/option_names.hpp"
#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "treecca/error.hpp"
#include "treecca/version.hpp"

namespace treecca::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;
constexpr std::string_view kTableEndings[] = {".csv", ".tsv", ".tab", ".txt", ".npy", ".gz"};

int fail(int code, const std::string& message) {
  print_message(fmt::format("treecca: error: {}\n", printable(message)));
  return code;
}

void build(CLI::App& app) {
  app.name("treecca");
  app.description("TreeCCA: nonlinear canonical correlation analysis with gradient-boosted trees.");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", fmt::format("treecca {}", version), "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(0, 1);
  add_demo(app);
  add_fit(app);
  add_cv(app);
  add_ssl(app);
  add_transform(app);
  add_score(app);
  add_importance(app);
  add_inspect(app);
  add_convert(app);
  add_export(app);
  for (CLI::App* verb : app.get_subcommands({})) verb->group("Verbs");
  app.footer(
      "Examples:\n"
      "  treecca demo\n"
      "  treecca fit --view rna=rna.csv --view prot=prot.tsv -k 3 --out run/\n"
      "  treecca transform run/model.json --view rna=new.csv --out z.csv\n\n"
      "`treecca VERB --help` lists the options of a verb.");
}

/// The first word must be a verb, and no option may be taken for the value of another ("--out
/// --json").
void check_words(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return;
  std::vector<std::string> verbs;
  const CLI::App* verb = nullptr;
  for (const CLI::App* candidate : app.get_subcommands({})) {
    verbs.push_back(candidate->get_name());
    if (verbs.back() == words.front()) verb = candidate;
  }
  if (verb == nullptr) {
    const std::string hint = suggestion(words.front(), verbs);
    throw UsageError(fmt::format("There is no verb \"{}\".{}", words.front(),
                                 hint.empty() ? fmt::format(" There are: {}.", fmt::join(verbs, ", ")) : hint));
  }
  const auto option_at = [&](std::size_t i) {
    return words[i].starts_with('-') ? verb->get_option_no_throw(words[i]) : nullptr;
  };
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const CLI::Option* option = option_at(i);
    if (option != nullptr && option->get_items_expected_max() > 0 && option_at(i + 1) != nullptr) {
      throw UsageError(fmt::format("{} needs a value, but {} follows it.", words[i], words[i + 1]));
    }
  }
}

/// " Did you mean --view a.csv --view b.csv?" for the words that look like tables, where the verb
/// reads some.
std::string view_hint(const CLI::App& verb, const std::vector<std::string>& words) {
  const CLI::Option* view = verb.get_option_no_throw("--view");
  if (view == nullptr || view->get_items_expected_max() < 2) return "";
  std::string hint;
  for (const std::string& word : words) {
    const bool is_table = std::any_of(std::begin(kTableEndings), std::end(kTableEndings),
                                      [&](std::string_view ending) { return word.ends_with(ending); });
    if (is_table && !word.starts_with('-')) hint += " --view " + word;
  }
  return hint.empty() ? "" : fmt::format(" Did you mean{}?", hint);
}

/// What the parser has to say, with a suggestion for a mistyped option.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& verb = chosen.empty() ? app : *chosen.front();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> words = app.remaining(true);
    for (std::string word : words) {
      const bool is_option = word.starts_with('-');
      if (is_option) word = word.substr(0, word.find('='));
      const std::string verb_name = &verb == &app ? "treecca" : "treecca " + verb.get_name();
      return fmt::format("{} knows no {} \"{}\".{} See {} --help.", verb_name, is_option ? "option" : "argument", word,
                         is_option ? suggestion(word, option_names(verb)) : view_hint(verb, words), verb_name);
    }
  }
  std::string text = error.what();
  return text + (text.ends_with('.') ? "" : ".");
}

int run(int argc, char** argv) {
  CLI::App app;
  build(app);
  try {
    check_words(app, {argv + std::min(argc, 1), argv + argc});
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) print("{}", app.help());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return fail(kWrongUsage, usage_message(app, error));
    app.exit(error);  // --help and --version
  }
  std::cout.flush();
  flush_stdout();
  return 0;
}

}  // namespace
}  // namespace treecca::cli

int main(int argc, char** argv) {
  using namespace treecca;
  using namespace treecca::cli;
  occupy_standard_streams();
  install_signal_handlers();
  try {
    return run(argc, argv);
  } catch (const UsageError& error) {
    return fail(kWrongUsage, error.what());
  } catch (const Interrupted&) {
    print_message("treecca: stopped\n");
    return kFailed;
  } catch (const std::bad_alloc&) {
    return fail(kFailed, "There is not enough memory.");
  } catch (const std::exception& error) {
    return fail(kFailed, error.what());
  }
}

// docs/cli.md is made from the commands and their options. To write it: make docs (this test with
// TREECCA_UPDATE_DOCS=1).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/parse.hpp"
#include "cli/verbs.hpp"

namespace treecca::cli {
namespace {

const std::string kPage = TREECCA_SOURCE_DIR "/docs/cli.md";

constexpr std::string_view kHead =
    R"(# Command line

Written by `make docs` from the program's own help: `treecca --help` lists the commands, `treecca COMMAND --help` the
options of one.

```console
$ treecca fit --view rna=rna.csv --view prot=prot.tsv -k 3 --out run/
$ treecca transform run/model.json --view rna=new.csv --out z.csv
```

- An option takes its value after a blank or an equals sign: `--max_depth 3`, `--max_depth=3`, `-k3`. Dashes and
  underscores in names are the same. `--` ends the options.
- `INT` is an integer, `NUM` a number; `INT,...` and `NUM,...` are one value, or one per view. The default is in brackets.
- Options can be in a TOML file, which `--config` names. Options on the command line take precedence.
- Results go to standard output and to the folder of `--out`; warnings, errors and progress go to standard error.
  Progress is shown on terminals only. Files appear complete or not at all.
- [input.md](input.md) describes the tables that are read, [parameters.md](parameters.md) the parameters of a fit.

**Exit codes**

| code | meaning |
|---|---|
| 0 | success |
| 1 | failed run: data, files, models, memory, Ctrl-C |
| 2 | wrong usage: an unknown command or option, a value that is not allowed |
)";

/// Running text as Markdown.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '*' || c == '_') result += '\\';
    result += c == '<' ? "&lt;" : std::string(1, c);
  }
  return result;
}

bool same(const Option& a, const Option& b) {
  return a.name == b.name && a.help == b.help && a.value_label() == b.value_label() && a.group == b.group;
}

std::string code_of(const Option& option) {
  if (option.positional) return "`" + option.name + "`";
  const std::string value = option.takes_value() ? " " + option.value_label() : "";
  return fmt::format("`{}{}`", fmt::join(spellings({option}), "`, `"), value);
}

std::string group_text(const Verb& verb, const std::string& group, const std::vector<Option>& of_fit) {
  std::string own;
  std::vector<std::string> as_in_fit;
  for (const Option& option : verb.options) {
    if (option.group != group) continue;
    const bool repeated = verb.name != "fit" && std::any_of(of_fit.begin(), of_fit.end(),
                                                            [&](const Option& other) { return same(option, other); });
    if (repeated) {
      as_in_fit.push_back("`" + option.shown_name() + "`");
    } else {
      own += fmt::format("- {}: {}\n", code_of(option), escaped(option.help));
    }
  }
  std::string text = fmt::format("\n**{}**\n\n{}", group, own);
  if (!as_in_fit.empty()) text += fmt::format("- As in [fit](#fit): {}\n", fmt::join(as_in_fit, ", "));
  return text;
}

std::string verb_text(const Verb& verb, const std::vector<Option>& of_fit) {
  std::string text = fmt::format("\n## {}\n\n{}.\n\n```text\n{}\n```\n", verb.name, verb.help, usage_line(verb));
  std::vector<std::string> groups;
  for (const Option& option : verb.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  for (const std::string& group : groups) text += group_text(verb, group, of_fit);
  if (!verb.files.empty()) text += "\n**Files in the folder of `--out`**\n\n| file | content |\n|---|---|\n";
  for (const WrittenFile& file : verb.files) text += fmt::format("| `{}` | {} |\n", file.name, escaped(file.content));
  const std::size_t example = verb.footer.find("Example:\n");
  if (example == std::string::npos) return text;
  std::string lines = verb.footer.substr(example + std::string_view("Example:\n").size());
  for (std::size_t at = 0; (at = lines.find("  treecca", at)) != std::string::npos;) lines.replace(at, 2, "$ ");
  return text + fmt::format("\n```console\n{}\n```\n", lines);
}

std::string cli_reference_markdown() {
  const std::vector<Verb> verbs = all_verbs();
  std::string text(kHead);
  text += "\n| command | purpose |\n|---|---|\n";
  for (const Verb& verb : verbs) text += fmt::format("| [{0}](#{0}) | {1} |\n", verb.name, escaped(verb.help));
  const std::vector<Option> of_fit = fit_verb().options;
  for (const Verb& verb : verbs) text += verb_text(verb, of_fit);
  return text;
}

std::string read_page() {
  std::ifstream stream(kPage, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(CliReference, PageEqualsHelp) {
  const char* update = std::getenv("TREECCA_UPDATE_DOCS");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(kPage, std::ios::binary) << cli_reference_markdown();
  }
  EXPECT_EQ(read_page(), cli_reference_markdown()) << "Run `make docs` to write " << kPage << ".";
}

}  // namespace
}  // namespace treecca::cli

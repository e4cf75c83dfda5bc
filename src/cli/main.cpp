// The program `treecca`: parses the command line, runs one command, turns errors into a message and an exit code.
//
// Exit codes: 0 success, 1 failure (data, files, models, Ctrl-C, memory), 2 wrong usage.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "cli/parse.hpp"
#include "cli/stop.hpp"
#include "cli/verbs.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/version.hpp"

namespace treecca::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

int fail(int code, const std::string& message) {
  print_message(fmt::format("treecca: error: {}\n", printable(message)));
  return code;
}

void run(const std::vector<std::string>& words) {
  const std::vector<Verb> verbs = all_verbs();
  if (words.empty() || words.front() == "-h" || words.front() == "--help") {
    print("{}", program_help(verbs));
  } else if (words.front() == "--version") {
    print("treecca {}\n", version);
  } else if (words.front().starts_with('-')) {
    refuse_option(words.front(), {"--help", "--version"}, "treecca");
  } else {
    const Verb& verb = find_verb(verbs, words.front());
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    if (asks_for_help(rest)) {
      print("{}", verb_help(verb));
    } else {
      verb.run(parse_arguments(verb, rest));
    }
  }
  flush_stdout();
}

}  // namespace
}  // namespace treecca::cli

int main(int argc, char** argv) {
  using namespace treecca;
  using namespace treecca::cli;
  occupy_standard_streams();
  install_signal_handlers();
  try {
    run({argv + std::min(argc, 1), argv + argc});
    return 0;
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

// Runs the real program as a child process, and gives it files to work on (in a Workspace).
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "helpers/workspace.hpp"

namespace treecca {

struct CliResult {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  std::string out;
  std::string err;
};

struct CliOptions {
  std::vector<std::pair<std::string, std::string>> environment = {};
  long greatest_file = -1;       // bytes a file may grow to, as on a full disk; -1 = no limit
  std::string stdout_path = {};  // instead of being captured
  std::vector<int> closed = {};  // standard streams that the program finds closed
  /// If set, stderr is a terminal. Called after every piece with all output so far; a return value other than 0 is sent
  /// to the child as a signal.
  std::function<int(const std::string&)> on_terminal = {};
};

/// Runs `treecca` with the arguments and waits for its end.
CliResult run_cli(const std::vector<std::string>& arguments, const CliOptions& options = {});

/// Expects this exit code, one line of error that contains all `parts`, and nothing on stdout.
void expect_failure(const CliResult& result, int exit_code, std::initializer_list<std::string> parts);

/// The lines of a CSV, split at commas; no quoted cells.
std::vector<std::vector<std::string>> csv_rows(const std::string& text);

/// Regular expressions: whether the whole text matches; the text with all matches replaced.
bool matches(const std::string& text, const std::string& pattern);
std::string replaced(const std::string& text, const std::string& pattern, const std::string& with);

inline constexpr int kSamples = 200;

/// Writes a.csv and b.csv: two small views with ids s1, s2, ... that share one variable. Rows of b are in reverse
/// order.
void write_two_views(const Workspace& space, int samples = kSamples);

/// Writes d/view1.csv and d/view2.csv: the tables of `treecca demo`.
void write_demo_views(const Workspace& space);

/// The words of a quick fit of the two small views, followed by `more`.
std::vector<std::string> fit_arguments(const Workspace& space, std::initializer_list<std::string> more = {});

}  // namespace treecca

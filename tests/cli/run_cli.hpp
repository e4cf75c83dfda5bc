// Runs the real program as a child process, and gives it files to work on.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace treecca {

inline std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

/// A folder that is removed at the end of its life.
class Workspace {
 public:
  Workspace() {
    std::string name = (std::filesystem::temp_directory_path() / "treecca_cli_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~Workspace() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& bytes) const {
    write_bytes(file(name), bytes);
    return file(name);
  }
  /// Everything below, hidden files included.
  std::set<std::string> contents() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      names.insert(std::filesystem::relative(entry.path(), path_).string());
    }
    return names;
  }

 private:
  std::string path_;
};

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
  /// When given, stderr is a terminal; called with all that was shown so far, after every piece;
  /// what it returns is sent to the child as a signal (0 = none).
  std::function<int(const std::string&)> on_terminal = {};
};

/// Runs `treecca` with the arguments and waits for its end.
inline CliResult run_cli(const std::vector<std::string>& arguments, const CliOptions& options = {}) {
  const Workspace capture;
  const std::string out_path = options.stdout_path.empty() ? capture.write("out", "") : options.stdout_path;
  const std::string err_path = capture.write("err", "");
  std::vector<std::string> words{TREECCA_CLI};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int terminal = -1;
  int terminal_end = -1;
  if (options.on_terminal && openpty(&terminal, &terminal_end, nullptr, nullptr, nullptr) != 0) {
    throw std::runtime_error("cannot open a pseudo terminal");
  }
  const pid_t child = fork();
  if (child == 0) {
    const int in = open("/dev/null", O_RDONLY);
    const int out = open(out_path.c_str(), O_WRONLY);
    const int err = options.on_terminal ? terminal_end : open(err_path.c_str(), O_WRONLY);
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    if (terminal >= 0) close(terminal);
    for (const int stream : {in, out, err}) {
      if (stream > 2) close(stream);
    }
    for (const int stream : options.closed) close(stream);
    for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
    if (options.greatest_file >= 0) {
      const rlimit limit{static_cast<rlim_t>(options.greatest_file), static_cast<rlim_t>(options.greatest_file)};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    execv(argv[0], argv.data());
    _exit(127);
  }
  CliResult result;
  if (options.on_terminal) {
    close(terminal_end);
    char piece[4096];
    for (ssize_t n = 0; (n = read(terminal, piece, sizeof(piece))) > 0;) {
      result.err.append(piece, static_cast<std::size_t>(n));
      const int signal = options.on_terminal(result.err);
      if (signal != 0) kill(child, signal);
    }
    close(terminal);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (options.stdout_path.empty()) result.out = read_bytes(out_path);
  if (!options.on_terminal) result.err = read_bytes(err_path);
  return result;
}

/// The program ended with this code and one line of error that has all `parts`; nothing went to
/// stdout.
inline void expect_failure(const CliResult& result, int exit_code, std::initializer_list<std::string> parts) {
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(result.err.rfind("treecca: error: ", 0), 0U) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  for (const std::string& part : parts) {
    EXPECT_NE(result.err.find(part), std::string::npos) << "\"" << part << "\" is not in: " << result.err;
  }
}

/// The lines of a CSV, split at commas; no quoted cells.
inline std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line + ",");
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

inline constexpr int kSamples = 200;

/// Two small views with ids s1, s2, ... that share one variable: a.csv and b.csv in the workspace.
/// Rows of b are in reverse order.
inline void write_two_views(const Workspace& space, int samples = kSamples) {
  std::string a = "sample,x,noise\n";
  std::string b = "sample,y,other\n";
  std::vector<std::string> b_rows;
  for (int i = 0; i < samples; ++i) {
    const double shared = static_cast<double>((i * 37) % samples) / samples - 0.5;
    const std::string id = "s" + std::to_string(i + 1) + ",";
    a += id + std::to_string(shared) + "," + std::to_string((i * 53) % 29) + "\n";
    b_rows.push_back(id + std::to_string(shared * shared) + "," + std::to_string((i * 31) % 23) + "\n");
  }
  for (auto row = b_rows.rbegin(); row != b_rows.rend(); ++row) b += *row;
  space.write("a.csv", a);
  space.write("b.csv", b);
}

/// fit on these two views, quick; more arguments behind.
inline std::vector<std::string> fit_arguments(const Workspace& space, std::initializer_list<std::string> more = {}) {
  std::vector<std::string> words{
      "fit",       "--view", "a=" + space.file("a.csv"), "--view", "b=" + space.file("b.csv"), "--n_estimators", "10",
      "--threads", "1"};
  words.insert(words.end(), more);
  return words;
}

}  // namespace treecca

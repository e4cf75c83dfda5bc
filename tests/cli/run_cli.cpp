#include "cli/run_cli.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "cli/demo_data.hpp"

namespace treecca {

CliResult run_cli(const std::vector<std::string>& arguments, const CliOptions& options) {
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

void expect_failure(const CliResult& result, int exit_code, std::initializer_list<std::string> parts) {
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(result.err.rfind("treecca: error: ", 0), 0U) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  for (const std::string& part : parts) {
    EXPECT_NE(result.err.find(part), std::string::npos) << "\"" << part << "\" is not in: " << result.err;
  }
}

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line + ",");
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

bool matches(const std::string& text, const std::string& pattern) {
  return std::regex_match(text, std::regex(pattern));
}

std::string replaced(const std::string& text, const std::string& pattern, const std::string& with) {
  return std::regex_replace(text, std::regex(pattern), with);
}

void write_two_views(const Workspace& space, int samples) {
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

void write_demo_views(const Workspace& space) {
  std::filesystem::create_directory(space.file("d"));
  const std::vector<Table> tables = cli::demo_tables();
  for (std::size_t v = 0; v < 2; ++v) {
    space.write("d/view" + std::to_string(v + 1) + ".csv", cli::table_csv(tables[v]));
  }
}

std::vector<std::string> fit_arguments(const Workspace& space, std::initializer_list<std::string> more) {
  std::vector<std::string> words{
      "fit",       "--view", "a=" + space.file("a.csv"), "--view", "b=" + space.file("b.csv"), "--n_estimators", "10",
      "--threads", "1"};
  words.insert(words.end(), more);
  if (std::find(more.begin(), more.end(), "--preset") == more.end()) words.insert(words.end(), {"--preset", "plain"});
  return words;
}

}  // namespace treecca

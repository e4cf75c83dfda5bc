// One long computation: the requests of its caller (threads, callbacks, stop) and its reports (warnings, the time of
// every stage). Belongs to one thread.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "support/parallel.hpp"
#include "support/stage_clock.hpp"
#include "support/threads.hpp"
#include "treecca/progress.hpp"

namespace treecca {

class Run {
 public:
  /// `options` must outlive the run. n_jobs: -1 = all processors.
  Run(const RunOptions& options, Index n_jobs) : options_(options), threads_(thread_count(n_jobs), options.stop) {}

  Threads threads() const { return threads_; }
  StageClock& clock() { return clock_; }
  void check_stop() const { treecca::check_stop(options_.stop); }

  /// Calls on_warning at once, and keeps the sentences for the result.
  void warn(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) {
      if (options_.on_warning) options_.on_warning(warning);
      warnings_.push_back(warning);
    }
  }
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Starts, or restarts, the time that Progress reports.
  void start_rounds() { rounds_began_ = std::chrono::steady_clock::now(); }
  /// Calls on_round; call it after every round.
  void report_round(Index round, Index rounds, double tcc, bool in_sample) const {
    if (!options_.on_round) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - rounds_began_).count();
    options_.on_round({round, rounds, tcc, seconds, in_sample});
  }

 private:
  const RunOptions& options_;
  Threads threads_;
  StageClock clock_;
  std::vector<std::string> warnings_;
  std::chrono::steady_clock::time_point rounds_began_ = std::chrono::steady_clock::now();
};

}  // namespace treecca

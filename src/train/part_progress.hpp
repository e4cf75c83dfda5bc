// Reports the progress of several concurrent trainings as one number, from the calling thread.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "support/run.hpp"

namespace treecca {

class PartProgress {
 public:
  /// `run` must outlive it; `rounds`: maximum per part.
  PartProgress(Run& run, Index parts, Index rounds)
      : run_(run), total_(parts * rounds), rounds_(rounds), caller_(std::this_thread::get_id()) {
    run.start_rounds();
  }

  PartProgress(const PartProgress&) = delete;
  PartProgress& operator=(const PartProgress&) = delete;

  /// Adds the stages of all parts to the whole run, as fractions of the elapsed time, because parts may run
  /// concurrently.
  ~PartProgress() {
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    const double total = clock_.total();
    run_.clock().add(clock_, total > 0 ? passed / total : 1);
  }

  /// Calls work(Run&) with a separate run for one part.
  template <class Work>
  void run_part(int threads, Work&& work) {
    Index counted = 0;  // rounds of this part
    Progress last;
    RunOptions options;
    options.stop = run_.threads().stop;
    options.on_round = [&](const Progress& progress) {
      done_ += progress.round - counted;
      counted = progress.round;
      last = progress;
      report(last);
    };
    Run own(options, threads);
    work(own);
    done_ += rounds_ - counted;  // a part that stopped early is done, too
    if (counted > 0 && counted < rounds_) report(last);
    const std::lock_guard lock(mutex_);
    clock_.add(own.clock());
  }

 private:
  void report(const Progress& progress) const {
    if (std::this_thread::get_id() == caller_) run_.report_round(done_, total_, progress.tcc, progress.in_sample);
  }

  Run& run_;
  Index total_;
  Index rounds_;
  std::thread::id caller_;
  std::atomic<Index> done_{0};
  std::mutex mutex_;
  StageClock clock_;  // of all parts
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace treecca

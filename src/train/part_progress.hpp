// Progress of several trainings that may run at the same time: their rounds are reported as one number, from the
// calling thread.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "support/run.hpp"

namespace treecca {

class PartProgress {
 public:
  /// `run` must outlive it; `rounds`: at most, per part.
  PartProgress(Run& run, Index parts, Index rounds)
      : run_(run), total_(parts * rounds), rounds_(rounds), caller_(std::this_thread::get_id()) {
    run.start_rounds();
  }

  /// Calls work(Run&) with a run of its own for one part; adds the time of its stages to the whole run's.
  template <class Work>
  void run_part(Index /*part*/, int threads, Work&& work) {
    Index counted = 0;  // rounds of this part
    RunOptions options;
    options.stop = run_.threads().stop;
    options.on_round = [&](const Progress& progress) {
      done_ += progress.round - counted;
      counted = progress.round;
      if (std::this_thread::get_id() == caller_) run_.report_round(done_, total_, progress.tcc, progress.in_sample);
    };
    Run own(options, threads);
    work(own);
    done_ += rounds_ - counted;  // one that stopped early is done, too
    const std::lock_guard lock(mutex_);
    run_.clock().add(own.clock());
  }

 private:
  Run& run_;
  Index total_;
  Index rounds_;
  std::thread::id caller_;
  std::atomic<Index> done_{0};
  std::mutex mutex_;
};

}  // namespace treecca

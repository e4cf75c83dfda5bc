// What long work is told by its caller: on how many threads to run, and where to look for the wish to stop.
#pragma once

#include <atomic>

namespace treecca {

/// A plain number will do where nobody can ask to stop.
struct Threads {
  int count;                      // >= 1
  const std::atomic<bool>* stop;  // null: nobody will; see check_stop

  Threads(int threads, const std::atomic<bool>* stop_flag = nullptr)  // NOLINT: implicit on purpose
      : count(threads), stop(stop_flag) {}
  Threads with_count(int threads) const { return {threads, stop}; }
};

}  // namespace treecca

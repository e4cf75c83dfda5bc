// Number of threads for long work, and where to look for the request to stop.
#pragma once

#include <atomic>

#include "treecca/error.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// A plain number will do where nobody can ask to stop.
struct Threads {
  int count;                      // >= 1
  const std::atomic<bool>* stop;  // null: nobody will

  Threads(int threads, const std::atomic<bool>* stop_flag = nullptr)  // NOLINT: implicit on purpose
      : count(threads), stop(stop_flag) {}
  Threads with_count(int threads) const { return {threads, stop}; }

  /// As many threads as a loop of so many simple operations is worth: one below `kWorthThreads`, else all. A second
  /// thread that has next to nothing to do costs more than it brings, most of all on a busy machine.
  Threads for_work(Index operations) const { return operations < kWorthThreads ? with_count(1) : *this; }

  static constexpr Index kWorthThreads = 1 << 17;  // about 0.1 ms
};

/// How many of so many threads (this one included) can run at once. libgomp ends the program when it cannot start one.
int startable_threads(int wanted);

/// Throws Interrupted when the caller asked to stop. Long work calls it now and then.
inline void check_stop(const std::atomic<bool>* stop) {
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Interrupted();
}

}  // namespace treecca

// The number of threads for long work, and the flag that requests a stop.
#pragma once

#include <atomic>

#include "treecca/error.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// An integer converts to it, for work that cannot be stopped.
struct Threads {
  int count;                      // >= 1
  const std::atomic<bool>* stop;  // null: cannot be stopped

  Threads(int threads, const std::atomic<bool>* stop_flag = nullptr)  // NOLINT: implicit on purpose
      : count(threads), stop(stop_flag) {}
  Threads with_count(int threads) const { return {threads, stop}; }

  /// The number of threads for a loop of this many simple operations: one below `kWorthThreads`, else all. For less
  /// work, starting a thread takes more time than it saves.
  Threads for_work(Index operations) const { return operations < kWorthThreads ? with_count(1) : *this; }

  static constexpr Index kWorthThreads = 1 << 17;  // about 0.1 ms
};

/// The number of threads, at most `wanted` (including the calling thread), that can run at once. libgomp ends the
/// program if it cannot start one.
int startable_threads(int wanted);

/// Throws Interrupted after a request to stop. Long work calls it regularly.
inline void check_stop(const std::atomic<bool>* stop) {
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Interrupted();
}

}  // namespace treecca

// The number of threads, and parallel loops whose exceptions reach the caller.
//
// OpenMP terminates the program if an exception leaves a parallel region; `parallel_for` instead passes the first
// exception to the caller and skips bodies that have not begun. Bodies must write to separate places: results may not
// depend on the number of threads. Every loop checks for a request to stop before each body and then throws
// Interrupted.
//
// ThreadSanitizer cannot see the barriers of libgomp. Builds for it (TREECCA_PLAIN_THREADS, set by CMake) run the same
// loops on std::thread, so that every race it reports is real.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Converts n_jobs to a number of threads >= 1. -1: the default of OpenMP, which is all processors or OMP_NUM_THREADS.
/// At most four times the number of processors, because more threads only cost memory, and at most as many threads as
/// can be started.
inline int thread_count(Index n_jobs) {
  const Index wanted = n_jobs > 0 ? n_jobs : omp_get_max_threads();
  return startable_threads(static_cast<int>(std::clamp<Index>(wanted, 1, 4 * std::max(1, omp_get_num_procs()))));
}

/// Calls body(i, worker) for i in [0, n) on up to `threads` threads, in no particular order. `worker` < threads is the
/// number of the thread, for workspaces that are reused.
template <class Body>
void parallel_for_workers(Index n, Threads threads, Body&& body) {
  if (threads.count <= 1 || n <= 1) {
    for (Index i = 0; i < n; ++i) {
      check_stop(threads.stop);
      body(i, 0);
    }
    return;
  }
  std::exception_ptr first;
  std::atomic<bool> failed{false};
  std::mutex mutex;
  const auto guarded_body = [&](Index i, int worker) {
    if (failed.load(std::memory_order_relaxed)) return;
    try {
      check_stop(threads.stop);
      body(i, worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      failed.store(true, std::memory_order_relaxed);
    }
  };
#ifdef TREECCA_PLAIN_THREADS
  std::atomic<Index> next{0};
  const auto work = [&](int worker) {  // relaxed: an ordering counter would hide races between bodies
    const auto take = [&] { return next.fetch_add(1, std::memory_order_relaxed); };
    for (Index i = take(); i < n; i = take()) guarded_body(i, worker);
  };
  std::vector<std::thread> team;
  for (int t = 1; t < std::min<Index>(threads.count, n); ++t) team.emplace_back(work, t);
  work(0);
  for (std::thread& thread : team) thread.join();
#else
#pragma omp parallel for num_threads(threads.count) schedule(dynamic, 1)
  for (Index i = 0; i < n; ++i) guarded_body(i, omp_get_thread_num());
#endif
  if (first) std::rethrow_exception(first);
}

/// Calls body(i) for i in [0, n) on up to `threads` threads, in no particular order.
template <class Body>
void parallel_for(Index n, Threads threads, Body&& body) {
  parallel_for_workers(n, threads, [&](Index i, int) { body(i); });
}

/// Rows or numbers per block of simple loops. Smaller blocks are not worth a second thread. Sums over blocks depend on
/// this value: changing it changes results in the last bits.
inline constexpr Index kParallelBlock = 1 << 14;

/// Calls body(begin, end) for consecutive blocks of at most `block` of [0, n). The blocks do not depend on the number
/// of threads, so sums over blocks in block order are reproducible.
template <class Body>
void parallel_blocks(Index n, Index block, Threads threads, Body&& body) {
  const Index blocks = (n + block - 1) / block;
  parallel_for(blocks, threads, [&](Index b) { body(b * block, std::min(n, (b + 1) * block)); });
}

}  // namespace treecca

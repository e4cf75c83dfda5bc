// Threads: how many, and loops whose exceptions reach the caller.
//
// OpenMP terminates the program when an exception leaves a parallel region; `parallel_for` carries the first one
// out instead. Bodies must write to places of their own: results may not depend on the number of threads.
#pragma once

#include <omp.h>

#include <algorithm>
#include <exception>

#include "treecca/matrix.hpp"

namespace treecca {

/// n_jobs as users give it (-1 = all processors) to a number of threads >= 1.
inline int thread_count(Index n_jobs) {
  return n_jobs > 0 ? static_cast<int>(n_jobs) : std::max(1, omp_get_num_procs());
}

/// Calls body(i) for i in [0, n) on up to `threads` threads, in no particular order.
template <class Body>
void parallel_for(Index n, int threads, Body&& body) {
  if (threads <= 1 || n <= 1) {
    for (Index i = 0; i < n; ++i) body(i);
    return;
  }
  std::exception_ptr first;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (Index i = 0; i < n; ++i) {
    try {
      body(i);
    } catch (...) {
#pragma omp critical(treecca_parallel_for)
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

/// Calls body(begin, end) for consecutive blocks of at most `block` of [0, n). The blocks do not depend
/// on the number of threads, so sums over blocks taken in block order are reproducible.
template <class Body>
void parallel_blocks(Index n, Index block, int threads, Body&& body) {
  const Index blocks = (n + block - 1) / block;
  parallel_for(blocks, threads, [&](Index b) { body(b * block, std::min(n, (b + 1) * block)); });
}

}  // namespace treecca

// Runs several tasks in lockstep. Each task needs sums over all processes.
// The cost of a network call is almost independent of its size. So independent tasks (trees of one round) run
// concurrently, each in its own thread, until each has finished or requests a sum; then all requests are sent together.
// The requests of each task must be the same in all processes.
#pragma once

#include <functional>

#include "samples/peers.hpp"
#include "support/threads.hpp"

namespace treecca {

/// Calls body(task, peers) for every task in [0, n_tasks), with separate `peers` for each task. At most threads.count
/// tasks compute at a time. Returns when all are done; must be called from the thread of `peers`. Failure: the first
/// exception of a task, or the network's; the other tasks are stopped.
void run_in_lockstep(Index n_tasks, Threads threads, const Peers& peers,
                     const std::function<void(Index task, const Peers& peers)>& body);

}  // namespace treecca

// Runs several tasks in lockstep that each need sums over all processes.
//
// A call over the network costs about the same whatever it carries. So tasks that do not depend on each other (trees of
// one round) run side by side, every one in a thread of its own, until each of them has finished or asks for a sum;
// then all that was asked for travels at once. What tasks ask for must be the same in all processes, task by task.
#pragma once

#include <functional>

#include "samples/peers.hpp"
#include "support/threads.hpp"

namespace treecca {

/// Calls body(task, peers) for every task in [0, n_tasks), where `peers` is for that task alone. At most threads.count
/// of them compute at a time. Returns when all are done; must be called from the thread that `peers` belongs to.
/// Failure: the first exception of a task, or what the network said; the others are stopped then.
void run_in_lockstep(Index n_tasks, Threads threads, const Peers& peers,
                     const std::function<void(Index task, const Peers& peers)>& body);

}  // namespace treecca

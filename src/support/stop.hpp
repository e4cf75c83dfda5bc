// Stopping on request: long work asks now and then whether it should go on.
#pragma once

#include <atomic>

#include "treecca/error.hpp"

namespace treecca {

inline void check_stop(const std::atomic<bool>* stop) {
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Interrupted();
}

}  // namespace treecca

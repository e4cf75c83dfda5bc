// Handles Ctrl-C and other requests to end (SIGINT, SIGTERM, SIGHUP).
//
// Outside a StopScope a signal ends the program at once: "treecca: stopped", exit code 1. Inside a StopScope, the first
// signal only sets a flag that the work checks; a second signal ends the program.
#pragma once

#include <atomic>

namespace treecca::cli {

/// Called once, at the start of the program.
void install_signal_handlers();

class StopScope {
 public:
  StopScope();
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// The flag that a signal sets, for treecca::FitOptions.
  const std::atomic<bool>* flag() const;
};

/// Throws Interrupted after a signal.
void throw_if_stopped();

}  // namespace treecca::cli

// Ctrl-C and its relatives (SIGINT, SIGTERM, SIGHUP).
//
// Where nothing has to be cleaned up a signal ends the program at once: "treecca: stopped", exit
// code 1. While a StopScope lives, the first signal only raises a flag that the work inside looks
// at; a second one kills the program.
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

  /// The flag a signal raises, as treecca::FitOptions wants it.
  const std::atomic<bool>* flag() const;
};

/// Throws Interrupted when a signal came in.
void throw_if_stopped();

}  // namespace treecca::cli

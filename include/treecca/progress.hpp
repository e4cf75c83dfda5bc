// Communication between a long computation and its caller: progress, warnings, requests to stop, time of every stage.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "treecca/matrix.hpp"

namespace treecca {

/// The state after a boosting round.
struct Progress {
  Index round = 0;         // rounds done
  Index rounds = 0;        // rounds in all
  double tcc = 0;          // as History::tcc
  double seconds = 0;      // since the first round began
  bool in_sample = false;  // tcc is in-sample, because there are no folds
};

/// Wall-clock time of one stage of a fit.
struct Stage {
  std::string
      name;  // bin, screen, linear, start, moments, targets, grow, curves, rotate; with one table augment, embed
  double seconds = 0;
};

/// All callbacks are called from the calling thread.
struct RunOptions {
  std::function<void(const Progress&)> on_round;
  std::function<void(const std::string&)> on_warning;  // warnings about the input, before training begins
  const std::atomic<bool>* stop = nullptr;             // set to true to stop: the work soon throws Interrupted
};

}  // namespace treecca

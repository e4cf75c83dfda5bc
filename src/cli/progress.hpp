// The progress line of a fit: on stderr, only if it is a terminal; erased at the end.
#pragma once

#include <string>

#include "treecca/fit.hpp"

namespace treecca::cli {

class ProgressLine {
 public:
  /// `quiet`: show nothing even on a terminal.
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// After every round. Redraws at most ten times a second.
  void update(const Progress& progress);
  void erase();

 private:
  bool active_;
  bool drawn_ = false;
  double last_drawn_ = 0;
};

/// The line itself, at most `columns` wide.
std::string progress_text(const Progress& progress, int columns);

}  // namespace treecca::cli

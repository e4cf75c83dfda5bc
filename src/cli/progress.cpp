#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "report/text.hpp"

namespace treecca::cli {
namespace {

int terminal_columns() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

std::string progress_text(const Progress& progress, int columns) {
  const double share =
      progress.rounds > 0 ? static_cast<double>(progress.round) / static_cast<double>(progress.rounds) : 0;
  std::string facts = fmt::format("round {}/{}  {}TCC {:.3f}", progress.round, progress.rounds,
                                  progress.in_sample ? "in-sample " : "", progress.tcc);
  if (progress.round > 0 && share > 0) {
    facts += fmt::format("  {} left", duration(progress.seconds * (1 - share) / share));
  }
  const int width = std::min(30, columns - 4 - static_cast<int>(facts.size()));
  if (width < 5) return facts.substr(0, static_cast<std::size_t>(std::max(0, columns - 1)));
  const int full = static_cast<int>(share * width);
  return "[" + std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(width - full), '.') + "] " + facts;
}

ProgressLine::ProgressLine(bool quiet) : active_(!quiet && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { erase(); }

void ProgressLine::update(const Progress& progress) {
  if (!active_ || (drawn_ && progress.seconds - last_drawn_ < 0.1)) return;
  last_drawn_ = progress.seconds;
  drawn_ = true;
  const std::string line = "\r" + progress_text(progress, terminal_columns()) + "\033[K";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void ProgressLine::erase() {
  if (!drawn_) return;
  drawn_ = false;
  std::fputs("\r\033[K", stderr);
}

}  // namespace treecca::cli

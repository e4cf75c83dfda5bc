#include "cli/stop.hpp"

#include <unistd.h>

#include <csignal>

#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

std::atomic<bool> stop_requested{false};
std::atomic<int> open_scopes{0};

// A signal handler may only use lock-free atomics.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_signal(int signal) {
  if (open_scopes.load() == 0) {
    constexpr char message[] = "treecca: stopped\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, message, sizeof(message) - 1);
    _exit(1);
  }
  if (stop_requested.exchange(true)) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction present = {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // a signal ignored by nohup stays ignored
  }
  // A file beyond the shell's size limit (ulimit -f) then gives an error, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
}

StopScope::StopScope() { ++open_scopes; }
StopScope::~StopScope() { --open_scopes; }
const std::atomic<bool>* StopScope::flag() const { return &stop_requested; }

void throw_if_stopped() {
  if (stop_requested.load()) throw Interrupted();
}

}  // namespace treecca::cli

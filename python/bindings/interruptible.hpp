// Long work without the interpreter's lock, that Ctrl-C can stop.
//
// Python runs its signal handlers in the main thread only when that thread asks. So the work goes to a thread of its
// own, and the caller's thread asks ten times a second; a handler that raises (KeyboardInterrupt) makes the work stop,
// and what it raised is what the caller sees. The caller may have another reason to stop, asked for as often.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "treecca/error.hpp"

namespace treecca::python {

/// Waits for the work. Called with the lock held, which is let go of meanwhile.
/// stop_wanted: a Python function that returns whether to stop, or None. The work then ends as it does when stopped;
/// an error that the function raises stops the work too and is what the caller sees.
/// Returns false when the work has been told to stop for `patience` and has not ended.
template <class Result>
bool wait_and_ask(std::future<Result>& running, std::atomic<bool>& stop, const nanobind::object& stop_wanted,
                  std::exception_ptr& raised, std::chrono::seconds patience = std::chrono::hours(1'000'000)) {
  namespace nb = nanobind;
  using Clock = std::chrono::steady_clock;
  constexpr auto kBetweenQuestions = std::chrono::milliseconds(100);
  Clock::time_point told_to_stop;
  while (true) {
    {
      const nb::gil_scoped_release release;
      if (running.wait_for(kBetweenQuestions) == std::future_status::ready) return true;
    }
    if (stop) {
      if (Clock::now() - told_to_stop > patience) return false;
      continue;
    }
    try {
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();
      stop = !stop_wanted.is_none() && nb::cast<bool>(stop_wanted());
    } catch (...) {
      raised = std::current_exception();
      stop = true;
    }
    told_to_stop = Clock::now();
  }
}

/// work(const std::atomic<bool>& stop) -> Result. Called with the lock held; the work runs without it.
template <class Work>
auto run_interruptible(Work&& work, const nanobind::object& stop_wanted = nanobind::none()) {
  std::atomic<bool> stop{false};
  auto running = std::async(std::launch::async, [&] { return work(stop); });
  std::exception_ptr raised;
  wait_and_ask(running, stop, stop_wanted, raised);
  if (raised) std::rethrow_exception(raised);
  return running.get();
}

/// Work that was left behind. Once it has ended, what it had is kept for the next caller who holds the lock: its own
/// thread must not ask for the lock, which would end the process when that happens while the interpreter goes down.
class LeftBehind {
 public:
  void add_one() { ++count_; }
  void ended(std::shared_ptr<void> remains) {
    const std::lock_guard lock(mutex_);
    --count_;
    remains_.push_back(std::move(remains));
  }
  /// How often work was left behind that has not ended. Called with the lock held.
  int count() {
    std::vector<std::shared_ptr<void>> remains;
    const std::lock_guard lock(mutex_);
    remains.swap(remains_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::atomic<int> count_{0};
  std::vector<std::shared_ptr<void>> remains_;
};

inline LeftBehind& left_behind() {
  static auto* const all = new LeftBehind;  // never freed: work may end after everything else
  return *all;
}

/// The same for work that may wait where it cannot be told to stop: five seconds after it was, the caller goes on
/// without it (as if it had stopped), and it stays behind with all it has. So it must own what it uses.
template <class Work>
auto run_abandonable(Work&& work, const nanobind::object& stop_wanted) {
  namespace nb = nanobind;
  constexpr auto kPatience = std::chrono::seconds(5);
  struct Job {
    std::decay_t<Work> work;
    std::atomic<bool> stop{false};
    bool is_left_behind = false;
  };
  const auto forget = [](Job* job) {
    if (!job->is_left_behind) {
      delete job;  // in the caller's thread, with the lock held
    } else {
      left_behind().ended(std::shared_ptr<Job>(job));
    }
  };
  left_behind().count();  // frees what has ended since
  std::shared_ptr<Job> job(new Job{std::forward<Work>(work)}, forget);
  std::packaged_task task([job] { return job->work(job->stop); });
  auto running = task.get_future();
  std::thread thread([task = std::move(task)]() mutable { std::exchange(task, {})(); });
  std::exception_ptr raised;
  if (wait_and_ask(running, job->stop, stop_wanted, raised, kPatience)) {
    const nb::gil_scoped_release release;
    thread.join();
  } else {
    left_behind().add_one();
    job->is_left_behind = true;
    thread.detach();
    if (!raised) raised = std::make_exception_ptr(Interrupted());
  }
  if (raised) std::rethrow_exception(raised);
  return running.get();
}

}  // namespace treecca::python

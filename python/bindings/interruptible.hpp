// Runs long work without the GIL, so that Ctrl-C can stop it.
//
// Python runs signal handlers only when the main thread checks for signals. The work therefore runs in its own thread,
// and the caller's thread checks ten times a second. If a handler raises (KeyboardInterrupt), the work is stopped and
// the caller gets the exception. The caller may pass a second stop condition, checked as often.
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

/// Waits for the work. Called with the GIL held, which is released meanwhile.
/// stop_wanted: a Python function that returns whether to stop, or None. If it raises, the work stops too and the
/// exception is stored in `raised`. Returns false if the work has not ended within `patience` after the request to
/// stop.
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

/// work(const std::atomic<bool>& stop) -> Result. Called with the GIL held; the work runs without it.
template <class Work>
auto run_interruptible(Work&& work, const nanobind::object& stop_wanted = nanobind::none()) {
  std::atomic<bool> stop{false};
  auto running = std::async(std::launch::async, [&] { return work(stop); });
  std::exception_ptr raised;
  wait_and_ask(running, stop, stop_wanted, raised);
  if (raised) std::rethrow_exception(raised);
  return running.get();
}

/// Abandoned work. When it ends, its objects are kept until the next call that holds the GIL: its own thread must not
/// take the GIL, which would end the process if the interpreter shuts down at that moment.
class LeftBehind {
 public:
  void add_one() { ++count_; }
  void ended(std::shared_ptr<void> remains) {
    const std::lock_guard lock(mutex_);
    --count_;
    remains_.push_back(std::move(remains));
  }
  /// Number of abandoned jobs that have not ended. Called with the GIL held.
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
  static auto* const all = new LeftBehind;  // never freed: work may end after the interpreter
  return *all;
}

/// The same for work that may wait in a call that cannot be stopped: five seconds after the request to stop, the caller
/// continues without it (as if it had stopped). The work must own everything it uses.
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
      delete job;  // in the caller's thread, with the GIL held
    } else {
      left_behind().ended(std::shared_ptr<Job>(job));
    }
  };
  left_behind().count();  // frees the jobs that have ended
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

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

namespace treecca::python {

/// work(const std::atomic<bool>& stop) -> Result. Called with the lock held; the work runs without it.
/// stop_wanted: a Python function that returns whether to stop, or None. The work then ends as it does when stopped;
/// an error that the function raises stops the work too and is what the caller sees.
template <class Work>
auto run_interruptible(Work&& work, const nanobind::object& stop_wanted = nanobind::none()) {
  namespace nb = nanobind;
  constexpr auto kPatience = std::chrono::milliseconds(100);
  std::atomic<bool> stop{false};
  auto running = std::async(std::launch::async, [&] { return work(stop); });
  std::exception_ptr raised;
  for (bool done = false; !done;) {
    {
      const nb::gil_scoped_release release;
      done = running.wait_for(kPatience) == std::future_status::ready;
    }
    if (done || stop) continue;
    try {
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();
      stop = !stop_wanted.is_none() && nb::cast<bool>(stop_wanted());
    } catch (...) {
      raised = std::current_exception();
      stop = true;
    }
  }
  if (raised) std::rethrow_exception(raised);
  return running.get();
}

}  // namespace treecca::python

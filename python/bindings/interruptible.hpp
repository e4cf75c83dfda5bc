// Long work without the interpreter's lock, that Ctrl-C can stop.
//
// Python runs its signal handlers in the main thread only when that thread asks. So the work goes to a thread of its
// own, and the caller's thread asks ten times a second; a handler that raises (KeyboardInterrupt) makes the work stop,
// and what it raised is what the caller sees.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <future>

namespace treecca::python {

/// work(const std::atomic<bool>& stop) -> Result. Called with the lock held; the work runs without it.
template <class Work>
auto run_interruptible(Work&& work) {
  namespace nb = nanobind;
  constexpr auto kPatience = std::chrono::milliseconds(100);
  std::atomic<bool> stop{false};
  auto running = std::async(std::launch::async, [&] { return work(stop); });
  bool interrupted = false;
  for (bool done = false; !done;) {
    {
      const nb::gil_scoped_release release;
      done = running.wait_for(kPatience) == std::future_status::ready;
    }
    if (!done && !interrupted && PyErr_CheckSignals() != 0) {
      interrupted = true;
      stop = true;
    }
  }
  if (interrupted) throw nb::python_error();  // takes the error that the handler has set
  return running.get();
}

}  // namespace treecca::python

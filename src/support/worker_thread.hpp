// One thread of its own that does what it is given, in order: for libraries that remember by which thread they were
// called. Work may be given from any thread; what it throws reaches whoever waits for it.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace treecca {

class WorkerThread {
 public:
  WorkerThread() : thread_([this] { work(); }) {}
  /// After all that was given is done.
  ~WorkerThread() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  /// Returns at once; what `task` refers to must live until the future is ready. See wait_for_all.
  std::future<void> run(std::function<void()> task) {
    std::packaged_task<void()> packaged(std::move(task));
    std::future<void> done = packaged.get_future();
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(packaged));
    }
    wake_.notify_one();
    return done;
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      if (queue_.empty()) return;
      std::packaged_task<void()> task = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::packaged_task<void()>> queue_;
  bool ending_ = false;
  std::thread thread_;  // last: it uses all of the above
};

/// Waits for everything before it throws what the first of them threw, so that nothing they refer to goes too early.
inline void wait_for_all(std::vector<std::future<void>>& tasks) {
  std::exception_ptr first;
  for (std::future<void>& task : tasks) {
    try {
      task.get();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace treecca

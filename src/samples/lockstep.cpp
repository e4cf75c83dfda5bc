#include "samples/lockstep.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "support/threads.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// The kinds of requests. Kinds are sent one after the other, in this order.
enum class RequestKind { max, sum_double, sum_int32, sum_int64 };
constexpr RequestKind kRequestKinds[] = {RequestKind::max, RequestKind::sum_double, RequestKind::sum_int32,
                                         RequestKind::sum_int64};

struct Request {
  RequestKind kind = RequestKind::max;
  void* values = nullptr;  // null: no request
  std::size_t size = 0;
};

/// Thrown in waiting tasks if the others cannot continue; never leaves run_in_lockstep.
struct Abandoned {};

/// Limits how many tasks compute at the same time. Not std::counting_semaphore: in libstdc++ 12 a waiting task may
/// sleep although permits are free, because release() only wakes tasks if there were none (GCC bug 104928).
class Permits {
 public:
  explicit Permits(int count) : free_(count) {}
  void acquire() {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return free_ > 0; });
    --free_;
  }
  void release() {
    {
      const std::lock_guard lock(mutex_);
      ++free_;
    }
    freed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  int free_;
};

class Exchange {
 public:
  Exchange(Index n_tasks, int threads)
      : requests_(static_cast<std::size_t>(n_tasks)), active_(n_tasks), permits_(threads) {}

  void begin() { permits_.acquire(); }
  /// Abandons the tasks that could not be started.
  void give_up(Index n_tasks, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    active_ -= n_tasks;
    failure_ = std::move(failure);
    changed_.notify_all();
  }
  void end(std::exception_ptr failure) {
    permits_.release();
    const std::lock_guard lock(mutex_);
    --active_;
    if (failure && !failure_) failure_ = std::move(failure);
    changed_.notify_all();
  }

  /// Called by a task: returns once the values are combined over all processes.
  void ask(Index task, Request request) {
    permits_.release();
    bool answered = false;
    {
      std::unique_lock lock(mutex_);
      if (!abandoned_) {  // tasks with answers from before the failure may request more
        Request& own = requests_[static_cast<std::size_t>(task)];
        own = request;
        ++waiting_;
        changed_.notify_all();
        answered_.wait(lock, [&] { return abandoned_ || own.values == nullptr; });
        answered = own.values == nullptr;
      }
    }
    permits_.acquire();
    if (!answered) throw Abandoned{};
  }

  /// Called by the calling thread; returns when all tasks have ended.
  void serve(Communicator& communicator) {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return waiting_ == active_; });
      if (active_ == 0) break;
      try {
        if (failure_) throw Abandoned{};
        for (const RequestKind kind : kRequestKinds) answer(communicator, kind);
      } catch (const Abandoned&) {
        abandoned_ = true;
      } catch (...) {
        failure_ = std::current_exception();
        abandoned_ = true;
      }
      waiting_ = 0;
      answered_.notify_all();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void answer(Communicator& communicator, RequestKind kind) {
    switch (kind) {
      case RequestKind::max:
        return travel<double>(kind, [&](std::span<double> values) { communicator.max(values); });
      case RequestKind::sum_double:
        return travel<double>(kind, [&](std::span<double> values) { communicator.sum(values); });
      case RequestKind::sum_int32:
        return travel<std::int32_t>(kind, [&](std::span<std::int32_t> values) { communicator.sum(values); });
      case RequestKind::sum_int64:
        return travel<std::int64_t>(kind, [&](std::span<std::int64_t> values) { communicator.sum(values); });
    }
  }

  /// All requests of a kind, in the order of the tasks.
  template <class T, class Call>
  void travel(RequestKind kind, Call&& call) {
    std::vector<T> together;
    const auto for_each = [&](auto&& use) {
      for (Request& request : requests_) {
        if (request.values != nullptr && request.kind == kind) use(request, static_cast<T*>(request.values));
      }
    };
    for_each([&](Request& request, T* values) { together.insert(together.end(), values, values + request.size); });
    if (!together.empty()) call(std::span<T>(together));
    const T* from = together.data();
    for_each([&](Request& request, T* values) {
      std::copy_n(from, request.size, values);
      from += request.size;
      request.values = nullptr;
    });
  }

  std::mutex mutex_;
  std::condition_variable changed_;   // a task has begun to wait or has ended
  std::condition_variable answered_;  // wakes the tasks
  std::vector<Request> requests_;     // by task
  Index active_;
  Index waiting_ = 0;
  bool abandoned_ = false;
  std::exception_ptr failure_;
  Permits permits_;
};

/// The communicator that a task uses.
class TaskCommunicator final : public Communicator {
 public:
  TaskCommunicator(Exchange& exchange, Index task, const Peers& peers)
      : exchange_(exchange), task_(task), rank_(peers.rank()), size_(peers.size()) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<std::int32_t> values) override {
    exchange_.ask(task_, {RequestKind::sum_int32, values.data(), values.size()});
  }
  void sum(std::span<std::int64_t> values) override {
    exchange_.ask(task_, {RequestKind::sum_int64, values.data(), values.size()});
  }
  void sum(std::span<double> values) override {
    exchange_.ask(task_, {RequestKind::sum_double, values.data(), values.size()});
  }
  void max(std::span<double> values) override {
    exchange_.ask(task_, {RequestKind::max, values.data(), values.size()});
  }
  void broadcast(std::span<std::byte> /*bytes*/, int /*root*/) override {
    throw Error("Tasks in step cannot broadcast.");  // no task does this
  }

 private:
  Exchange& exchange_;
  Index task_;
  int rank_;
  int size_;
};

}  // namespace

void run_in_lockstep(Index n_tasks, Threads threads, const Peers& peers,
                     const std::function<void(Index task, const Peers& peers)>& body) {
  if (peers.alone() || n_tasks <= 1) {
    for (Index task = 0; task < n_tasks; ++task) body(task, peers);
    return;
  }
  Exchange exchange(n_tasks, threads.count);
  std::vector<std::thread> team;
  team.reserve(static_cast<std::size_t>(n_tasks));
  const auto run = [&](Index task) {
    exchange.begin();
    std::exception_ptr failure;
    try {
      check_stop(threads.stop);
      TaskCommunicator communicator(exchange, task, peers);
      body(task, &communicator);
    } catch (const Abandoned&) {
    } catch (...) {
      failure = std::current_exception();
    }
    exchange.end(std::move(failure));
  };
  for (Index task = 0; task < n_tasks; ++task) {
    try {
      team.emplace_back(run, task);
    } catch (...) {  // the system cannot start more threads
      exchange.give_up(n_tasks - task, std::current_exception());
      break;
    }
  }
  std::exception_ptr failure;
  try {
    exchange.serve(*peers.communicator());
  } catch (...) {
    failure = std::current_exception();
  }
  for (std::thread& thread : team) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace treecca

// Several workers of one fit as threads of one process: what a distributed fit computes, without a network.
#pragma once

#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "treecca/distributed.hpp"
#include "treecca/error.hpp"

namespace treecca::testing {

/// Where the workers meet. A worker that leaves makes all others that wait for it fail.
class Meeting {
 public:
  explicit Meeting(int size) : size_(size), arrived_(static_cast<std::size_t>(size)) {}

  int size() const { return size_; }
  int calls() const { return calls_; }

  /// The last one to come runs combine(what everybody brought, by rank) for all.
  void meet(int rank, void* brought, const std::function<void(const std::vector<void*>&)>& combine) {
    std::unique_lock lock(mutex_);
    arrived_[static_cast<std::size_t>(rank)] = brought;
    const int round = calls_;
    if (++present_ == size_) {
      combine(arrived_);
      present_ = 0;
      ++calls_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return calls_ != round || gone_; });
    if (calls_ == round) throw Error("Another worker is gone.");
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    gone_ = true;
    changed_.notify_all();
  }

 private:
  int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<void*> arrived_;
  int present_ = 0;
  int calls_ = 0;
  bool gone_ = false;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return meeting_.size(); }
  void sum(std::span<std::int32_t> values) override {
    reduce(values, [](auto a, auto b) { return a + b; });
  }
  void sum(std::span<std::int64_t> values) override {
    reduce(values, [](auto a, auto b) { return a + b; });
  }
  void sum(std::span<double> values) override {
    reduce(values, [](auto a, auto b) { return a + b; });
  }
  void max(std::span<double> values) override {
    reduce(values, [](auto a, auto b) { return a < b ? b : a; });
  }
  void broadcast(std::span<std::byte> bytes, int root) override {
    meeting_.meet(rank_, bytes.data(), [&](const std::vector<void*>& all) {
      for (int r = 0; r < size(); ++r) {
        if (r != root) std::memcpy(all[static_cast<std::size_t>(r)], all[static_cast<std::size_t>(root)], bytes.size());
      }
    });
  }

 private:
  template <class T, class Operation>
  void reduce(std::span<T> values, Operation operation) {
    meeting_.meet(rank_, values.data(), [&](const std::vector<void*>& all) {
      T* first = static_cast<T*>(all[0]);
      for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t r = 1; r < all.size(); ++r) first[i] = operation(first[i], static_cast<T*>(all[r])[i]);
      }
      for (std::size_t r = 1; r < all.size(); ++r) std::memcpy(all[r], first, values.size_bytes());
    });
  }

  Meeting& meeting_;
  int rank_;
};

/// Runs work(communicator) in `size` threads; what each of them threw, by rank.
inline std::vector<std::exception_ptr> run_workers(int size, const std::function<void(Communicator&)>& work) {
  Meeting meeting(size);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadCommunicator communicator(meeting, rank);
      try {
        work(communicator);
      } catch (...) {
        failures[static_cast<std::size_t>(rank)] = std::current_exception();
        meeting.leave();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return failures;
}

/// The same where nobody may fail.
inline void run_all_workers(int size, const std::function<void(Communicator&)>& work) {
  for (const std::exception_ptr& failure : run_workers(size, work)) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace treecca::testing

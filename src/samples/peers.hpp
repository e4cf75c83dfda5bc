// The other processes of a distributed fit.
// All code that sums over rows takes a Peers. Without other processes (the default) every call returns at once and
// changes nothing; with other processes every call is collective: see Communicator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "treecca/distributed.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

class Peers {
 public:
  Peers() = default;
  Peers(Communicator* communicator)  // NOLINT: null: no other processes
      : communicator_(communicator != nullptr && communicator->size() > 1 ? communicator : nullptr) {}

  bool alone() const { return communicator_ == nullptr; }
  int rank() const { return alone() ? 0 : communicator_->rank(); }
  int size() const { return alone() ? 1 : communicator_->size(); }
  Communicator* communicator() const { return communicator_; }  // null when alone

  /// Sums over all processes, in place.
  template <class T>
  void sum(std::span<T> values) const {
    if (!alone() && !values.empty()) communicator_->sum(values);
  }
  void sum(std::vector<double>& values) const { sum(std::span<double>(values)); }
  void max(std::vector<double>& values) const {
    if (!alone() && !values.empty()) communicator_->max(values);
  }
  double sum(double value) const {
    sum(std::span<double>(&value, 1));
    return value;
  }
  Index sum(Index value) const {
    std::int64_t all = value;
    sum(std::span<std::int64_t>(&all, 1));
    return static_cast<Index>(all);
  }
  double max(double value) const {
    if (!alone()) communicator_->max(std::span<double>(&value, 1));
    return value;
  }

  /// The texts of all processes, by rank.
  std::vector<std::string> gather(const std::string& bytes) const;

  /// Runs code that may fail in some processes only. If it does, all processes throw the error of the first failed
  /// process (by rank), so none is left waiting.
  template <class Work>
  void agree(Work&& work) const {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      if (alone()) throw;
      failure = std::current_exception();
    }
    if (!alone()) throw_together(failure);
  }

  /// Throws Error, naming `what`, unless all processes have the same bytes.
  void check_same(const std::string& bytes, const std::string& what) const;

 private:
  void throw_together(const std::exception_ptr& failure) const;

  Communicator* communicator_ = nullptr;
};

/// Numbers as bytes, for `gather`.
template <class T>
void append_bytes(std::string& bytes, std::span<const T> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}
template <class T>
std::vector<T> values_from(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::copy_n(bytes.data(), values.size() * sizeof(T), reinterpret_cast<char*>(values.data()));
  return values;
}

/// The keys of all processes, each with the sum of its values over the processes. Collective; the same result in every
/// process.
inline std::map<std::int64_t, double> summed_by_key(const std::map<std::int64_t, double>& own, const Peers& peers) {
  if (peers.alone()) return own;
  struct Entry {
    std::int64_t key;
    double value;
  };
  std::vector<Entry> entries;
  for (const auto& [key, value] : own) entries.push_back({key, value});
  std::string bytes;
  append_bytes(bytes, std::span<const Entry>(entries));
  std::map<std::int64_t, double> all;
  for (const std::string& part : peers.gather(bytes)) {
    for (const Entry& entry : values_from<Entry>(part)) all[entry.key] += entry.value;
  }
  return all;
}

}  // namespace treecca

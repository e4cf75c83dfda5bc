// Fits whose rows are spread over several processes.
// Every process calls `fit` at the same time with its own rows (maybe none), the same parameters, the same columns and
// a Communicator. All processes get the same model. Only sums are exchanged: bin sketches, histograms, moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace treecca {

/// Communication between the processes of one fit. Every call is collective: all processes make the same calls in the
/// same order, with spans of the same length, and afterwards hold the same bytes. Call from one thread at a time.
/// Failure: PeerError if another process has ended.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;  // from 0
  virtual int size() const = 0;
  /// Sums element by element over all processes, in place.
  virtual void sum(std::span<std::int32_t> values) = 0;
  virtual void sum(std::span<std::int64_t> values) = 0;
  virtual void sum(std::span<double> values) = 0;
  virtual void max(std::span<double> values) = 0;
  /// Overwrites the bytes with the bytes of process `root`.
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
};

/// Returns XGBoost's own communicator, used through the C API of an installed XGBoost (see prefer_library). `config` is
/// the argument of its XGCommunicatorInit: a JSON object with dmlc_tracker_uri, dmlc_tracker_port and dmlc_task_id.
/// Make, use and destroy it in one thread; one at a time. Waits until all processes are connected.
/// Failure: UsageError if one of the three keys is missing, FileError without the library, PeerError with XGBoost's own
/// message.
std::unique_ptr<Communicator> xgboost_communicator(const std::string& config);

/// XGBoost's tracker, through which the processes of one fit find each other. Runs in the background until destroyed.
class Tracker {
 public:
  /// `host`: the address of this machine as the workers see it; empty: XGBoost detects it. Ranks follow the
  /// alphabetical order of dmlc_task_id. Failure: UsageError if there are no workers, else as xgboost_communicator.
  Tracker(int n_workers, const std::string& host);
  ~Tracker();
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;

  /// JSON: the part of `config` that all workers share; each adds its own dmlc_task_id.
  std::string worker_config() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace treecca

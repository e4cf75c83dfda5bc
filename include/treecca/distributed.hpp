// Fits whose rows are spread over several processes.
//
// Every process calls `fit` at the same time with its own rows (maybe none), the same parameters and the same columns,
// and a Communicator; all of them get the same model. Only sums travel: bin sketches, histograms, moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace treecca {

/// What processes of one fit say to each other. Every call is collective: all processes make the same calls in the same
/// order with spans of the same length, and afterwards hold the same bytes. From one thread at a time.
/// Failure: PeerError when another process is gone.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;  // from 0
  virtual int size() const = 0;
  /// Element by element, over all processes, in place.
  virtual void sum(std::span<std::int32_t> values) = 0;
  virtual void sum(std::span<std::int64_t> values) = 0;
  virtual void sum(std::span<double> values) = 0;
  virtual void max(std::span<double> values) = 0;
  /// Overwritten by what process `root` has.
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
};

/// XGBoost's own communicator, through the C API of an installed XGBoost (see prefer_library). `config` is what its
/// XGCommunicatorInit takes: a JSON object with dmlc_tracker_uri, dmlc_tracker_port and dmlc_task_id. It belongs to the
/// thread that made it: make, use and destroy it there, one at a time. Waits until all processes are there.
/// Failure: UsageError when one of the three is missing, FileError without the library, PeerError with XGBoost's own
/// words.
std::unique_ptr<Communicator> xgboost_communicator(const std::string& config);

/// Where the processes of one fit find each other: XGBoost's tracker, running in the background until destroyed.
class Tracker {
 public:
  /// `host`: the address of this machine as the workers see it; empty: XGBoost's guess. Ranks follow the texts of
  /// dmlc_task_id. Failure: UsageError for no workers, else as xgboost_communicator.
  Tracker(int n_workers, const std::string& host);
  ~Tracker();
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;

  /// JSON: what every worker's `config` has beside its own dmlc_task_id.
  std::string worker_config() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace treecca

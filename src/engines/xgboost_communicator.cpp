#include <fmt/format.h>

#include <limits>

#include "engines/shared_library.hpp"
#include "engines/xgboost_library.hpp"
#include "support/document.hpp"
#include "treecca/distributed.hpp"
#include "treecca/error.hpp"

namespace treecca {

/// The functions used, as xgboost/c_api.h declares them.
struct CommunicatorApi {
  explicit CommunicatorApi(const SharedLibrary& library)
      : last_error(library.function<const char*()>("XGBGetLastError")),
        init(library.function<int(const char*)>("XGCommunicatorInit")),
        finalize(library.function<int()>("XGCommunicatorFinalize")),
        rank(library.function<int()>("XGCommunicatorGetRank")),
        size(library.function<int()>("XGCommunicatorGetWorldSize")),
        allreduce(library.function<int(void*, std::size_t, int, int)>("XGCommunicatorAllreduce")),
        broadcast(library.function<int(void*, std::size_t, int)>("XGCommunicatorBroadcast")),
        tracker_create(library.function<int(const char*, void**)>("XGTrackerCreate")),
        tracker_run(library.function<int(void*, const char*)>("XGTrackerRun")),
        tracker_args(library.function<int(void*, const char**)>("XGTrackerWorkerArgs")),
        tracker_free(library.function<int(void*)>("XGTrackerFree")) {}

  void check(int code, const char* what) const {
    if (code != 0) throw PeerError(fmt::format("{} XGBoost says: {}", what, xgboost_message(last_error())));
  }

  const char* (*last_error)();
  int (*init)(const char*);
  int (*finalize)();
  int (*rank)();
  int (*size)();
  int (*allreduce)(void*, std::size_t, int, int);
  int (*broadcast)(void*, std::size_t, int);
  int (*tracker_create)(const char*, void**);
  int (*tracker_run)(void*, const char*);
  int (*tracker_args)(void*, const char**);
  int (*tracker_free)(void*);
};

namespace {

using Handle = void*;

// Values of the C API's enumerations.
enum class Type : int { f64 = 2, i32 = 6, i64 = 7 };
enum class Operation : int { max = 0, sum = 2 };

/// Throws if no tracker is named: XGBoost would then run as a single process and fit only its own rows.
void check_tracker_is_named(const std::string& config) {
  Document given;
  try {
    read_document(config, given);
  } catch (const ModelError&) {
    throw UsageError("The settings of the communicator must be a JSON object.");
  }
  for (const char* name : {"dmlc_tracker_uri", "dmlc_tracker_port", "dmlc_task_id"}) {
    if (given.find(name) != nullptr) continue;
    throw UsageError(fmt::format(
        "The settings of the communicator lack \"{}\". Pass everything that the tracker's worker_config returns, "
        "and a different dmlc_task_id for every worker.",
        name));
  }
}

constexpr const char* kNeededBy = "A fit over several processes";
constexpr const char* kPeerGone = "Another worker of this fit is gone (it failed, was killed or ran out of memory).";

class XgboostCommunicator final : public Communicator {
 public:
  explicit XgboostCommunicator(const std::string& config) : library_(xgboost_library_place(kNeededBy)), api_(library_) {
    check_tracker_is_named(config);
    api_.check(api_.init(config.c_str()), "The workers of this fit could not reach each other.");
    rank_ = api_.rank();
    size_ = api_.size();
  }
  // After a failure this call fails too; the connections are closed anyway, which informs the other processes.
  ~XgboostCommunicator() override { api_.finalize(); }
  XgboostCommunicator(const XgboostCommunicator&) = delete;
  XgboostCommunicator& operator=(const XgboostCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<std::int32_t> values) override { reduce(values, Type::i32, Operation::sum); }
  void sum(std::span<std::int64_t> values) override { reduce(values, Type::i64, Operation::sum); }
  void sum(std::span<double> values) override { reduce(values, Type::f64, Operation::sum); }
  void max(std::span<double> values) override { reduce(values, Type::f64, Operation::max); }
  void broadcast(std::span<std::byte> bytes, int root) override {
    api_.check(api_.broadcast(bytes.data(), bytes.size(), root), kPeerGone);
  }

 private:
  template <class T>
  void reduce(std::span<T> values, Type type, Operation operation) {
    api_.check(api_.allreduce(values.data(), values.size(), static_cast<int>(type), static_cast<int>(operation)),
               kPeerGone);
  }

  SharedLibrary library_;
  CommunicatorApi api_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

std::unique_ptr<Communicator> xgboost_communicator(const std::string& config) {
  return std::make_unique<XgboostCommunicator>(config);
}

struct Tracker::Impl {
  SharedLibrary library{xgboost_library_place(kNeededBy)};
  CommunicatorApi api{library};
  Handle handle = nullptr;
  std::string worker_config;
};

Tracker::Tracker(int n_workers, const std::string& host) : impl_(std::make_unique<Impl>()) {
  if (n_workers < 1) throw UsageError(fmt::format("A fit needs at least one worker, not {}.", n_workers));
  constexpr int kSortByTask = 1;
  Document config = Document::object();
  config.add("dmlc_communicator", "rabit").add("n_workers", n_workers).add("sortby", kSortByTask);
  if (!host.empty()) config.add("host", host);
  constexpr const char* kWhat = "The tracker, through which workers find each other, could not be started.";
  impl_->api.check(impl_->api.tracker_create(write_json(config, DocumentStyle::compact).c_str(), &impl_->handle),
                   kWhat);
  impl_->api.check(impl_->api.tracker_run(impl_->handle, "{}"), kWhat);
  // Queried at once, because the call waits until the tracker listens, and freeing it earlier would never return.
  const char* worker_config = nullptr;
  impl_->api.check(impl_->api.tracker_args(impl_->handle, &worker_config), kWhat);
  impl_->worker_config = worker_config;
}

// Fails if workers did not sign off, but frees the tracker in any case.
Tracker::~Tracker() { impl_->api.tracker_free(impl_->handle); }

std::string Tracker::worker_config() const { return impl_->worker_config; }

}  // namespace treecca

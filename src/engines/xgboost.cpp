#include "engines/xgboost.hpp"

#include <fmt/format.h>

#include <future>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>

#include "engines/shared_library.hpp"
#include "engines/xgboost_library.hpp"
#include "engines/xgboost_trees.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using XgboostHandle = void*;
using Size = std::uint64_t;  // bst_ulong

/// The functions used, as xgboost/c_api.h declares them.
struct XgboostApi {
  explicit XgboostApi(const SharedLibrary& library)
      : last_error(library.function<const char*()>("XGBGetLastError")),
        matrix_from_dense(library.function<int(const char*, const char*, XgboostHandle*)>("XGDMatrixCreateFromDense")),
        matrix_free(library.function<int(XgboostHandle)>("XGDMatrixFree")),
        create(library.function<int(const XgboostHandle*, Size, XgboostHandle*)>("XGBoosterCreate")),
        free(library.function<int(XgboostHandle)>("XGBoosterFree")),
        set_parameter(library.function<int(XgboostHandle, const char*, const char*)>("XGBoosterSetParam")),
        train(library.function<int(XgboostHandle, XgboostHandle, int, const char*, const char*)>(
            "XGBoosterTrainOneIter")),
        predict(library.function<int(XgboostHandle, XgboostHandle, const char*, const Size**, Size*, const float**)>(
            "XGBoosterPredictFromDMatrix")),
        save(library.function<int(XgboostHandle, const char*, Size*, const char**)>("XGBoosterSaveModelToBuffer")),
        save_config(library.function<int(XgboostHandle, Size*, const char**)>("XGBoosterSaveJsonConfig")),
        log_by(library.function<int(void (*)(const char*))>("XGBRegisterLogCallback")),
        world_size(library.function<int()>("XGCommunicatorGetWorldSize")) {}

  void check(int code) const {
    if (code != 0) throw Error(fmt::format("XGBoost: {}", xgboost_message(last_error())));
  }

  const char* (*last_error)();
  int (*matrix_from_dense)(const char*, const char*, XgboostHandle*);
  int (*matrix_free)(XgboostHandle);
  int (*create)(const XgboostHandle*, Size, XgboostHandle*);
  int (*free)(XgboostHandle);
  int (*set_parameter)(XgboostHandle, const char*, const char*);
  int (*train)(XgboostHandle, XgboostHandle, int, const char*, const char*);
  int (*predict)(XgboostHandle, XgboostHandle, const char*, const Size**, Size*, const float**);
  int (*save)(XgboostHandle, const char*, Size*, const char**);
  int (*save_config)(XgboostHandle, Size*, const char**);
  int (*log_by)(void (*)(const char*));
  int (*world_size)();
};

std::string array_interface(const float* data, Index rows, Index cols) {
  static const float nothing = 0;  // a worker may have no rows, but XGBoost needs an address
  if (data == nullptr) data = &nothing;
  return fmt::format(R"({{"data":[{},true],"shape":[{},{}],"typestr":"<f4","version":3}})",
                     reinterpret_cast<std::uintptr_t>(data), rows, cols);
}

/// Names with the same meaning; the first is ours.
std::string first_name(const std::string& name) {
  static const std::map<std::string, std::string> kAliases{
      {"learning_rate", "eta"}, {"reg_lambda", "lambda"}, {"n_jobs", "nthread"}, {"random_state", "seed"}};
  const auto found = kAliases.find(name);
  return found == kAliases.end() ? name : found->second;
}

const ReservedParameters& xgboost_reserved() {
  constexpr const char* kSum =
      "a TreeCCA model is the sum of the trees of all rounds: one per round, or one per component";
  constexpr const char* kGradients = "TreeCCA computes the gradients: set TreeCCA's objective instead";
  static const ReservedParameters kOwned{
      {"booster", kSum},
      {"num_parallel_tree", kSum},
      {"process_type", kSum},
      {"refresh_leaf", kSum},
      {"base_score", "the trees start from TreeCCA's initial values (init)"},
      {"objective", kGradients},
      {"num_class", kGradients},
      {"disable_default_eval_metric", kGradients},
      {"num_target", "it is the number of components: set n_components instead"},
      {"multi_strategy", "set TreeCCA's trees to joint or scalar instead"},
      {"seed", "set TreeCCA's random_state instead"},
      {"seed_per_iteration", "the same random_state must give the same model"},
      {"validate_parameters", "names are always checked"},
  };
  return kOwned;
}

class XgboostEngine final : public LibraryEngine {
 public:
  explicit XgboostEngine(const EngineInput& given)
      : LibraryEngine(given, {"XGBoost", /*component_major=*/false}),
        library_(std::make_shared<SharedLibrary>(xgboost_library_place())),
        api_(*library_) {
    reject_reserved("XGBoost", given.engine_params, xgboost_reserved(), first_name);
    // XGBoost sums its histograms over its own communicator, which must have the processes of this fit.
    if (api_.world_size() != given.folds.samples->peers().size()) {
      throw UsageError(fmt::format(
          "XGBoost takes part in a group of {} processes, this fit in one of {}. Over several processes engine=xgboost "
          "needs XGBoost's own communicator, made in the thread that calls fit.",
          api_.world_size(), given.folds.samples->peers().size()));
    }
    if (!given.engine_params.empty()) refuse_unused();
  }

 private:
  // The full margin comes from the cache; asking for a range of rounds would reset it.
  static constexpr const char* kFullMargin =
      R"({"type":1,"training":false,"iteration_begin":0,"iteration_end":0,"strict_shape":true})";

  Handle make_data(Index view, const Matrix<float>& codes) const override {
    const std::string config = fmt::format(R"({{"missing":NaN,"nthread":{}}})", library_threads(input(), view));
    void* matrix = nullptr;
    api_.check(api_.matrix_from_dense(array_interface(codes.data(), codes.rows(), codes.cols()).c_str(), config.c_str(),
                                      &matrix));
    return owned(library_, matrix, api_.matrix_free);
  }

  Handle make_booster(const Handle& data, Index view, int fold) const override {
    void* matrix = data.get();
    void* handle = nullptr;
    api_.check(api_.create(&matrix, 1, &handle));
    Handle booster = owned(library_, handle, api_.free);
    for (const auto& [name, value] : settings(view, fold)) set(booster, name, value);
    return booster;
  }

  void set(const Handle& booster, const std::string& name, const std::string& value) const {
    api_.check(api_.set_parameter(booster.get(), name.c_str(), value.c_str()));
  }

  /// XGBoost ignores unknown names, but can log them. This check has its own thread, because XGBoost's logger belongs
  /// to the thread, and other users of XGBoost in this process may have set their own.
  void refuse_unused() const {
    static thread_local std::string logged;
    std::string unused;
    const auto ask = [&] {
      api_.check(api_.log_by([](const char* line) { logged += line; }));
      const Handle data = make_data(0, Matrix<float>(1, input().bins.front().features()));
      const Handle booster = make_booster(data, 0, 0);
      set(booster, "verbosity", "1");
      set(booster, "validate_parameters", "1");
      Size size = 0;
      const char* config = nullptr;
      api_.check(api_.save_config(booster.get(), &size, &config));  // finalises all settings
      const std::size_t begin = std::min(logged.find("Parameters: {"), logged.size());
      const std::string names = logged.substr(begin, logged.find('}', begin) - begin);
      for (const auto& [name, value] : input().engine_params) {
        if (names.find(fmt::format("\"{}\"", name)) != std::string::npos) unused += (unused.empty() ? "" : ", ") + name;
      }
    };
    std::async(std::launch::async, ask).get();
    if (!unused.empty()) refuse_unknown("XGBoost", unused);
  }

  bool update(const Handle& booster, const Handle& data, Index round,
              const WeightedGradients& gradients) const override {
    const Index n = input().folds.rows();
    const Index k = input().parameters.trained_components();
    api_.check(api_.train(booster.get(), data.get(), static_cast<int>(round),
                          array_interface(gradients.gradient.data(), n, k).c_str(),
                          array_interface(gradients.hessian.data(), n, k).c_str()));
    return true;  // if nothing can be split, it adds a leaf
  }

  void read_margins(const Handle& booster, const Handle& data, std::vector<float>& margins) const override {
    const Size* shape = nullptr;
    Size dimensions = 0;
    const float* margin = nullptr;
    api_.check(api_.predict(booster.get(), data.get(), kFullMargin, &shape, &dimensions, &margin));
    Size count = 1;
    for (Size d = 0; d < dimensions; ++d) count *= shape[d];
    if (count != margins.size()) throw Error("XGBoost: the margin has an unexpected shape.");
    std::copy_n(margin, count, margins.begin());
  }

  Encoder read_trees(const Handle& booster) const override {
    const char* bytes = nullptr;
    Size size = 0;
    // Not JSON: some versions write numbers that are not valid JSON.
    api_.check(api_.save(booster.get(), R"({"format":"ubj"})", &size, &bytes));
    const Parameters& p = input().parameters;
    return trees_of_xgboost({bytes, size}, p.trained_components(), p.trees == Trees::joint);
  }

  EngineParams settings(Index v, int fold) const {
    const Parameters& p = input().parameters;
    const bool joint = p.trees == Trees::joint && p.trained_components() > 1;
    const EngineParams ours{
        {"objective", "reg:squarederror"},
        {"disable_default_eval_metric", "1"},
        {"tree_method", "hist"},
        {"base_score", "0"},
        {"num_target", std::to_string(p.trained_components())},
        {"multi_strategy", joint ? "multi_output_tree" : "one_output_per_tree"},
        {"max_depth", std::to_string(p.max_depth.at(v))},
        {"eta", as_text(p.learning_rate.at(v))},
        {"min_child_weight", as_text(p.min_child_weight.at(v))},
        {"lambda", as_text(p.reg_lambda.at(v))},
        {"colsample_bytree", as_text(p.colsample_bytree.at(v))},
        {"max_bin", "256"},  // our bin numbers, of which there are fewer
        {"seed", library_seed(input(), v, fold)},
        {"seed_per_iteration", "1"},  // otherwise boosters used in turn would share one stream of random numbers
        {"nthread", std::to_string(library_threads(input(), v))},
        {"verbosity", "0"},
    };
    return merged(ours, input().engine_params, first_name);
  }

  std::shared_ptr<SharedLibrary> library_;
  XgboostApi api_;
};

}  // namespace

std::unique_ptr<Engine> make_xgboost_engine(const EngineInput& input) { return std::make_unique<XgboostEngine>(input); }

}  // namespace treecca

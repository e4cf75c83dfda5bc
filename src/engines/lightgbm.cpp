#include "engines/lightgbm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>

#include "engines/lightgbm_trees.hpp"
#include "engines/shared_library.hpp"
#include "support/document.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using LightgbmHandle = void*;

/// The functions used, as LightGBM/c_api.h declares them.
struct LightgbmApi {
  explicit LightgbmApi(const SharedLibrary& library)
      : last_error(library.function<const char*()>("LGBM_GetLastError")),
        log_by(library.function<int(void (*)(const char*))>("LGBM_RegisterLogCallback")),
        dataset_from_matrix(library.function<int(const void*, int, std::int32_t, std::int32_t, int, const char*,
                                                 LightgbmHandle, LightgbmHandle*)>("LGBM_DatasetCreateFromMat")),
        dataset_free(library.function<int(LightgbmHandle)>("LGBM_DatasetFree")),
        create(library.function<int(LightgbmHandle, const char*, LightgbmHandle*)>("LGBM_BoosterCreate")),
        free(library.function<int(LightgbmHandle)>("LGBM_BoosterFree")),
        update(
            library.function<int(LightgbmHandle, const float*, const float*, int*)>("LGBM_BoosterUpdateOneIterCustom")),
        iterations(library.function<int(LightgbmHandle, int*)>("LGBM_BoosterGetCurrentIteration")),
        predict(library.function<int(LightgbmHandle, int, std::int64_t*, double*)>("LGBM_BoosterGetPredict")),
        dump_aliases(library.function<int(std::int64_t, std::int64_t*, char*)>("LGBM_DumpParamAliases")),
        save(library.function<int(LightgbmHandle, int, int, int, std::int64_t, std::int64_t*, char*)>(
            "LGBM_BoosterSaveModelToString")) {}

  void check(int code) const {
    if (code != 0) throw Error(fmt::format("LightGBM: {}", last_error()));
  }

  const char* (*last_error)();
  int (*log_by)(void (*)(const char*));
  int (*dataset_from_matrix)(const void*, int, std::int32_t, std::int32_t, int, const char*, LightgbmHandle,
                             LightgbmHandle*);
  int (*dataset_free)(LightgbmHandle);
  int (*create)(LightgbmHandle, const char*, LightgbmHandle*);
  int (*free)(LightgbmHandle);
  int (*update)(LightgbmHandle, const float*, const float*, int*);
  int (*iterations)(LightgbmHandle, int*);
  int (*predict)(LightgbmHandle, int, std::int64_t*, double*);
  int (*dump_aliases)(std::int64_t, std::int64_t*, char*);
  int (*save)(LightgbmHandle, int, int, int, std::int64_t, std::int64_t*, char*);
};

void be_silent(const char*) {}

/// A text of unknown length, from a function (size, length, buffer) that returns the length if the buffer is too small.
template <class Write>
std::string text_of(Write&& write) {
  std::int64_t length = 0;
  write(std::int64_t{0}, &length, nullptr);
  std::string text(static_cast<std::size_t>(length), '\0');
  write(length, &length, text.data());
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

const ReservedParameters& lightgbm_reserved() {
  static constexpr const char* kSum = "a TreeCCA model is the sum of the trees of all rounds";
  static constexpr const char* kGradients = "TreeCCA computes the gradients: set TreeCCA's objective instead";
  static constexpr const char* kMissing = "TreeCCA passes bin numbers, which already mark missing values";
  static constexpr const char* kMachines = "TreeCCA trains it in one process";
  static constexpr const char* kProgram = "it only affects LightGBM's command line";
  static const ReservedParameters kOwned = [] {
    ReservedParameters owned{
        {"boosting", kSum},
        {"linear_tree", kSum},
        {"boost_from_average", "the trees start from TreeCCA's initial values (init)"},
        {"objective", kGradients},
        {"num_class", "it is the number of components: set n_components instead"},
        {"num_iterations", "set TreeCCA's n_estimators instead"},
        {"early_stopping_round", "set TreeCCA's early_stopping_rounds instead"},
        {"seed", "set TreeCCA's random_state instead"},
        {"zero_as_missing", kMissing},
        {"use_missing", kMissing},
        {"categorical_feature", "the features of views are numbers"},
    };
    for (const char* name : {"tree_learner", "num_machines", "machines", "machine_list_filename", "local_listen_port"})
      owned[name] = kMachines;
    for (const char* name :
         {"config", "task", "data", "valid", "input_model", "output_model", "output_result", "snapshot_freq",
          "save_binary", "header", "label_column", "weight_column", "group_column", "ignore_column"})
      owned[name] = kProgram;
    return owned;
  }();
  return kOwned;
}

class LightgbmEngine final : public LibraryEngine {
 public:
  explicit LightgbmEngine(const EngineInput& given)
      : LibraryEngine(given, {"LightGBM", /*component_major=*/true}),
        library_(std::make_shared<SharedLibrary>(LibraryPlace{
            "lightgbm", "TREECCA_LIGHTGBM_LIB", "lightgbm/lib/lib_lightgbm.so", "lib_lightgbm.so", "lightgbm"})),
        api_(*library_) {
    api_.check(api_.log_by(be_silent));
    if (!given.engine_params.empty()) check_given();
  }

 private:
  Handle make_data(Index view, const Matrix<float>& codes) const override {
    api_.check(api_.log_by(be_silent));  // the logger belongs to the thread
    void* dataset = nullptr;
    constexpr int kSingle = 0;
    constexpr int kRowMajor = 1;
    api_.check(api_.dataset_from_matrix(codes.data(), kSingle, static_cast<std::int32_t>(codes.rows()),
                                        static_cast<std::int32_t>(codes.cols()), kRowMajor, settings(view, 0).c_str(),
                                        nullptr, &dataset));
    return owned(library_, dataset, api_.dataset_free);
  }

  Handle make_booster(const Handle& data, Index view, int fold) const override {
    void* booster = nullptr;
    api_.check(api_.create(data.get(), settings(view, fold).c_str(), &booster));
    return owned(library_, booster, api_.free);
  }

  bool update(const Handle& booster, const Handle& /*data*/, Index /*round*/,
              const WeightedGradients& gradients) const override {
    int before = 0;
    int after = 0;
    int finished = 0;
    api_.check(api_.iterations(booster.get(), &before));
    api_.check(api_.update(booster.get(), gradients.gradient.data(), gradients.hessian.data(), &finished));
    api_.check(api_.iterations(booster.get(), &after));
    return after > before;
  }

  void read_margins(const Handle& booster, const Handle& /*data*/, std::vector<float>& margins) const override {
    std::vector<double> scores(margins.size());
    auto length = static_cast<std::int64_t>(scores.size());
    api_.check(api_.predict(booster.get(), 0, &length, scores.data()));
    if (length != static_cast<std::int64_t>(scores.size())) throw Error("LightGBM: scores of an unexpected length.");
    std::transform(scores.begin(), scores.end(), margins.begin(), [](double x) { return static_cast<float>(x); });
  }

  Encoder read_trees(const Handle& booster) const override {
    const std::string text = text_of([&](std::int64_t room, std::int64_t* length, char* buffer) {
      api_.check(api_.save(booster.get(), 0, -1, 0, room, length, buffer));
    });
    return trees_of_lightgbm(text, input().parameters.trained_components());
  }

  /// Refuses unknown names and repeated parameters, which LightGBM would ignore.
  void check_given() {
    const std::string text = text_of([&](std::int64_t room, std::int64_t* length, char* buffer) {
      api_.check(api_.dump_aliases(room, length, buffer));
    });
    Document aliases;
    read_document(text, aliases, {.keys = text.size()});
    for (std::size_t i = 0; i < aliases.keys.size(); ++i) {
      first_names_[aliases.keys[i]] = aliases.keys[i];
      for (const std::string& other : aliases.items[i].texts) first_names_[other] = aliases.keys[i];
    }
    std::string unknown;
    for (const auto& [name, value] : input().engine_params) {
      if (!first_names_.contains(name)) unknown += (unknown.empty() ? "" : ", ") + name;
      if (value.find_first_of(" \t\r\n") != std::string::npos) {
        throw UsageError(fmt::format("engine_params: LightGBM would read the value \"{}\" of {} only up to the space.",
                                     value, name));
      }
    }
    if (!unknown.empty()) refuse_unknown("LightGBM", unknown);
    reject_reserved("LightGBM", input().engine_params, lightgbm_reserved(),
                    [&](const std::string& name) { return first_name(name); });
  }

  std::string first_name(const std::string& name) const {
    const auto found = first_names_.find(name);
    return found == first_names_.end() ? name : found->second;
  }

  std::string settings(Index v, int fold) const {
    const Parameters& p = input().parameters;
    const Index rows = input().folds.rows();
    // A tree has no more leaves than rows; LightGBM allocates all of them in advance.
    const Index leaves = std::min(Index{1} << p.max_depth.at(v), std::max<Index>(2, rows));
    // Without a bound LightGBM counts Hessians that are not 0; Hessians of held-out rows are 0.
    const double min_child_weight = std::max(kMinChildWeight, p.min_child_weight.at(v));
    const EngineParams ours{
        {"objective", "none"},
        {"num_class", std::to_string(p.trained_components())},
        {"boosting", "gbdt"},
        {"max_depth", std::to_string(p.max_depth.at(v))},
        {"num_leaves", std::to_string(leaves)},
        {"learning_rate", as_text(p.learning_rate.at(v))},
        {"min_sum_hessian_in_leaf", as_text(min_child_weight)},
        {"min_data_in_leaf", "1"},
        {"lambda_l2", as_text(p.reg_lambda.at(v))},
        {"feature_fraction", as_text(p.colsample_bytree.at(v))},
        // One bin for each of our bins and one for missing values, determined from all rows.
        {"max_bin", std::to_string(p.max_bin.at(v) + 1)},
        {"min_data_in_bin", "1"},
        {"bin_construct_sample_cnt", std::to_string(rows)},
        {"feature_pre_filter", "false"},
        {"boost_from_average", "false"},
        {"seed", library_seed(input(), v, fold)},
        {"deterministic", "true"},
        {"force_col_wise", "true"},
        {"num_threads", std::to_string(library_threads(input(), v))},
        {"verbosity", "-1"},
    };
    std::string text;
    for (const auto& [name, value] :
         merged(ours, input().engine_params, [&](const auto& n) { return first_name(n); })) {
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    }
    return text;
  }

  static constexpr double kMinChildWeight = 1e-3;

  std::map<std::string, std::string> first_names_;  // of all parameters; filled only if engine_params are given
  std::shared_ptr<SharedLibrary> library_;
  LightgbmApi api_;
};

}  // namespace

std::unique_ptr<Engine> make_lightgbm_engine(const EngineInput& input) {
  if (input.parameters.trees == Trees::joint) {
    throw UsageError("engine=lightgbm has no trees with a vector in each leaf: set trees=scalar.");
  }
  return std::make_unique<LightgbmEngine>(input);
}

}  // namespace treecca

#include "engines/lightgbm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "engines/lightgbm_trees.hpp"
#include "engines/shared_library.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using RawHandle = void*;

/// The functions used, as LightGBM/c_api.h declares them.
struct Api {
  explicit Api(const SharedLibrary& library)
      : last_error(library.function<const char*()>("LGBM_GetLastError")),
        log_by(library.function<int(void (*)(const char*))>("LGBM_RegisterLogCallback")),
        dataset_from_matrix(library.function<int(const void*, int, std::int32_t, std::int32_t, int, const char*,
                                                 RawHandle, RawHandle*)>("LGBM_DatasetCreateFromMat")),
        dataset_free(library.function<int(RawHandle)>("LGBM_DatasetFree")),
        create(library.function<int(RawHandle, const char*, RawHandle*)>("LGBM_BoosterCreate")),
        free(library.function<int(RawHandle)>("LGBM_BoosterFree")),
        update(library.function<int(RawHandle, const float*, const float*, int*)>("LGBM_BoosterUpdateOneIterCustom")),
        iterations(library.function<int(RawHandle, int*)>("LGBM_BoosterGetCurrentIteration")),
        predict(library.function<int(RawHandle, int, std::int64_t*, double*)>("LGBM_BoosterGetPredict")),
        save(library.function<int(RawHandle, int, int, int, std::int64_t, std::int64_t*, char*)>(
            "LGBM_BoosterSaveModelToString")) {}

  void check(int code) const {
    if (code != 0) throw Error(fmt::format("LightGBM: {}", last_error()));
  }

  const char* (*last_error)();
  int (*log_by)(void (*)(const char*));
  int (*dataset_from_matrix)(const void*, int, std::int32_t, std::int32_t, int, const char*, RawHandle, RawHandle*);
  int (*dataset_free)(RawHandle);
  int (*create)(RawHandle, const char*, RawHandle*);
  int (*free)(RawHandle);
  int (*update)(RawHandle, const float*, const float*, int*);
  int (*iterations)(RawHandle, int*);
  int (*predict)(RawHandle, int, std::int64_t*, double*);
  int (*save)(RawHandle, int, int, int, std::int64_t, std::int64_t*, char*);
};

void be_silent(const char*) {}

class LightgbmEngine final : public ForeignEngine {
 public:
  explicit LightgbmEngine(const EngineInput& input)
      : ForeignEngine(input, /*component_major=*/true),
        library_(std::make_shared<SharedLibrary>(LibraryPlace{
            "lightgbm", "TREECCA_LIGHTGBM_LIB", "lightgbm/lib/lib_lightgbm.so", "lib_lightgbm.so", "lightgbm"})),
        api_(*library_) {
    api_.check(api_.log_by(be_silent));
  }

 private:
  Handle make_data(Index view, const Matrix<float>& codes) const override {
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
    std::int64_t length = 0;
    api_.check(api_.save(booster.get(), 0, -1, 0, 0, &length, nullptr));
    std::string text(static_cast<std::size_t>(length), '\0');
    api_.check(api_.save(booster.get(), 0, -1, 0, length, &length, text.data()));
    return trees_of_lightgbm({text.data(), text.find('\0')}, input().parameters.trained_components());
  }

  std::string settings(Index v, int fold) const {
    const Parameters& p = input().parameters;
    // One bin for each of ours and one for missing values, found by looking at all rows.
    std::string text = fmt::format(
        "objective=none num_class={} boosting=gbdt max_depth={} num_leaves={} learning_rate={} "
        "min_sum_hessian_in_leaf={} min_data_in_leaf=1 lambda_l2={} feature_fraction={} max_bin={} min_data_in_bin=1 "
        "bin_construct_sample_cnt={} "
        "feature_pre_filter=false boost_from_average=false seed={} deterministic=true force_col_wise=true "
        "num_threads={} verbosity=-1",
        p.trained_components(), p.max_depth.at(v), Index{1} << p.max_depth.at(v), p.learning_rate.at(v),
        p.min_child_weight.at(v), p.reg_lambda.at(v), p.colsample_bytree.at(v), p.max_bin.at(v) + 1,
        input().folds.rows(), (p.random_state * 31 + static_cast<std::uint64_t>(v * 7 + fold)) % 2147483647,
        input().threads.count);
    for (const auto& [name, value] : input().more) text += fmt::format(" {}={}", name, value);
    return text;
  }

  std::shared_ptr<SharedLibrary> library_;
  Api api_;
};

}  // namespace

std::unique_ptr<Engine> make_lightgbm_engine(const EngineInput& input) {
  if (input.parameters.trees == Trees::joint) {
    throw UsageError("engine=lightgbm has no trees with a vector in each leaf: set trees=scalar.");
  }
  return std::make_unique<LightgbmEngine>(input);
}

}  // namespace treecca

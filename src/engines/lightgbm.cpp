#include "engines/lightgbm.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>

#include "engines/lightgbm_trees.hpp"
#include "engines/shared_library.hpp"
#include "support/stop.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Handle = void*;

/// The functions used, as LightGBM/c_api.h declares them.
struct Api {
  explicit Api(const SharedLibrary& library)
      : last_error(library.function<const char*()>("LGBM_GetLastError")),
        log_by(library.function<int(void (*)(const char*))>("LGBM_RegisterLogCallback")),
        dataset_from_matrix(
            library.function<int(const void*, int, std::int32_t, std::int32_t, int, const char*, Handle, Handle*)>(
                "LGBM_DatasetCreateFromMat")),
        dataset_free(library.function<int(Handle)>("LGBM_DatasetFree")),
        create(library.function<int(Handle, const char*, Handle*)>("LGBM_BoosterCreate")),
        free(library.function<int(Handle)>("LGBM_BoosterFree")),
        update(library.function<int(Handle, const float*, const float*, int*)>("LGBM_BoosterUpdateOneIterCustom")),
        iterations(library.function<int(Handle, int*)>("LGBM_BoosterGetCurrentIteration")),
        predict(library.function<int(Handle, int, std::int64_t*, double*)>("LGBM_BoosterGetPredict")),
        save(library.function<int(Handle, int, int, int, std::int64_t, std::int64_t*, char*)>(
            "LGBM_BoosterSaveModelToString")) {}

  void check(int code) const {
    if (code != 0) throw Error(fmt::format("LightGBM: {}", last_error()));
  }

  const char* (*last_error)();
  int (*log_by)(void (*)(const char*));
  int (*dataset_from_matrix)(const void*, int, std::int32_t, std::int32_t, int, const char*, Handle, Handle*);
  int (*dataset_free)(Handle);
  int (*create)(Handle, const char*, Handle*);
  int (*free)(Handle);
  int (*update)(Handle, const float*, const float*, int*);
  int (*iterations)(Handle, int*);
  int (*predict)(Handle, int, std::int64_t*, double*);
  int (*save)(Handle, int, int, int, std::int64_t, std::int64_t*, char*);
};

void be_silent(const char*) {}

class LightgbmEngine final : public Engine {
 public:
  explicit LightgbmEngine(const EngineInput& input)
      : input_(input),
        library_({"lightgbm", "TREECCA_LIGHTGBM_LIB", "lightgbm/lib/lib_lightgbm.so", "lib_lightgbm.so", "lightgbm"}),
        api_(library_) {
    api_.check(api_.log_by(be_silent));
  }

  ~LightgbmEngine() override {
    for (const auto& [key, booster] : boosters_) api_.free(booster.handle);
    for (const auto& [key, dataset] : datasets_) api_.dataset_free(dataset);
  }

  void boost(Index round, std::span<const BoostJob> jobs) override {
    const Index n = input_.folds.rows();
    const Index k = input_.parameters.trained_components();
    std::vector<double> scores(static_cast<std::size_t>(n * k));
    for (const BoostJob& job : jobs) {
      check_stop(input_.threads.stop);
      EncoderState& encoder = *job.encoder;
      Booster& booster = booster_of(encoder);
      weighted_gradients(input_, round, job, /*component_major=*/true, gradients_);
      int finished = 0;
      api_.check(api_.update(booster.handle, gradients_.gradient.data(), gradients_.hessian.data(), &finished));
      int iterations = 0;
      api_.check(api_.iterations(booster.handle, &iterations));
      booster.iterations_after.push_back(iterations);  // a round in which nothing can be split leaves no trees
      auto length = static_cast<std::int64_t>(scores.size());
      api_.check(api_.predict(booster.handle, 0, &length, scores.data()));
      if (length != static_cast<std::int64_t>(scores.size())) throw Error("LightGBM: scores of an unexpected length.");
      for (Index i = 0; i < n; ++i) {
        for (Index c = 0; c < k; ++c) {
          encoder.embedding(i, c) =
              booster.base(i, c) + static_cast<float>(scores[static_cast<std::size_t>(c * n + i)]);
        }
      }
    }
  }

  void finish(EncoderState& encoder) override {
    const Booster& booster = booster_of(encoder);
    const Index k = input_.parameters.trained_components();
    std::int64_t length = 0;
    api_.check(api_.save(booster.handle, 0, -1, 0, 0, &length, nullptr));
    std::string text(static_cast<std::size_t>(length), '\0');
    api_.check(api_.save(booster.handle, 0, -1, 0, length, &length, text.data()));
    const Encoder grown = trees_of_lightgbm({text.data(), text.find('\0')}, k);
    Tree nothing;
    nothing.nodes.resize(1);
    nothing.nodes[0].leaf = 0;
    nothing.leaf_values = {0.0F};
    encoder.trees.clear();
    int before = 0;
    for (const int after : booster.iterations_after) {
      for (Index c = 0; c < k; ++c) {
        nothing.component = static_cast<std::int32_t>(c);
        encoder.trees.push_back(after > before ? grown.at(static_cast<std::size_t>(before * k + c)) : nothing);
      }
      before = after;
    }
    name_features_of_view(input_, encoder);
  }

  void rewind(EncoderState& encoder, Index rounds, const Matrix<float>* base) override {
    rewind_by_walking(input_, encoder, rounds, base);
  }

 private:
  struct Booster {
    Handle handle = nullptr;
    Matrix<float> base;                 // the embedding before the first tree
    std::vector<int> iterations_after;  // per round
  };

  Handle dataset_of(const EncoderState& encoder) {
    const int fold = fold_to_see(input_, encoder);
    const auto [found, is_new] = datasets_.try_emplace({encoder.view, fold}, nullptr);
    if (!is_new) return found->second;
    const Matrix<float> values = visible_values(input_, encoder.view, fold);
    constexpr int kSingle = 0;
    constexpr int kRowMajor = 1;
    api_.check(api_.dataset_from_matrix(values.data(), kSingle, static_cast<std::int32_t>(values.rows()),
                                        static_cast<std::int32_t>(values.cols()), kRowMajor,
                                        settings(encoder.view, 0).c_str(), nullptr, &found->second));
    return found->second;
  }

  Booster& booster_of(const EncoderState& encoder) {
    const auto [found, is_new] = boosters_.try_emplace({encoder.view, encoder.fold});
    Booster& booster = found->second;
    if (!is_new) return booster;
    booster.base = encoder.embedding;
    api_.check(api_.create(dataset_of(encoder), settings(encoder.view, encoder.fold).c_str(), &booster.handle));
    return booster;
  }

  std::string settings(Index v, int fold) const {
    const Parameters& p = input_.parameters;
    std::string text = fmt::format(
        "objective=none num_class={} boosting=gbdt max_depth={} num_leaves={} learning_rate={} "
        "min_sum_hessian_in_leaf={} min_data_in_leaf=1 lambda_l2={} feature_fraction={} max_bin={} min_data_in_bin=1 "
        "feature_pre_filter=false boost_from_average=false seed={} deterministic=true force_col_wise=true "
        "num_threads={} verbosity=-1",
        p.trained_components(), p.max_depth.at(v), Index{1} << p.max_depth.at(v), p.learning_rate.at(v),
        p.min_child_weight.at(v), p.reg_lambda.at(v), p.colsample_bytree.at(v), p.max_bin.at(v),
        (p.random_state * 31 + static_cast<std::uint64_t>(v * 7 + fold)) % 2147483647, input_.threads.count);
    for (const auto& [name, value] : input_.more) text += fmt::format(" {}={}", name, value);
    return text;
  }

  EngineInput input_;
  SharedLibrary library_;
  Api api_;
  std::map<std::pair<Index, int>, Handle> datasets_;  // by view and fold_to_see
  std::map<std::pair<Index, int>, Booster> boosters_;
  WeightedGradients gradients_;
};

}  // namespace

std::unique_ptr<Engine> make_lightgbm_engine(const EngineInput& input) {
  if (input.parameters.trees == Trees::joint) {
    throw UsageError("engine=lightgbm has no trees with a vector in each leaf: set trees=scalar.");
  }
  return std::make_unique<LightgbmEngine>(input);
}

}  // namespace treecca

#include "engines/xgboost.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>

#include "engines/shared_library.hpp"
#include "engines/xgboost_library.hpp"
#include "engines/xgboost_trees.hpp"
#include "support/stop.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Handle = void*;
using Size = std::uint64_t;  // bst_ulong

/// The functions used, as xgboost/c_api.h declares them.
struct Api {
  explicit Api(const SharedLibrary& library)
      : last_error(library.function<const char*()>("XGBGetLastError")),
        matrix_from_dense(library.function<int(const char*, const char*, Handle*)>("XGDMatrixCreateFromDense")),
        matrix_free(library.function<int(Handle)>("XGDMatrixFree")),
        create(library.function<int(const Handle*, Size, Handle*)>("XGBoosterCreate")),
        free(library.function<int(Handle)>("XGBoosterFree")),
        set_parameter(library.function<int(Handle, const char*, const char*)>("XGBoosterSetParam")),
        train(library.function<int(Handle, Handle, int, const char*, const char*)>("XGBoosterTrainOneIter")),
        predict(library.function<int(Handle, Handle, const char*, const Size**, Size*, const float**)>(
            "XGBoosterPredictFromDMatrix")),
        save(library.function<int(Handle, const char*, Size*, const char**)>("XGBoosterSaveModelToBuffer")),
        world_size(library.function<int()>("XGCommunicatorGetWorldSize")) {}

  void check(int code) const {
    if (code != 0) throw Error(fmt::format("XGBoost: {}", last_error()));
  }

  const char* (*last_error)();
  int (*matrix_from_dense)(const char*, const char*, Handle*);
  int (*matrix_free)(Handle);
  int (*create)(const Handle*, Size, Handle*);
  int (*free)(Handle);
  int (*set_parameter)(Handle, const char*, const char*);
  int (*train)(Handle, Handle, int, const char*, const char*);
  int (*predict)(Handle, Handle, const char*, const Size**, Size*, const float**);
  int (*save)(Handle, const char*, Size*, const char**);
  int (*world_size)();
};

std::string array_interface(const float* data, Index rows, Index cols) {
  static const float nothing = 0;  // a worker may have no rows, but XGBoost wants an address
  if (data == nullptr) data = &nothing;
  return fmt::format(R"({{"data":[{},true],"shape":[{},{}],"typestr":"<f4","version":3}})",
                     reinterpret_cast<std::uintptr_t>(data), rows, cols);
}

class XgboostEngine final : public Engine {
 public:
  explicit XgboostEngine(const EngineInput& input) : input_(input), library_(xgboost_library_place()), api_(library_) {
    // XGBoost adds up its histograms over its own communicator, which must be the one of this fit, or none.
    if (api_.world_size() != input.folds.shard.peers().size()) {
      throw UsageError(fmt::format(
          "XGBoost takes part in a group of {} processes, this fit in one of {}. Over several processes engine=xgboost "
          "needs XGBoost's own communicator, made in the thread that calls fit.",
          api_.world_size(), input.folds.shard.peers().size()));
    }
  }

  ~XgboostEngine() override {
    for (const auto& [key, booster] : boosters_) api_.free(booster.handle);
    for (const auto& [key, matrix] : matrices_) api_.matrix_free(matrix);
  }

  void boost(Index round, std::span<const BoostJob> jobs) override {
    const Index n = input_.folds.rows();
    const Index k = input_.parameters.trained_components();
    for (const BoostJob& job : jobs) {
      check_stop(input_.threads.stop);
      EncoderState& encoder = *job.encoder;
      Booster& booster = booster_of(encoder);
      weighted_gradients(input_, round, job, /*component_major=*/false, gradients_);
      const Handle matrix = matrix_of(encoder);
      api_.check(api_.train(booster.handle, matrix, static_cast<int>(round),
                            array_interface(gradients_.gradient.data(), n, k).c_str(),
                            array_interface(gradients_.hessian.data(), n, k).c_str()));
      const Size* shape = nullptr;
      Size dimensions = 0;
      const float* margin = nullptr;
      api_.check(api_.predict(booster.handle, matrix, kFullMargin, &shape, &dimensions, &margin));
      Size count = 1;
      for (Size d = 0; d < dimensions; ++d) count *= shape[d];
      if (count != static_cast<Size>(n * k)) throw Error("XGBoost: the margin has an unexpected shape.");
      for (Index i = 0; i < n * k; ++i) encoder.embedding.data()[i] = booster.base.data()[i] + margin[i];
    }
  }

  void finish(EncoderState& encoder) override {
    const char* text = nullptr;
    Size size = 0;
    api_.check(api_.save(booster_of(encoder).handle, R"({"format":"json"})", &size, &text));
    encoder.trees = trees_of_xgboost({text, size}, input_.parameters.trees == Trees::joint);
    name_features_of_view(input_, encoder);
  }

  void rewind(EncoderState& encoder, Index rounds, const Matrix<float>* base) override {
    rewind_by_walking(input_, encoder, rounds, base);
  }

 private:
  struct Booster {
    Handle handle = nullptr;
    Matrix<float> base;  // the embedding before the first tree
  };

  // The whole margin from the cache; a range of rounds would reset it.
  static constexpr const char* kFullMargin =
      R"({"type":1,"training":false,"iteration_begin":0,"iteration_end":0,"strict_shape":true})";

  Handle matrix_of(const EncoderState& encoder) {
    const int fold = fold_to_see(input_, encoder);
    const auto [found, is_new] = matrices_.try_emplace({encoder.view, fold}, nullptr);
    if (!is_new) return found->second;
    const Matrix<float> values = visible_values(input_, encoder.view, fold);  // copied by XGBoost
    const std::string config = fmt::format(R"({{"missing":NaN,"nthread":{}}})", input_.threads.count);
    api_.check(api_.matrix_from_dense(array_interface(values.data(), values.rows(), values.cols()).c_str(),
                                      config.c_str(), &found->second));
    return found->second;
  }

  Booster& booster_of(const EncoderState& encoder) {
    const auto [found, is_new] = boosters_.try_emplace({encoder.view, encoder.fold});
    Booster& booster = found->second;
    if (!is_new) return booster;
    booster.base = encoder.embedding;
    const Handle matrix = matrix_of(encoder);
    api_.check(api_.create(&matrix, 1, &booster.handle));
    for (const auto& [name, value] : settings(encoder)) {
      api_.check(api_.set_parameter(booster.handle, name.c_str(), value.c_str()));
    }
    return booster;
  }

  EngineParameters settings(const EncoderState& encoder) const {
    const Parameters& p = input_.parameters;
    const Index v = encoder.view;
    const bool joint = p.trees == Trees::joint && p.trained_components() > 1;
    EngineParameters result{
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
        {"max_bin", std::to_string(p.max_bin.at(v))},
        {"seed", std::to_string((p.random_state * 31 + static_cast<std::uint64_t>(v * 7 + encoder.fold)) % 2147483647)},
        {"seed_per_iteration", "1"},  // else boosters that take turns would share one stream of random numbers
        {"nthread", std::to_string(input_.threads.count)},
        {"verbosity", "0"},
    };
    result.insert(result.end(), input_.more.begin(), input_.more.end());
    return result;
  }

  EngineInput input_;
  SharedLibrary library_;
  Api api_;
  std::map<std::pair<Index, int>, Handle> matrices_;  // by view and fold_to_see
  std::map<std::pair<Index, int>, Booster> boosters_;
  WeightedGradients gradients_;
};

}  // namespace

std::unique_ptr<Engine> make_xgboost_engine(const EngineInput& input) { return std::make_unique<XgboostEngine>(input); }

}  // namespace treecca

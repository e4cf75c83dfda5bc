// What the engines of other libraries share: one booster per encoder, driven with our gradients, on our bins.
//
// The library sees every feature as the number of its bin, so that all engines choose from the same splits; thresholds
// come back as raw values. Gradients are for all rows of a view, where rows that an encoder must not learn from (held
// out, not drawn) weigh nothing. Where rows change every round (TreeCCA-SSL), a booster lives for one round.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "boost/engine.hpp"
#include "boost/folds.hpp"
#include "boost/weights.hpp"
#include "data/binning.hpp"
#include "engines/shared_library.hpp"
#include "select/choose.hpp"  // for KeptFeatures
#include "support/threads.hpp"
#include "treecca/fit.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// (name, value) pairs handed to the library as they are.
using EngineParameters = decltype(FitOptions::engine_params);

/// What every engine is made from; references must outlive it.
struct EngineInput {
  const std::vector<View>& views;
  const std::vector<BinnedView>& bins;  // of the views
  const Parameters& parameters;         // without "auto" values
  const Folds& folds;
  const RowWeights& weights;
  const KeptFeatures& kept;
  const EngineParameters& more;
  Threads threads;
  bool rows_change = false;  // the bins hold other rows in every round
};

/// Numbers of one job, N x K each. Element (i, k) stands at i * K + k, or at k * N + i for engines that want that.
struct WeightedGradients {
  std::vector<float> gradient;
  std::vector<float> hessian;
};

class ForeignEngine : public Engine {
 public:
  void boost(Index round, std::span<const BoostJob> jobs) final;
  void finish(EncoderState& encoder) final;
  void rewind(EncoderState& encoder, Index rounds, const Matrix<float>* base) final;

 protected:
  /// Something of the library's, freed with its last owner.
  using Handle = std::shared_ptr<void>;

  /// The library stays open until the last of its objects is gone.
  static Handle owned(std::shared_ptr<SharedLibrary> library, void* object, int (*free)(void*)) {
    return {object, [library = std::move(library), free](void* gone) { free(gone); }};
  }

  ForeignEngine(const EngineInput& input, bool component_major) : input_(input), component_major_(component_major) {}

  const EngineInput& input() const { return input_; }

  /// A matrix of bin numbers, missing values NaN.
  virtual Handle make_data(Index view, const Matrix<float>& codes) const = 0;
  virtual Handle make_booster(const Handle& data, Index view, int fold) const = 0;
  /// One more round; false when nothing could be split and no tree was added.
  virtual bool update(const Handle& booster, const Handle& data, Index round,
                      const WeightedGradients& gradients) const = 0;
  /// The sum of all trees so far for all rows, in the order of the gradients.
  virtual void read_margins(const Handle& booster, const Handle& data, std::vector<float>& margins) const = 0;
  /// All trees, round by round, features and thresholds as in the data.
  virtual Encoder read_trees(const Handle& booster) const = 0;

 private:
  struct Booster {
    Handle data;
    Handle handle;
    Matrix<float> base;      // the embedding before the first tree
    std::vector<bool> grew;  // per round
  };

  Handle data_of(const EncoderState& encoder);
  Booster& booster_of(const EncoderState& encoder);
  void add_round(Index round, const BoostJob& job, Booster& booster) const;
  void add_lone_round(Index round, const BoostJob& job);
  Encoder trees_of(const Booster& booster, const EncoderState& encoder) const;

  EngineInput input_;
  bool component_major_;
  std::map<std::pair<Index, int>, Handle> data_;  // by view, and by fold where folds see different features
  std::map<std::pair<Index, int>, Booster> boosters_;
};

/// Gradients and weights of one job.
void weighted_gradients(const EngineInput& input, Index round, const BoostJob& job, bool component_major,
                        WeightedGradients& out);

/// The bin numbers of the features that an encoder may use, as floats, missing values NaN.
Matrix<float> visible_codes(const EngineInput& input, Index view, int fold);

/// Trees grown on `visible_codes`, from now on in features and units of the view.
void decode_trees(const EngineInput& input, Index view, int fold, Encoder& trees);

/// "0.1" or "3": parameters as text.
std::string as_text(double value);

}  // namespace treecca

// The common part of engines that use other libraries: one booster per encoder, given our gradients and our bins.
// The library gets the bin numbers of the features, so that all engines choose from the same splits; thresholds are
// converted back to raw values. Gradients cover all rows of a view; rows that an encoder must not learn from (held out,
// not drawn) have weight 0. If rows change every round (TreeCCA-SSL), a booster lives for one round.
//
// Boosters run one after the other, in the calling thread, because the libraries do not lock their matrices, and
// XGBoost stores margins by thread.
//
// The sums of the trees must equal the library's own margins, else the fit fails: engine_params can request models that
// are not sums of trees.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/engine.hpp"
#include "engines/engine_parameters.hpp"
#include "engines/shared_library.hpp"

namespace treecca {

/// Numbers of one job, N x W each. Element (i, k) is at i * W + k, or at k * N + i for component-major engines.
struct WeightedGradients {
  std::vector<float> gradient;
  std::vector<float> hessian;
};

class LibraryEngine : public Engine {
 public:
  void boost(Index round, std::span<const GrowJob> jobs) final;
  void finish(EncoderState& encoder) final;
  void rewind(EncoderState& encoder, Index rounds, const Matrix<float>* base) final;

 protected:
  /// A handle of the library, freed with its last owner.
  using Handle = std::shared_ptr<void>;

  /// The library stays open while any of its objects exists.
  static Handle owned(std::shared_ptr<SharedLibrary> library, void* object, int (*free)(void*)) {
    return {object, [library = std::move(library), free](void* gone) { free(gone); }};
  }

  /// The calls and conventions of a library.
  struct LibraryTraits {
    std::string name;              // for messages: "XGBoost"
    bool component_major = false;  // see WeightedGradients
  };

  LibraryEngine(const EngineInput& input, LibraryTraits traits) : input_(input), traits_(std::move(traits)) {}

  const EngineInput& input() const { return input_; }

  /// A matrix of bin numbers, missing values NaN.
  virtual Handle make_data(Index view, const Matrix<float>& codes) const = 0;
  virtual Handle make_booster(const Handle& data, Index view, int fold) const = 0;
  /// Adds one more round; returns false if nothing could be split and no tree was added.
  virtual bool update(const Handle& booster, const Handle& data, Index round,
                      const WeightedGradients& gradients) const = 0;
  /// The sum of all trees so far for all rows, in the order of the gradients.
  virtual void read_margins(const Handle& booster, const Handle& data, std::vector<float>& margins) const = 0;
  /// All trees, round by round, with the features and thresholds of the data.
  virtual Encoder read_trees(const Handle& booster) const = 0;

 private:
  using Place = std::pair<Index, int>;  // view, fold

  struct Booster {
    Handle data;
    Handle handle;
    Matrix<float> base;      // the embedding before the first tree
    std::vector<bool> grew;  // per round
  };

  Place data_place(const EncoderState& encoder) const;
  Booster& booster_of(const EncoderState& encoder);
  void add_round(Index round, const GrowJob& job, Booster& booster) const;
  void add_lone_round(Index round, const GrowJob& job) const;
  void read_margins(const Booster& booster, std::vector<float>& buffer, Matrix<float>& margins) const;
  Encoder read_rounds(const Booster& booster) const;
  void check_trees(const Encoder& trees, const MatrixView& values, const Matrix<float>& margins) const;

  EngineInput input_;
  LibraryTraits traits_;
  std::map<Place, Handle> data_;
  std::map<Place, Booster> boosters_;
};

/// Gradients and weights of one job.
void weighted_gradients(const EngineInput& input, Index round, const GrowJob& job, bool component_major,
                        WeightedGradients& out);

/// The bin numbers of the features that an encoder may use, as floats, missing values NaN.
Matrix<float> visible_codes(const EngineInput& input, Index view, int fold);

/// Converts trees grown on `visible_codes` to the features and units of the view. Failure: ModelError for a split on a
/// feature that does not exist.
void decode_trees(const EngineInput& input, Index view, int fold, Encoder& trees);

/// Number of threads that the library may use for a view. For small data it is one: packaged libraries include their
/// own OpenMP, whose waiting threads compete with ours for the processors. With two threads instead of one, XGBoost
/// took three times as long (5,000 x 8: 19 ms per round against 6), and LightGBM up to ten times as long (2,400 x 3: 31
/// ms against 3).
int library_threads(const EngineInput& input, Index view);

/// The library's seed for an encoder, as text: 31 random bits, keyed by random_state, view and fold.
std::string library_seed(const EngineInput& input, Index view, int fold);

/// "0.1" or "3": parameters as text.
std::string as_text(double value);

}  // namespace treecca

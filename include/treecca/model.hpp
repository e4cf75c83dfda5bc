// A fitted model: everything that is needed to embed new data, to explain the fit and to repeat it.
//
// M views, K components, p_v features of view v. A view has parts p, each with some encoders; its embedding of a row x
// is
//     z_p(x) = base_margin(x) + mean over the part's encoders of the sum of their leaves        (W numbers)
// and the variates of the row are
//     sum over parts of (z_p(x) - mean_p) * rotation_p  +  linear(x)  -  covariate_effect(c)    (K numbers),
// where c are columns made of the covariates of the row (CovariateTerm), if the model has any.
// Encoders and embeddings have W >= K components (n_oversamples more). rotation_p holds all that follows the trees:
// scale, weight, alignment, rotation, and the mean over the parts.
// A Model is a plain value: copy it, compare it, share it between threads for reading.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "treecca/engines.hpp"
#include "treecca/linear_map.hpp"
#include "treecca/matrix.hpp"
#include "treecca/parameters.hpp"
#include "treecca/tree.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// One ensemble. Cross-fitting gives a view several, each trained without one fold.
using Encoder = std::vector<Tree>;

/// How much every feature of a view depends on its best partner among the features of the other views; see
/// treecca/screen.hpp.
struct FeatureScores {
  std::vector<double> score;               // p_v: as a standard normal deviate; 0 where nothing can be said
  std::vector<std::int32_t> partner_view;  // p_v: -1 where there is none
  std::vector<std::int32_t> partner;       // p_v: a feature of that view
  std::vector<double> p_value;             // p_v, or empty when no rows were shuffled

  bool operator==(const FeatureScores&) const = default;
};

/// What screening left to the trees of a view. Nothing anywhere: it was not used.
struct Screening {
  std::vector<std::vector<std::int32_t>> kept;  // per encoder: features, ascending
  FeatureScores scores;                         // from all training rows; empty when all features are kept unseen

  bool empty() const { return kept.empty(); }
  bool operator==(const Screening&) const = default;
};

/// One fit of a view's trees: to all samples (preset plain), or to all but a fifth of them.
struct PartModel {
  std::vector<Encoder> encoders;  // max(1, cross_fit)
  std::vector<double> mean;       // W: mean embedding of the training rows
  Matrix<double> rotation;        // W x K; with one part and without rotation, the identity

  bool operator==(const PartModel&) const = default;
};

/// How a covariate becomes columns. A number x with m knots: m - 1 columns, x and the m - 2 cubic functions of a
/// natural cubic spline; beyond the outer knots x counts as the nearest one. Classes: one column per level but the
/// first, 1 where the row has it.
struct CovariateTerm {
  std::string name;
  std::vector<double> knots;        // of a number: two or more, ascending
  std::vector<std::string> levels;  // of classes: two or more

  bool operator==(const CovariateTerm&) const = default;
};

/// Correlations of the features of a view with variates, and standard errors of these; p_v x K each. Of samples that
/// the trees have not seen, if there are folds.
struct Loadings {
  Matrix<double> own, own_errors;      // with the variates of the view
  Matrix<double> cross, cross_errors;  // with the mean of the other views' variates; empty for one view, without folds

  bool empty() const { return own.empty(); }
  bool operator==(const Loadings&) const = default;
};

struct ViewModel {
  std::string name;
  std::vector<std::string> feature_names;  // p_v
  Levels levels;                           // of the features that are categories
  /// Like `levels`: training rows that have each.
  std::vector<std::vector<double>> level_counts;
  std::vector<double> offset;           // p_v, or empty for none: subtracted from the features before all else
  LinearMap base_margin;                // to W numbers, or empty
  std::vector<PartModel> parts;         // none where linear CCA has all the weight
  LinearMap linear;                     // to K: the share of linear CCA in the variates; empty if it has none
  LinearMap covariate_effect;           // d x K: subtracted from the variates; empty without covariates
  std::vector<double> mean, deviation;  // p_v: of the features among the training rows, less `offset`; 0 for
                                        // categories; models of earlier releases may lack them, `deviation` only
                                        // without `linear`
  Loadings loadings;                    // models of earlier releases lack them
  Screening screening;                  // `kept`: of all encoders, part by part

  bool is_category(Index feature) const {
    return !levels.empty() && !levels[static_cast<std::size_t>(feature)].empty();
  }
  bool operator==(const ViewModel&) const = default;
};

/// A blend of trees and linear CCA that a fit compared with others.
struct BlendResult {
  double linear = 0;                 // weight of linear CCA
  std::vector<double> correlations;  // K: on samples that the trees and linear CCA have not seen
  bool chosen = false;
  double judged = 0;  // the TCC that the choice went by: of a mean over the repeats, not over all parts

  bool operator==(const BlendResult&) const = default;
};

/// Canonical correlations per component; for M > 2 the mean over all pairs of views.
/// "out of fold": every row was embedded by trees (and a rotation) that never saw it. Empty without
/// cross-fitting: the training data alone then tell nothing about new rows.
struct Correlations {
  std::vector<double> out_of_fold;                // K, in the order of the components
  std::vector<double> standard_errors;            // K: of out_of_fold
  std::vector<double> noise_thresholds;           // K: out_of_fold must exceed it to be told from noise
  std::vector<BlendResult> candidates;            // what was compared; one entry where nothing was
  std::vector<double> in_sample;                  // K: the final model on its own training rows
  std::vector<double> linear_out_of_fold;         // K: linear CCA/MCCA on the same rows and folds
  std::vector<double> linear_in_sample;           // K
  std::vector<double> linear_unadjusted;          // K: as linear_out_of_fold, without removing covariates; or empty
  std::vector<double> pairwise;                   // M x M x K, row-major: as out_of_fold (in_sample without folds)
  std::vector<double> pairwise_standard_errors;   // M x M x K, 0 on the diagonal; empty without out_of_fold, or M = 1
  std::vector<double> pairwise_noise_thresholds;  // as above

  bool operator==(const Correlations&) const = default;
};

/// Something about the correlations of every component and of every pair of views in it.
struct ComponentNumbers {
  std::vector<double> per_component;  // K
  std::vector<double> pairwise;       // M x M x K; none for one table
};

/// Sets the noise thresholds that follow from `errors`, standard errors on Fisher's scale: s / (1 - r^2), where r is
/// the correlation that s belongs to. M > 2: each component is compared with noise by its mean and by its pairs, each
/// with half of the level.
void set_noise_thresholds(Correlations& correlations, const ComponentNumbers& errors, double rows,
                          double independent_samples);
/// M x M x K: whether the out-of-fold correlation of two views exceeds its noise threshold; empty without
/// cross-fitting.
std::vector<bool> found_pairs(const Correlations& correlations, double independent_samples);
/// Per component, whether its mean over the pairs or any pair does; empty without cross-fitting.
std::vector<bool> found_components(const Correlations& correlations, double independent_samples);

/// What happened in the rounds that were measured. One part: every round, of which the model keeps the first
/// `Model::rounds`. Several parts: some rounds, `tcc` alone, the mean over the parts (one that has stopped counts as it
/// ended).
struct History {
  std::vector<double> round;      // rounds done, ascending
  std::vector<double> tcc;        // decorrelated: out of fold with cross-fitting, in sample without
  std::vector<double> loss;       // Eckart-Young loss of the embeddings the targets were made from; may be empty
  std::vector<double> train_tcc;  // decorrelated, in sample; may be empty
  Matrix<double> variance;        // rounds x (M * W): V_kk of view v at column v * W + k; may be empty

  bool operator==(const History&) const = default;
};

/// A model keeps the hashes of so many training rows.
inline constexpr std::size_t kMaxRowHashes = 1000;

struct Model {
  Parameters parameters;  // with every "auto" resolved
  Parameters asked;       // as given
  /// What XGBoost or LightGBM was given besides (FitOptions::engine_params), each name once.
  EngineParams engine_params;
  std::uint64_t n_samples = 0;  // training rows
  /// How many independent samples of equal weight they are worth: groups count once, and weights that differ count
  /// less.
  double effective_samples = 0;
  /// M x M: training rows that have both views (on the diagonal: that have the view). Empty: all rows have all views.
  std::vector<std::uint64_t> shared_samples;
  std::uint64_t independent_samples = 0;  // groups, or rows without groups; those with a positive weight
  std::uint64_t rounds = 0;               // rounds kept (early stopping may keep fewer than were run)
  /// Hashes of the training rows, ascending: the lowest kMaxRowHashes, by which new_data.hpp recognises them. May be
  /// empty.
  std::vector<std::uint64_t> row_hashes;
  std::vector<CovariateTerm> covariates;
  std::vector<ViewModel> views;
  Correlations correlations;
  History history;

  Index n_components() const { return parameters.n_components; }
  std::vector<bool> found_pairs() const;
  std::vector<bool> found() const;
  bool operator==(const Model&) const = default;
};

enum class ModelFormat { json, ubjson };

/// Writes the model atomically (temporary file, fsync, rename): the target is the old file or the whole
/// new one, never a part. The format follows the ending: .json, or .ubj / .ubjson. FileError on failure.
void save_model(const Model& model, const std::string& path);

/// Reads a model file, either encoding (recognised by content). Trusts nothing: FileError when it cannot be
/// read, ModelError with the reason when it is damaged, inconsistent or of a newer version.
Model load_model(const std::string& path);

/// What a model file says about itself besides the model.
struct ModelOrigin {
  std::string producer;  // the program that wrote it, e.g. "treecca 0.1.0"
  int format_version = 0;
  ModelFormat format = ModelFormat::json;
};

/// The same, and where the model is from.
Model load_model(const std::string& path, ModelOrigin& origin);

/// The same in memory.
std::string serialize_model(const Model& model, ModelFormat format);
Model parse_model(std::string_view bytes);

/// Throws ModelError naming what is inconsistent: sizes, children, features, non-finite numbers.
void check_model(const Model& model);

}  // namespace treecca

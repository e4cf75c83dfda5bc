// A fitted model: all data that transform, explanations and a repeated fit need.
//
// M views, K components, p_v features of view v. A view has parts p, each with some encoders; its embedding of a row x
// is
//     z_p(x) = base_margin(x) + mean over the part's encoders of the sum of their leaves        (W numbers)
// and the variates of the row are
//     sum over parts of (z_p(x) - mean_p) * rotation_p  +  linear(x)  -  covariate_effect(c)    (K numbers),
// where c are columns made of the covariates of the row (CovariateTerm), if the model has any.
// Encoders and embeddings have W >= K components (n_oversamples more). rotation_p combines all linear steps after the
// trees: scale, weight, alignment, rotation, and the mean over the parts.
// A Model is a plain value: it can be copied, compared, and read by several threads.
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

/// One ensemble of trees. With cross-fitting a view has several, each trained without one fold.
using Encoder = std::vector<Tree>;

/// Dependence of every feature of a view on its best partner among the features of the other views; see
/// treecca/screen.hpp.
struct FeatureScores {
  std::vector<double> score;               // p_v: as a standard normal deviate; 0 if the feature cannot be judged
  std::vector<std::int32_t> partner_view;  // p_v: -1 if there is none
  std::vector<std::int32_t> partner;       // p_v: a feature of that view
  std::vector<double> p_value;             // p_v, or empty without permutations

  bool operator==(const FeatureScores&) const = default;
};

/// The features that screening left to the trees of a view. Empty without screening.
struct Screening {
  std::vector<std::vector<std::int32_t>> kept;  // per encoder: features, ascending
  FeatureScores scores;                         // from all training rows; empty if all features were kept without
                                                // scores

  bool empty() const { return kept.empty(); }
  bool operator==(const Screening&) const = default;
};

/// One fit of a view's trees: to all samples (preset plain), or to all except a fifth of them.
struct PartModel {
  std::vector<Encoder> encoders;  // max(1, cross_fit)
  std::vector<double> mean;       // W: mean embedding of the training rows
  Matrix<double> rotation;        // W x K; with one part and without rotation, the identity

  bool operator==(const PartModel&) const = default;
};

/// The columns of a covariate. A number x with m knots t1 ... tm: m - 1 columns, x and the m - 2 cubic functions of a
/// natural cubic spline; x is limited to 3 (tm - t1) below t1 and above tm. Classes: one 0/1 column per level except
/// the first.
struct CovariateTerm {
  std::string name;
  std::vector<double> knots;        // of a number: at least two, ascending
  std::vector<std::string> levels;  // of classes: at least two

  bool operator==(const CovariateTerm&) const = default;
};

/// Correlations of a view's features with variates, and their standard errors; p_v x K each. With folds: of samples
/// that the trees have not seen.
struct Loadings {
  Matrix<double> own, own_errors;      // with the variates of the view
  Matrix<double> cross, cross_errors;  // with the mean of the other views' variates; empty for one view and without
                                       // folds

  bool empty() const { return own.empty(); }
  bool operator==(const Loadings&) const = default;
};

struct ViewModel {
  std::string name;
  std::vector<std::string> feature_names;  // p_v
  Levels levels;                           // of the categorical features
  /// Same shape as `levels`: number of training rows with each level.
  std::vector<std::vector<double>> level_counts;
  std::vector<double> offset;           // p_v, or empty for none: subtracted from the features before all else
  LinearMap base_margin;                // to W numbers, or empty
  std::vector<PartModel> parts;         // empty if linear CCA has all the weight
  LinearMap linear;                     // to K: linear CCA's part of the variates; empty if its weight is 0
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

/// One of the blends of trees and linear CCA that a fit compared.
struct BlendResult {
  double linear = 0;                 // weight of linear CCA
  std::vector<double> correlations;  // K: on samples that the trees and linear CCA have not seen
  bool chosen = false;
  double judged = 0;  // the TCC that decided the choice: of a mean over the repeats, not over all parts

  bool operator==(const BlendResult&) const = default;
};

/// Canonical correlations per component; for M > 2 the mean over all pairs of views.
/// Out-of-fold: every row was embedded by trees (and a rotation) that have not seen it. Empty without cross-fitting.
struct Correlations {
  std::vector<double> out_of_fold;         // K, in the order of the components
  std::vector<double> standard_errors;     // K: of out_of_fold
  std::vector<double> noise_thresholds;    // K: a component is above noise if its out_of_fold exceeds this
  std::vector<BlendResult> candidates;     // the blends compared; one entry if there was no choice
  std::vector<double> in_sample;           // K: the final model on its own training rows
  std::vector<double> linear_out_of_fold;  // K: linear CCA/MCCA on the same rows and folds
  std::vector<double> linear_in_sample;    // K
  std::vector<double> linear_unadjusted;   // K: as linear_out_of_fold, without adjustment for covariates; or empty
  std::vector<double> pairwise;            // M x M x K, row-major: as out_of_fold (in_sample without folds)
  std::vector<double> pairwise_standard_errors;   // M x M x K, 0 on the diagonal; empty without out_of_fold, or M = 1
  std::vector<double> pairwise_noise_thresholds;  // as above

  bool operator==(const Correlations&) const = default;
};

/// A number for every component, and for every component and pair of views.
struct ComponentNumbers {
  std::vector<double> per_component;  // K
  std::vector<double> pairwise;       // M x M x K; none for one table
};

/// Computes the noise thresholds from `errors`, standard errors on Fisher's scale: s / (1 - r^2), where s is the
/// standard error of the correlation r. M > 2: a component is tested by its mean and by its pairs, each at half of the
/// level.
void set_noise_thresholds(Correlations& correlations, const ComponentNumbers& errors, double rows,
                          double independent_samples);
/// M x M x K: whether the out-of-fold correlation of two views is above its noise threshold; empty without
/// cross-fitting.
std::vector<bool> found_pairs(const Correlations& correlations, double independent_samples);
/// Per component: whether its mean over the pairs or any pair is above noise; empty without cross-fitting.
std::vector<bool> found_components(const Correlations& correlations, double independent_samples);

/// The course of training at the rounds that were measured. One part: every round; the model keeps the first
/// `Model::rounds`. Several parts: some rounds, only `tcc`, as the mean over the parts (a part that has stopped keeps
/// its last value).
struct History {
  std::vector<double> round;      // rounds done, ascending
  std::vector<double> tcc;        // after decorrelation: out of fold with cross-fitting, else in sample
  std::vector<double> loss;       // Eckart-Young loss of the embeddings that the targets were made from; may be empty
  std::vector<double> train_tcc;  // after decorrelation, in sample; may be empty
  Matrix<double> variance;        // rounds x (M * W): V_kk of view v at column v * W + k; may be empty

  bool operator==(const History&) const = default;
};

/// Maximum number of training rows whose hashes a model keeps.
inline constexpr std::size_t kMaxRowHashes = 1000;

struct Model {
  Parameters parameters;  // with every "auto" resolved
  Parameters asked;       // as given
  /// Parameters passed to XGBoost or LightGBM (FitOptions::engine_params), each name once.
  EngineParams engine_params;
  std::uint64_t n_samples = 0;  // training rows
  /// Effective number of independent samples: a group counts once, and unequal weights count less.
  double effective_samples = 0;
  /// M x M: number of training rows that have both views (diagonal: that have the view). Empty: all rows have all
  /// views.
  std::vector<std::uint64_t> shared_samples;
  std::uint64_t independent_samples = 0;  // groups, or rows if there are no groups; only those with a positive weight
  std::uint64_t rounds = 0;               // rounds kept; early stopping may have run more
  /// Hashes of the training rows, ascending: the kMaxRowHashes lowest, by which new_data.hpp recognises rows. May be
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

/// Writes the model atomically (temporary file, fsync, rename): afterwards the file is the old one or the complete new
/// one. The ending chooses the format: .json, or .ubj / .ubjson. Failure: FileError.
void save_model(const Model& model, const std::string& path);

/// Reads a model file in either encoding (recognised by content). Untrusted input is safe. Failure: FileError if the
/// file cannot be read; ModelError with the reason if it is damaged, inconsistent or of a newer version.
Model load_model(const std::string& path);

/// The metadata of a model file.
struct ModelOrigin {
  std::string producer;  // the program that wrote it, e.g. "treecca 0.1.0"
  int format_version = 0;
  ModelFormat format = ModelFormat::json;
};

/// The same, with the file's metadata.
Model load_model(const std::string& path, ModelOrigin& origin);

/// The same from and to memory.
std::string serialize_model(const Model& model, ModelFormat format);
Model parse_model(std::string_view bytes);

/// Failure: ModelError that names the inconsistency: sizes, children, features, non-finite numbers.
void check_model(const Model& model);

}  // namespace treecca

#include "train/trainer.hpp"

#include <algorithm>
#include <iterator>

#include "linalg/decompose.hpp"
#include "linalg/row_products.hpp"
#include "objective/correlations.hpp"
#include "objective/targets.hpp"
#include "support/parallel.hpp"
#include "train/early_stopping.hpp"
#include "train/leaf_sweeps.hpp"
#include "train/start.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

constexpr double kMinDeviation = 1e-12;

Matrix<double> first_rows(const Matrix<double>& matrix, Index rows) {
  Matrix<double> result(rows, matrix.cols());
  std::copy_n(matrix.data(), result.values().size(), result.data());
  return result;
}

Folds as_one_fold(const Folds& folds) {
  std::vector<int> of_row = folds.of_row;
  for (int& fold : of_row) fold = std::min(fold, 0);
  return Folds::assigned(*folds.samples, 1, false, std::move(of_row));
}

}  // namespace

Trainer::Trainer(const Parameters& parameters, std::vector<Matrix<float>> starts, const Folds& folds, Engine& engine,
                 Run& run, Curves curves, AugmentedCopies* copies, const std::vector<const Matrix<double>*>& covariates)
    : parameters_(parameters),
      starts_(std::move(starts)),
      folds_(folds),
      engine_(engine),
      run_(run),
      curves_(curves),
      copies_(copies),
      threads_(run.threads()),
      whole_(as_one_fold(folds)) {
  for (Index v = 0; v < static_cast<Index>(covariates.size()); ++v) {
    const Matrix<double>& of_view = *covariates[static_cast<std::size_t>(v)];
    adjustments_.emplace_back(of_view, folds_, v);
    in_sample_adjustments_.emplace_back(of_view, whole_, v);
  }
  const Index k = parameters.trained_components();
  const Index views = copies == nullptr ? n_encoders() : 2;
  const bool kept = parameters.init_fade == 0 && copies == nullptr;
  for (Index e = 0; e < n_encoders(); ++e) {
    for (int f = 0; f < folds.count; ++f) {
      // Initial values that are kept are part of the encoder from the beginning; fading initial values are added
      // outside it.
      const Matrix<float>& start = starts_[static_cast<std::size_t>(e)];
      encoders_.push_back(
          {e, f, kept ? start : Matrix<float>(copies == nullptr ? folds.rows() : 2 * folds.rows(), k), {}});
    }
  }
  for (Index v = 0; v < views; ++v) {
    scores_.emplace_back(folds.rows(), k);
    variances_.emplace_back(Eigen::MatrixXd::Zero(k, k));
  }
  if (makes_targets()) targets_.assign(static_cast<std::size_t>(views), Matrix<float>(folds.rows(), k));
  if (curves == Curves::all) history_.variance = Matrix<double>(parameters.n_estimators, n_encoders() * k);
}

/// Weight of the initial values outside the encoders, after `rounds_` rounds.
double Trainer::start_weight() const {
  if (parameters_.init_fade == 0) return copies_ == nullptr ? 0.0 : 1.0;
  return treecca::start_weight(parameters_, rounds_);
}

/// Draws the copies of the next round and embeds them by all encoders.
void Trainer::redraw() {
  if (rounds_ > 0) copies_->draw(rounds_, run_.clock());  // the copies of round 0 exist already
  const Index k = parameters_.trained_components();
  run_.clock().time("embed", [&] {
    for (EncoderState& state : encoders_) {
      state.embedding = embed_rows(Predictor({&state.trees, 1}, k), copies_->rows(), k, threads_);
    }
  });
}

/// scores_[view] = out-of-fold embedding + weighted initial values, adjusted for covariates, not yet centred.
void Trainer::assemble(Index view, double start_weight) {
  out_of_fold_rows(embedded(view), folds_, static_cast<float>(start_weight),
                   starts_[static_cast<std::size_t>(encoder_of(view))], threads_,
                   scores_[static_cast<std::size_t>(view)]);
  if (!adjustments_.empty()) {
    adjustments_[static_cast<std::size_t>(view)].apply(scores_[static_cast<std::size_t>(view)]);
  }
}

Moments Trainer::assembled_moments(double start_weight) {
  std::vector<const Matrix<float>*> together;
  for (Index v = 0; v < n_views(); ++v) {
    assemble(v, start_weight);
    together.push_back(&scores_[static_cast<std::size_t>(v)]);
  }
  Moments moments = moments_of(together, folds_, threads_);
  return copies_ == nullptr ? moments : symmetrised(moments);
}

void Trainer::make_scores(Index view) {
  if (parameters_.objective != Objective::whitened) return;
  Matrix<float>& scores = scores_[static_cast<std::size_t>(view)];
  multiply_rows(scores, inverse_square_root(variances_[static_cast<std::size_t>(view)]), scores, threads_);
}

void Trainer::refresh_all() {
  const Index k = parameters_.trained_components();
  if (copies_ != nullptr) redraw();
  run_.clock().time("moments", [&] {
    if (copies_ != nullptr) measured_ = assembled_moments(0);
    moments_ = copies_ != nullptr && weight_ == 0 ? measured_ : assembled_moments(weight_);
  });
  run_.clock().time("targets", [&] {
    const Eigen::MatrixXd covariance = moments_.covariance();
    for (Index v = 0; v < n_views(); ++v) {
      variances_[static_cast<std::size_t>(v)] = covariance.block(v * k, v * k, k, k);
      centre_within_folds(scores_[static_cast<std::size_t>(v)], moments_, v, v * k, folds_, threads_);
      make_scores(v);
    }
  });
}

/// Gauss-Seidel: the next view must use this view's newest state.
void Trainer::refresh_view(Index view) {
  Matrix<float>& scores = scores_[static_cast<std::size_t>(view)];
  Moments own;
  run_.clock().time("moments", [&] {
    assemble(view, weight_);
    own = moments_of({&scores}, folds_, threads_, view);
  });
  run_.clock().time("targets", [&] {
    variances_[static_cast<std::size_t>(view)] = own.covariance();
    centre_within_folds(scores, own, view, 0, folds_, threads_);
    make_scores(view);
  });
}

const Matrix<float>* Trainer::target_of(Index view) {
  if (!makes_targets()) return &scores_[static_cast<std::size_t>(1 - view)];
  Matrix<float>& target = targets_[static_cast<std::size_t>(view)];
  mean_of_others(scores_, view, folds_, target, threads_);
  return &target;
}

/// All rows of a view embedded by encoder `fold`, plus the weighted initial values, minus `mean` (W numbers, or null).
Matrix<float> Trainer::encoder_rows(Index view, int fold, double start_weight, const double* mean) const {
  const Index k = parameters_.trained_components();
  const auto weight = static_cast<float>(start_weight);
  const Matrix<float>& starts = starts_[static_cast<std::size_t>(encoder_of(view))];
  const EmbeddedView own = embedded(view);
  Matrix<float> z(folds_.rows(), k);
  parallel_blocks(z.rows(), kParallelBlock, threads_, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const float* from = own.row(fold, i);
      for (Index c = 0; c < k; ++c) {
        const float start = weight > 0 ? weight * starts(i, c) : 0.0F;
        z(i, c) = from[c] + (start - (mean == nullptr ? 0.0F : static_cast<float>(mean[c])));
      }
    }
  });
  return z;
}

/// The gradient before scaling; z: N x W, any centred embedding of the view.
Matrix<float> Trainer::ey_gradient_of(const Matrix<float>& z, Index view) const {
  if (!folds_.samples->complete()) return ey_gradient_of_pairs(z, view, scores_, variances_, folds_, threads_);
  return ey_gradient(z, view, scores_, ey_penalty(variances_, view), threads_);
}

/// The gradient for the next trees of an encoder, on the rows of one view (N x W): whitened, Z - T; Eckart-Young, from
/// the embedding centred on the mean of the encoder's own fold, not yet scaled.
Matrix<float> Trainer::gradient_of(Index view, int fold) {
  if (parameters_.objective == Objective::ey) {
    const Eigen::VectorXd& mean = moments_.mean[static_cast<std::size_t>(fold)];
    const Matrix<float> z = encoder_rows(view, fold, weight_, mean.data() + view * parameters_.trained_components());
    return ey_gradient_of(z, view);
  }
  // Trees must replace initial values that fade; initial values that are kept belong to the encoder.
  Matrix<float> z = encoder_rows(view, fold, parameters_.init_fade == 0 ? weight_ : 0.0, nullptr);
  const Matrix<float>& target = *target_of(view);
  for (std::size_t i = 0; i < z.values().size(); ++i) z.values()[i] -= target.values()[i];
  return z;
}

/// The jobs of all encoders of views [first, last), in order.
std::vector<Matrix<float>> Trainer::gradients_of(Index first, Index last) {
  const bool ey = parameters_.objective == Objective::ey;
  std::vector<Matrix<float>> of_views;  // Eckart-Young, from the out-of-fold embeddings
  double deviation = kMinDeviation;     // the largest of all views, which are scaled together
  for (Index v = 0; ey && v < n_views(); ++v) {
    of_views.push_back(ey_gradient_of(scores_[static_cast<std::size_t>(v)], v));
    deviation = std::max(deviation, standard_deviation(of_views.back(), v, folds_, threads_));
  }
  std::vector<Matrix<float>> gradients;
  if (copies_ != nullptr) {
    for (int f = 0; f < folds_.count; ++f) {
      gradients.push_back(copies_->learned_gradient(gradient_of(0, f), gradient_of(1, f)));
    }
  } else if (folds_.held_out) {
    for (Index v = first; v < last; ++v) {
      for (int f = 0; f < folds_.count; ++f) gradients.push_back(gradient_of(v, f));
    }
  } else {  // the only encoder's embedding is the out-of-fold embedding
    gradients.assign(std::make_move_iterator(of_views.begin() + first),
                     std::make_move_iterator(of_views.begin() + last));
  }
  for (Matrix<float>& gradient : gradients) {
    if (ey) scale(gradient, kEyTargetDeviation / deviation, threads_);
  }
  return gradients;
}

void Trainer::boost_views(Index round, Index first, Index last) {
  std::vector<GrowJob> jobs;
  std::vector<Matrix<float>> gradients;
  run_.clock().time("targets", [&] {
    if (parameters_.objective == Objective::ey || copies_ != nullptr) gradients = gradients_of(first, last);
    for (Index e = first; e < std::min(last, n_encoders()); ++e) {
      const Matrix<float>* target = gradients.empty() ? target_of(e) : nullptr;
      for (int f = 0; f < folds_.count; ++f) {
        EncoderState& state = encoders_[static_cast<std::size_t>(e * folds_.count + f)];
        jobs.push_back({&state, gradients.empty() ? &state.embedding : &gradients[jobs.size()], target});
      }
    }
  });
  run_.clock().time("grow", [&] { engine_.boost(round, jobs); });
}

/// Moments of the mean of the encoders, all views stacked.
Moments Trainer::in_sample_moments() const {
  std::vector<Matrix<float>> means;
  std::vector<const Matrix<float>*> together;
  for (Index v = 0; v < n_views(); ++v) {
    means.push_back(mean_rows(embedded(v), folds_.rows(), threads_));
    if (!in_sample_adjustments_.empty()) in_sample_adjustments_[static_cast<std::size_t>(v)].apply(means.back());
  }
  for (const Matrix<float>& mean : means) together.push_back(&mean);
  Moments moments = moments_of(together, whole_, threads_);
  return copies_ == nullptr ? moments : symmetrised(moments);
}

/// Whether TCC is measured after `rounds_` rounds.
bool Trainer::measures_now() const {
  return curves_ == Curves::all || rounds_ % kRoundsPerMeasure == 0 || rounds_ == parameters_.n_estimators;
}

/// Decorrelated TCC of the state: out of fold with cross-fitting, in sample without. `candidate`: whether the state may
/// be chosen.
double Trainer::measure(bool candidate) {
  const auto views = static_cast<int>(n_views());
  const Index keep = parameters_.n_components;
  const Moments& measured = copies_ == nullptr ? moments_ : measured_;
  if (!folds_.held_out) return in_sample_correlations(measured, views, true, keep).tcc();
  FoldCovariances decorrelated = out_of_fold_covariances(measured, views, true, keep);
  const double tcc = pooled_correlations(decorrelated, views).tcc();
  if (candidate) {
    by_round_.push_back(std::move(decorrelated));
    if (!parameters_.rotate) unrotated_by_round_.push_back(out_of_fold_covariances(measured, views, false));
  }
  return tcc;
}

void Trainer::record() {
  run_.clock().time("curves", [&] {
    const bool all = curves_ == Curves::all;
    history_.round.push_back(static_cast<double>(rounds_));
    history_.tcc.push_back(
        measure(parameters_.early_stopping_rounds > 0 && rounds_ >= first_round_to_keep(parameters_)));
    if (!all) return;
    const Eigen::MatrixXd covariance = moments_.covariance();
    history_.loss.push_back(ey_loss(covariance, n_views()));
    history_.train_tcc.push_back(
        folds_.held_out
            ? in_sample_correlations(in_sample_moments(), static_cast<int>(n_views()), true, parameters_.n_components)
                  .tcc()
            : history_.tcc.back());
    for (Index c = 0; c < history_.variance.cols(); ++c) history_.variance(rounds_ - 1, c) = covariance(c, c);
  });
}

/// The embedding of an encoder before its first tree; null: zeros.
const Matrix<float>* Trainer::base_of(const EncoderState& encoder) const {
  return parameters_.init_fade > 0 ? nullptr : &starts_[static_cast<std::size_t>(encoder.view)];
}

/// leaf_sweeps = auto: keeps the state with the highest TCC; every state is a candidate of the nested choice. A fixed
/// number of sweeps is not a choice: correlations then describe the final state.
void Trainer::sweep_leaves() {
  const bool choose = parameters_.leaf_sweeps.is_auto();
  const bool chose_round = !by_round_.empty();
  std::vector<LeafSweeps::Swept> swept;
  for (EncoderState& state : encoders_) swept.push_back({&state, engine_.bins(state.view), base_of(state)});
  LeafSweeps sweeps(std::move(swept), folds_, parameters_.random_state, threads_);
  double best = measure(choose && !chose_round);
  LeafSweeps::State kept = sweeps.state();
  const Index most = choose ? kMaxAutoSweeps : Index{parameters_.leaf_sweeps};
  for (Index s = 0; s < most; ++s) {
    std::vector<const Matrix<float>*> targets;
    for (Index v = 0; v < n_views(); ++v) targets.push_back(target_of(v));
    run_.clock().time("sweep", [&] { sweeps.sweep(s, targets); });
    refresh_all();
    if (!choose) continue;
    const double tcc = measure(true);
    if (!(tcc > best)) {
      sweeps.restore(kept);
      refresh_all();
      break;
    }
    best = tcc;
    kept = sweeps.state();
    ++sweeps_;
  }
  if (choose) return;
  sweeps_ = most;
  by_round_.clear();
  unrotated_by_round_.clear();
}

void Trainer::run(Trained& trained) {
  EarlyStopping stopping(parameters_.early_stopping_rounds, first_round_to_keep(parameters_));
  run_.start_rounds();
  weight_ = start_weight();
  refresh_all();
  for (Index round = 0; round < parameters_.n_estimators; ++round) {
    run_.check_stop();
    if (parameters_.schedule == Schedule::jacobi) {
      boost_views(round, 0, n_views());
    } else {
      for (Index v = 0; v < n_views(); ++v) {
        boost_views(round, v, v + 1);
        if (v + 1 < n_views()) refresh_view(v);
      }
    }
    rounds_ = round + 1;
    weight_ = start_weight();
    refresh_all();
    if (measures_now()) record();
    run_.report_round(rounds_, parameters_.n_estimators, history_.tcc.empty() ? 0.0 : history_.tcc.back(),
                      !folds_.held_out);
    if (measures_now() && stopping.stop_after(rounds_, history_.tcc.back())) break;
  }
  if (curves_ == Curves::all) history_.variance = first_rows(history_.variance, rounds_);
  run_.clock().time("grow", [&] {
    for (EncoderState& state : encoders_) engine_.finish(state);
  });
  if (stopping.rounds_to_keep() < rounds_) {
    rounds_ = stopping.rounds_to_keep();
    weight_ = 0;
    run_.clock().time("grow", [&] {
      for (EncoderState& state : encoders_) engine_.rewind(state, rounds_, base_of(state));
    });
    refresh_all();
  }
  if (!(parameters_.leaf_sweeps == 0)) sweep_leaves();
  if (copies_ != nullptr) {
    trained.copies_in_sample = in_sample_moments();
    trained.copies = copies_->rows();
    moments_ = std::move(measured_);
  }
  trained.adjustments = std::move(adjustments_);
  trained.encoders = std::move(encoders_);
  trained.moments = std::move(moments_);
  trained.history = std::move(history_);
  trained.rounds = rounds_;
  trained.leaf_sweeps = sweeps_;
  trained.by_round = std::move(by_round_);
  trained.unrotated_by_round = std::move(unrotated_by_round_);
}

}  // namespace treecca

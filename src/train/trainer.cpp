#include "train/trainer.hpp"

#include <algorithm>
#include <chrono>

#include "linalg/decompose.hpp"
#include "linalg/row_products.hpp"
#include "objective/centre.hpp"
#include "objective/targets.hpp"
#include "support/parallel.hpp"
#include "support/threads.hpp"
#include "train/early_stopping.hpp"

namespace treecca {
namespace {

constexpr Index kBlock = 1 << 14;  // less is not worth a second thread
constexpr double kMinDeviation = 1e-12;

Matrix<double> first_rows(const Matrix<double>& matrix, Index rows) {
  Matrix<double> result(rows, matrix.cols());
  std::copy_n(matrix.data(), result.values().size(), result.data());
  return result;
}

}  // namespace

Trainer::Trainer(const Parameters& parameters, std::vector<Start> starts, const Folds& folds, const RowWeights& weights,
                 Engine& engine, const FitOptions& options, StageClock& clock)
    : parameters_(parameters),
      starts_(std::move(starts)),
      folds_(folds),
      weights_(weights),
      engine_(engine),
      options_(options),
      clock_(clock),
      threads_(thread_count(parameters.n_jobs), options.stop),
      whole_(make_folds(folds.shard, 0, {}, 0)) {
  const Index k = parameters.trained_components();
  for (Index v = 0; v < n_views(); ++v) {
    for (int f = 0; f < folds.count; ++f) {
      // A start that is kept is part of the encoder from the beginning; one that fades stays outside.
      encoders_.push_back({v, f, parameters.init_fade > 0 ? Matrix<float>(folds.rows(), k) : starts_[v].values, {}});
    }
    scores_.emplace_back(folds.rows(), k);
    variances_.emplace_back(Eigen::MatrixXd::Zero(k, k));
  }
  if (n_views() > 2) targets_.assign(static_cast<std::size_t>(n_views()), Matrix<float>(folds.rows(), k));
  history_.variance = Matrix<double>(parameters.n_estimators, n_views() * k);
}

/// scores_[view] = out-of-fold embedding + weighted start, not yet centred.
void Trainer::assemble(Index view) {
  const auto weight = static_cast<float>(weight_);
  const Index k = parameters_.trained_components();
  parallel_blocks(folds_.rows(), kBlock, threads_, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const float* z = encoders_[view * folds_.count + folds_.of_row[i]].embedding.row(i);
      const float* start = starts_[view].values.row(i);
      float* out = scores_[view].row(i);
      for (Index c = 0; c < k; ++c) out[c] = weight > 0 ? z[c] + weight * start[c] : z[c];
    }
  });
}

void Trainer::make_scores(Index view) {
  if (parameters_.objective == Objective::whitened) {
    multiply_rows(scores_[view], inverse_square_root(variances_[view]), scores_[view], threads_);
  }
}

void Trainer::refresh_all() {
  const Index k = parameters_.trained_components();
  clock_.time("moments", [&] {
    std::vector<const Matrix<float>*> stacked;
    for (Index v = 0; v < n_views(); ++v) {
      assemble(v);
      stacked.push_back(&scores_[v]);
    }
    moments_ = moments_of(stacked, folds_, threads_, weights_.values);
  });
  clock_.time("targets", [&] {
    const Eigen::MatrixXd covariance = moments_.covariance();
    for (Index v = 0; v < n_views(); ++v) {
      variances_[v] = covariance.block(v * k, v * k, k, k);
      centre_within_folds(scores_[v], moments_, v * k, folds_, threads_);
      make_scores(v);
    }
  });
}

/// Gauss-Seidel: the next view is to see this one's newest state.
void Trainer::refresh_view(Index view) {
  Moments own;
  clock_.time("moments", [&] {
    assemble(view);
    own = moments_of({&scores_[view]}, folds_, threads_, weights_.values);
  });
  clock_.time("targets", [&] {
    variances_[view] = own.covariance();
    centre_within_folds(scores_[view], own, 0, folds_, threads_);
    make_scores(view);
  });
}

const Matrix<float>* Trainer::target_of(Index view) {
  if (n_views() == 2) return &scores_[1 - view];
  mean_of_others(scores_, view, targets_[view], threads_);
  return &targets_[view];
}

/// Normalised Eckart-Young gradients of all encoders of views [first, last).
std::vector<Matrix<float>> Trainer::ey_gradients(Index first, Index last) {
  // The joint normalisation is taken over all views, from the out-of-fold embeddings.
  double deviation = kMinDeviation;
  std::vector<Matrix<float>> gradients;
  for (Index v = 0; v < n_views(); ++v) {
    gradients.push_back(ey_gradient(scores_[v], v, scores_, ey_penalty(variances_, v), threads_));
    deviation = std::max(deviation, standard_deviation(gradients.back(), threads_, folds_.shard.peers()));
  }
  if (folds_.held_out) {
    gradients.clear();
    for (Index v = first; v < last; ++v) {
      for (int f = 0; f < folds_.count; ++f) {
        gradients.push_back(ey_gradient(centred_encoder(v, f), v, scores_, ey_penalty(variances_, v), threads_));
      }
    }
  } else {  // the only encoder's embedding is the out-of-fold embedding
    gradients.erase(gradients.begin() + last, gradients.end());
    gradients.erase(gradients.begin(), gradients.begin() + first);
  }
  for (Matrix<float>& gradient : gradients) scale(gradient, kEyTargetDeviation / deviation, threads_);
  return gradients;
}

/// What encoder f of a view makes of all rows, with the weighted start, around the mean of its own fold.
Matrix<float> Trainer::centred_encoder(Index view, int fold) {
  Matrix<float> z = encoder(view, fold).embedding;
  const auto weight = static_cast<float>(weight_);
  const Eigen::VectorXd& mean = moments_.mean[fold];
  parallel_blocks(z.rows(), kBlock, threads_, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index c = 0; c < z.cols(); ++c) {
        const float start = weight > 0 ? weight * starts_[view].values(i, c) : 0.0F;
        z(i, c) += start - static_cast<float>(mean(view * z.cols() + c));
      }
    }
  });
  return z;
}

void Trainer::boost_views(Index round, Index first, Index last) {
  std::vector<GrowJob> jobs;
  std::vector<Matrix<float>> gradients;
  clock_.time("targets", [&] {
    if (parameters_.objective == Objective::ey) gradients = ey_gradients(first, last);
    for (Index v = first; v < last; ++v) {
      const Matrix<float>* target = gradients.empty() ? target_of(v) : nullptr;
      for (int f = 0; f < folds_.count; ++f) {
        EncoderState& state = encoder(v, f);
        jobs.push_back({&state, gradients.empty() ? &state.embedding : &gradients[jobs.size()], target});
      }
    }
  });
  clock_.time("grow", [&] { engine_.boost(round, jobs); });
}

void Trainer::record() {
  const auto views = static_cast<int>(n_views());
  const Index k = parameters_.trained_components();
  clock_.time("curves", [&] {
    const Eigen::MatrixXd covariance = moments_.covariance();
    history_.loss.push_back(ey_loss(covariance, n_views()));
    if (folds_.held_out) {
      FoldCovariances decorrelated = out_of_fold_covariances(moments_, views, true, parameters_.n_components);
      history_.tcc.push_back(pooled_correlations(decorrelated, views).tcc());
      if (parameters_.early_stopping_rounds > 0 && rounds_ >= first_round_to_keep(parameters_)) {
        chosen_by_.push_back(std::move(decorrelated));
        if (!parameters_.rotate) judged_by_.push_back(out_of_fold_covariances(moments_, views, false));
      }
      std::vector<Matrix<float>> mean;
      std::vector<const Matrix<float>*> stacked;
      for (Index v = 0; v < n_views(); ++v) mean.push_back(in_sample(v));
      for (const auto& z : mean) stacked.push_back(&z);
      history_.train_tcc.push_back(in_sample_correlations(moments_of(stacked, whole_, threads_, weights_.values), views,
                                                          true, parameters_.n_components)
                                       .tcc());
    } else {
      history_.tcc.push_back(in_sample_correlations(moments_, views, true, parameters_.n_components).tcc());
      history_.train_tcc.push_back(history_.tcc.back());
    }
    for (Index c = 0; c < n_views() * k; ++c) history_.variance(rounds_ - 1, c) = covariance(c, c);
  });
}

void Trainer::run() {
  const auto begin = std::chrono::steady_clock::now();
  EarlyStopping stopping(parameters_.early_stopping_rounds, first_round_to_keep(parameters_));
  weight_ = start_weight(parameters_, 0);
  refresh_all();
  for (Index round = 0; round < parameters_.n_estimators; ++round) {
    check_stop(options_.stop);
    if (parameters_.schedule == Schedule::jacobi) {
      boost_views(round, 0, n_views());
    } else {
      for (Index v = 0; v < n_views(); ++v) {
        boost_views(round, v, v + 1);
        if (v + 1 < n_views()) refresh_view(v);
      }
    }
    rounds_ = round + 1;
    weight_ = start_weight(parameters_, rounds_);
    refresh_all();
    record();
    if (options_.on_round) {
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      options_.on_round({rounds_, parameters_.n_estimators, history_.tcc.back(), seconds});
    }
    if (stopping.stop_after(rounds_, history_.tcc.back())) break;
  }
  history_.variance = first_rows(history_.variance, rounds_);
  clock_.time("grow", [&] {
    for (EncoderState& state : encoders_) engine_.finish(state);
  });
  if (stopping.rounds_to_keep() < rounds_) {
    rounds_ = stopping.rounds_to_keep();
    weight_ = 0;
    clock_.time("grow", [&] {
      for (EncoderState& state : encoders_) {
        engine_.rewind(state, rounds_, parameters_.init_fade > 0 ? nullptr : &starts_[state.view].values);
      }
    });
    refresh_all();
  }
}

ComponentCorrelations Trainer::out_of_fold_correlations(bool rotate) const {
  const auto views = static_cast<int>(n_views());
  if (chosen_by_.empty()) return treecca::out_of_fold_correlations(moments_, views, rotate, parameters_.n_components);
  return correlations_of_choice(chosen_by_, views, rotate || judged_by_.empty() ? nullptr : &judged_by_);
}

Matrix<float> Trainer::out_of_fold(Index view) const {
  Matrix<float> z(folds_.rows(), parameters_.trained_components());
  parallel_blocks(z.rows(), kBlock, threads_, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const float* from = encoders_[view * folds_.count + folds_.of_row[i]].embedding.row(i);
      std::copy(from, from + z.cols(), z.row(i));
    }
  });
  centre_within_folds(z, moments_, view * parameters_.trained_components(), folds_, threads_);
  return z;
}

Matrix<float> Trainer::in_sample(Index view) const {
  Matrix<float> z(folds_.rows(), parameters_.trained_components());
  const double share = 1.0 / folds_.count;
  parallel_blocks(static_cast<Index>(z.values().size()), kBlock, threads_, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double sum = 0;
      for (int f = 0; f < folds_.count; ++f) sum += encoders_[view * folds_.count + f].embedding.data()[i];
      z.data()[i] = static_cast<float>(sum * share);
    }
  });
  return z;
}

}  // namespace treecca

#include "train/ssl_trainer.hpp"

#include <algorithm>
#include <chrono>

#include "engines/make_engine.hpp"
#include "linalg/decompose.hpp"
#include "linalg/row_products.hpp"
#include "objective/centre.hpp"
#include "objective/correlations.hpp"
#include "objective/targets.hpp"
#include "support/parallel.hpp"
#include "support/random.hpp"
#include "support/threads.hpp"
#include "train/start.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

constexpr Index kSslBlock = 1 << 12;
constexpr double kSslMinDeviation = 1e-12;

/// N x K with orthonormal columns (unit variance when the start fades): random numbers that belong to the rows.
Matrix<float> random_rows(Index n, const Parameters& parameters) {
  const Index k = parameters.trained_components();
  const RandomKey key(parameters.random_state, Draw::start, {0});
  Eigen::MatrixXd z(n, k);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < k; ++c) z(i, c) = key.normal(static_cast<std::uint64_t>(i * k + c));
  }
  z.rowwise() -= z.colwise().mean().eval();
  z = (z * inverse_square_root(z.transpose() * z)).eval();
  if (parameters.init_fade > 0) z *= std::sqrt(static_cast<double>(n - 1));
  Matrix<float> start(n, k);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < k; ++c) start(i, c) = static_cast<float>(z(i, c));
  }
  return start;
}

/// The same folds for both copies of every row.
Folds twice(const Folds& folds) {
  Folds result = folds;
  const Index n = folds.rows();
  result.of_row.insert(result.of_row.end(), folds.of_row.begin(), folds.of_row.end());
  result.order.clear();
  result.begin.assign(1, 0);
  for (int f = 0; f < folds.count; ++f) {
    for (Index i = 0; i < 2 * n; ++i) {
      if (result.of_row[i] == f) result.order.push_back(static_cast<RowIndex>(i));
    }
    result.begin.push_back(static_cast<Index>(result.order.size()));
  }
  return result;
}

/// Which copy is called the first means nothing: both orders are averaged.
Moments symmetrised(Moments moments) {
  for (std::size_t f = 0; f < moments.mean.size(); ++f) {
    const Eigen::Index k = moments.mean[f].size() / 2;
    const Eigen::VectorXd mean = (moments.mean[f].head(k) + moments.mean[f].tail(k)) / 2;
    moments.mean[f] << mean, mean;
    Eigen::MatrixXd& scatter = moments.scatter[f];
    const Eigen::MatrixXd within = (scatter.topLeftCorner(k, k) + scatter.bottomRightCorner(k, k)) / 2;
    const Eigen::MatrixXd across = (scatter.topRightCorner(k, k) + scatter.bottomLeftCorner(k, k)) / 2;
    scatter << within, across, across, within;
  }
  return moments;
}

}  // namespace

SslTrainer::SslTrainer(const View& view, const Parameters& parameters, const SslOptions& options,
                       AugmentFunction augment, Threads threads, StageClock& clock)
    : view_(view),
      parameters_(parameters),
      options_(options),
      augment_(std::move(augment)),
      threads_(threads),
      clock_(clock),
      rows_(view.values.rows()),
      copies_(2 * rows_, view.values.cols()),
      folds_(make_folds(rows_, parameters.cross_fit, options.groups, parameters.random_state)),
      engine_folds_(options.rows == SslRows::stacked ? twice(folds_) : folds_) {
  const Index k = parameters.trained_components();
  clock_.time("start", [&] {
    start_ = parameters.init == Init::random_orthogonal ? random_rows(rows_, parameters)
                                                        : start_values(view, 0, parameters, threads).values;
  });
  for (int f = 0; f < folds_.count; ++f) {
    encoders_.push_back({0, f, Matrix<float>(engine_folds_.rows(), k), {}});
    embeddings_.emplace_back(2 * rows_, k);
  }
  scores_.assign(2, Matrix<float>(rows_, k));
  history_.variance = Matrix<double>(parameters.n_estimators, k);
  learned_.push_back({view.name, {copies_.data(), engine_folds_.rows(), copies_.cols()}, view.feature_names});
  draw(0);
  engine_ = make_engine({learned_, bins_, parameters, engine_folds_, no_weights_, all_features_, options.engine_params,
                         threads, /*rows_change=*/true});
}

/// The copies of a round, their bins and what the encoders make of them.
void SslTrainer::draw(Index round) {
  clock_.time("augment", [&] {
    Matrix<float> copy(rows_, copies_.cols());
    for (int c = 0; c < 2; ++c) {
      augment_(round, c, copy);
      std::copy(copy.values().begin(), copy.values().end(), copies_.row(c * rows_));
    }
  });
  clock_.time("bin", [&] {
    if (bins_.empty()) {
      bins_.emplace_back(learned_[0], parameters_.max_bin.at(0), threads_);
    } else {
      bins_[0].recode(learned_[0], threads_);
    }
  });
  start_share_ = parameters_.init_fade > 0 ? start_weight(parameters_, rounds_) : 1.0;
  clock_.time("embed", [&] { embed(); });
  clock_.time("targets", [&] { assemble(); });
}

void SslTrainer::embed() {
  const Index k = parameters_.trained_components();
  for (int f = 0; f < folds_.count; ++f) {
    embeddings_[f] = embed_rows(Predictor({&encoders_[f].trees, 1}, k), copies_, k, threads_);
  }
}

/// scores_ = out-of-fold embeddings with this share of the start, not yet centred; returns their moments.
Moments SslTrainer::stack(double start_share) {
  const Index k = parameters_.trained_components();
  const auto share = static_cast<float>(start_share);
  for (Index c = 0; c < 2; ++c) {
    parallel_blocks(rows_, kSslBlock, threads_, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const float* z = embeddings_[folds_.of_row[i]].row(c * rows_ + i);
        for (Index l = 0; l < k; ++l) scores_[c](i, l) = z[l] + share * start_(i, l);
      }
    });
  }
  return symmetrised(moments_of({&scores_[0], &scores_[1]}, folds_, threads_));
}

void SslTrainer::assemble() {
  const Index k = parameters_.trained_components();
  tree_moments_ = stack(0.0);
  moments_ = start_share_ > 0 ? stack(start_share_) : tree_moments_;
  variance_ = moments_.covariance().topLeftCorner(k, k);
  for (Matrix<float>& score : scores_) {
    centre_within_folds(score, moments_, 0, folds_, threads_);
    if (parameters_.objective == Objective::whitened) {
      multiply_rows(score, inverse_square_root(variance_), score, threads_);
    }
  }
}

/// Brings the larger of the copies' gradients to the paper's standard deviation.
double SslTrainer::ey_scale() const {
  double deviation = kSslMinDeviation;
  for (Index c = 0; c < 2; ++c) {
    const Matrix<float> gradient = ey_gradient(scores_[c], c, scores_, 2 * variance_, threads_);
    deviation = std::max(deviation, standard_deviation(gradient, threads_));
  }
  return kEyTargetDeviation / deviation;
}

/// What encoder f's next trees are fitted to: whitened, Z - Q' (Q': the other copy's scores); Eckart-Young,
/// -Z'_c + Z_c (V + V). One row per row that the trees learn from.
Matrix<float> SslTrainer::gradient_of(int fold, double scale) {
  const Index k = parameters_.trained_components();
  const bool whitened = parameters_.objective == Objective::whitened;
  const bool stacked = options_.rows == SslRows::stacked;
  const Eigen::VectorXd mean = moments_.mean[fold].head(k);
  const Eigen::MatrixXd penalty = 2 * variance_;
  // The trees of a whitened fit must come to do without a fading start; one that is kept belongs to the encoder.
  const bool with_start = !whitened || parameters_.init_fade == 0;
  const auto start_share = static_cast<float>(with_start ? start_share_ : 0.0);
  const double share = stacked ? 1.0 : 0.5;
  Matrix<float> gradient(engine_folds_.rows(), k);
  parallel_blocks(rows_, kSslBlock, threads_, [&](Index begin, Index end) {
    Eigen::RowVectorXd z(k);
    for (Index i = begin; i < end; ++i) {
      for (Index c = 0; c < 2; ++c) {
        for (Index l = 0; l < k; ++l) z(l) = embeddings_[fold](c * rows_ + i, l) + start_share * start_(i, l);
        if (!whitened) z = ((z - mean.transpose()) * penalty).eval();
        float* out = gradient.row(stacked ? c * rows_ + i : i);
        for (Index l = 0; l < k; ++l) out[l] += static_cast<float>(share * scale * (z(l) - scores_[1 - c](i, l)));
      }
    }
  });
  return gradient;
}

void SslTrainer::record() {
  const Eigen::MatrixXd covariance = moments_.covariance();
  history_.loss.push_back(ey_loss(covariance, 2));
  if (folds_.held_out) {
    history_.tcc.push_back(out_of_fold_correlations(tree_moments_, 2, true, parameters_.n_components).tcc());
    history_.train_tcc.push_back(in_sample_correlations(in_sample_moments(), 2, true, parameters_.n_components).tcc());
  } else {
    history_.tcc.push_back(in_sample_correlations(tree_moments_, 2, true, parameters_.n_components).tcc());
    history_.train_tcc.push_back(history_.tcc.back());
  }
  for (Index c = 0; c < parameters_.trained_components(); ++c) history_.variance(rounds_ - 1, c) = covariance(c, c);
}

Moments SslTrainer::in_sample_moments() const {
  std::vector<Matrix<float>> means(2, Matrix<float>(rows_, parameters_.trained_components()));
  const float share = 1.0F / static_cast<float>(folds_.count);
  for (std::size_t c = 0; c < 2; ++c) {
    const std::size_t offset = c * means[c].values().size();
    for (std::size_t i = 0; i < means[c].values().size(); ++i) {
      for (const Matrix<float>& z : embeddings_) means[c].values()[i] += share * z.values()[offset + i];
    }
  }
  return symmetrised(moments_of({&means[0], &means[1]}, make_folds(rows_, 0, {}, 0), threads_));
}

void SslTrainer::run() {
  const auto begin = std::chrono::steady_clock::now();
  for (Index round = 0; round < parameters_.n_estimators; ++round) {
    check_stop(options_.stop);
    std::vector<Matrix<float>> gradients;
    clock_.time("targets", [&] {
      const double scale = parameters_.objective == Objective::ey ? ey_scale() : 1.0;
      for (int f = 0; f < folds_.count; ++f) gradients.push_back(gradient_of(f, scale));
    });
    std::vector<GrowJob> jobs;
    for (int f = 0; f < folds_.count; ++f) jobs.push_back({&encoders_[f], &gradients[f], nullptr});
    clock_.time("grow", [&] { engine_->boost(round, jobs); });
    rounds_ = round + 1;
    draw(rounds_);
    clock_.time("curves", [&] { record(); });
    if (options_.on_round) {
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      options_.on_round({rounds_, parameters_.n_estimators, history_.tcc.back(), seconds});
    }
  }
}

}  // namespace treecca

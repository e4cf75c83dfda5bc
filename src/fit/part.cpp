#include "fit/part.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>

#include "fit/alignment.hpp"
#include "linalg/row_products.hpp"
#include "linear/linear_map.hpp"
#include "objective/adjustment.hpp"
#include "objective/correlations.hpp"
#include "objective/rotation.hpp"
#include "support/parallel.hpp"
#include "train/part_progress.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// Weight of a row in the fit of a part: 0 if the row tests the part.
std::vector<double> weights_seen(const Samples& samples, const std::function<bool(Index)>& saw) {
  std::vector<double> weights(static_cast<std::size_t>(samples.here()));
  for (Index i = 0; i < samples.here(); ++i) {
    weights[static_cast<std::size_t>(i)] = saw(i) ? samples.weight(i) : 0.0;
  }
  return weights;
}

/// The rows of a view, with weight 0 for rows that lack it.
struct ViewRows {
  std::size_t view;
  const Samples& samples;

  std::vector<double> of(std::vector<double> weights) const {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!samples.has(static_cast<Index>(view), static_cast<Index>(i))) weights[i] = 0;
    }
    return weights;
  }
};

/// Sum of weights, weighted means and mean squares of the columns, over the rows of all processes.
struct ColumnMoments {
  double weight = 0;
  Eigen::VectorXd mean;
  Eigen::VectorXd square;

  ColumnMoments(const Matrix<float>& z, const std::vector<double>& of_rows, const ViewRows& rows)
      : mean(Eigen::VectorXd::Zero(z.cols())), square(Eigen::VectorXd::Zero(z.cols())) {
    const std::vector<double> weights = rows.of(of_rows);
    const Peers& peers = rows.samples.peers();
    for (Index i = 0; i < z.rows(); ++i) {
      const double w = weights[static_cast<std::size_t>(i)];
      weight += w;
      for (Index c = 0; c < z.cols(); ++c) {
        mean(c) += w * z(i, c);
        square(c) += w * z(i, c) * z(i, c);
      }
    }
    MatrixXd sums(z.cols(), 2);
    sums << mean, square;
    peers.sum(span_of(sums));
    weight = peers.sum(weight);
    const double safe = weight > 0 ? weight : 1.0;
    mean = sums.col(0) / safe;
    square = sums.col(1) / safe;
  }

  Eigen::VectorXd variance() const { return (square - mean.cwiseAbs2()).cwiseMax(0.0); }

  /// Whether the columns differ from their means only by rounding errors.
  bool is_constant() const {
    constexpr double kRounding = 1e-12;
    return (variance().array() <= kRounding * square.array()).all();
  }

  /// 1 / mean standard deviation.
  double unit_scale() const {
    constexpr double kTiny = 1e-12;
    return 1 / (variance().cwiseSqrt().mean() + kTiny);
  }
};

void scale_map(LinearMap& map, double factor) {
  for (double& weight : map.weights.values()) weight *= factor;
}

Variates to_variates(const std::vector<Matrix<float>>& views) {
  Variates result;
  for (const Matrix<float>& z : views) {
    using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    result.emplace_back(Eigen::Map<const Rows>(z.data(), z.rows(), z.cols()).cast<double>());
  }
  return result;
}

/// The covariate effect on an embedding: d x W coefficients of the N x d columns; or empty.
struct CovariateEffect {
  const Matrix<double>* covariates = nullptr;
  MatrixXd coefficients = {};
};

/// Adds the trees of one view: variates T of all rows at unit variance, and the matrix that computes them.
void add_trees(Part& part, std::vector<Encoder> encoders, Matrix<float> embedding, const CovariateEffect& effect,
               const MatrixXd& rotation, const std::vector<double>& all, const std::vector<double>& seen,
               const ViewRows& rows, Threads threads) {
  PartModel model;
  model.encoders = std::move(encoders);
  const ColumnMoments moments(embedding, all, rows);
  model.mean.assign(moments.mean.begin(), moments.mean.end());
  if (effect.covariates != nullptr) subtract_effect(*effect.covariates, effect.coefficients, embedding);
  model.rotation = to_matrix(rotation);
  const auto project = [&] {
    return project_rows(
        embedding, model.mean, model.rotation.cols(), [&](Index) { return &model.rotation; }, threads);
  };
  // If no tree was split, rounding errors must not be scaled to unit variance.
  const double scale = moments.is_constant() ? 0.0 : ColumnMoments(project(), seen, rows).unit_scale();
  for (double& value : model.rotation.values()) value *= scale;
  part.trees.push_back(project());
  if (effect.covariates != nullptr) {
    part.tree_effects.push_back(to_matrix(effect.coefficients * (rotation * scale)));
  }
  part.models.push_back(std::move(model));
}

/// Adds linear CCA: variates L of all rows at unit variance, rotated towards the trees if there are any.
void add_linear(Part& part, LinearFit fit, const TrainingData& data, const std::vector<double>& seen, Threads threads) {
  const std::vector<View>& views = data.views();
  const Samples& samples = data.samples();
  for (std::size_t v = 0; v < views.size(); ++v) {
    part.maps.push_back(data.designs()[v].map_of_features(std::move(fit.maps[v])));
  }
  const auto project = [&](std::size_t v) {
    Matrix<float> scores = to_floats(linear_scores(part.maps[v], views[v].values, threads));
    const Matrix<double>* covariates = data.covariate_columns();
    if (covariates != nullptr) subtract_effect(*covariates, fit.covariate_effects[v], scores);
    return scores;
  };
  for (std::size_t v = 0; v < views.size(); ++v) {
    const double scale = ColumnMoments(project(v), seen, {v, samples}).unit_scale();
    scale_map(part.maps[v], scale);
    if (!fit.covariate_effects.empty()) fit.covariate_effects[v] *= scale;
    part.linear.push_back(project(v));
  }
  const auto keep_effects = [&] {
    for (const MatrixXd& effect : fit.covariate_effects) part.linear_effects.push_back(to_matrix(effect));
  };
  if (part.trees.empty()) return keep_effects();
  const MatrixXd rotation =
      rotation_towards(to_variates(part.linear), to_variates(part.trees),
                       Eigen::Map<const Eigen::VectorXd>(seen.data(), static_cast<Index>(seen.size())), samples);
  for (std::size_t v = 0; v < views.size(); ++v) {
    part.maps[v].weights = times(part.maps[v].weights, rotation);
    if (!fit.covariate_effects.empty()) fit.covariate_effects[v] *= rotation;
    part.linear[v] = project(v);
  }
  keep_effects();
}

/// W x K per view: the rotation of the whole cross-fit, as with preset plain.
std::vector<MatrixXd> rotation_of(const Trained& trained) {
  return leading_rotation(trained.moments.covariance(), trained.moment_views(), trained.parameters.rotate,
                          trained.parameters.n_components);
}

std::vector<Encoder> trees_of(Trained& trained, const Folds& folds, Index view) {
  std::vector<Encoder> encoders;
  for (int f = 0; f < folds.count; ++f) {
    encoders.push_back(std::move(trained.encoders[static_cast<std::size_t>(view * folds.count + f)].trees));
  }
  return encoders;
}

/// Data of one training that the whole fit keeps in addition to the part.
struct TrainingRecord {
  Parameters parameters;
  std::vector<LinearMap> base_margins;
  History history;
  Index rounds = 0;
};

/// Values of "auto" parameters of trees if there are no trees.
Parameters without_trees(Parameters parameters) {
  if (parameters.leaf_sweeps.is_auto()) parameters.leaf_sweeps = 0;
  if (parameters.colsample_bytree.is_auto()) parameters.colsample_bytree = 1.0;
  return parameters;
}

TrainingRecord record_of(Trained& trained) {
  return {trained.parameters, std::move(trained.base_margins), std::move(trained.history), trained.rounds};
}

/// One part: the rows outside a fold of a repeat.
Part fit_part(TrainingData& shared, const LinearViews& linear_views, const Setting& setting, const Folds& inside,
              Run& run, TrainingRecord& record) {
  const Samples& samples = shared.samples();
  const std::vector<double> all = weights_seen(samples, [](Index) { return true; });
  const std::vector<double> seen =
      weights_seen(samples, [&](Index i) { return inside.of_row[static_cast<std::size_t>(i)] >= 0; });
  Part part;
  record.parameters = without_trees(setting.parameters);
  if (!(setting.parameters.linear == 1)) {
    Trained trained = train(shared, setting, inside, run);
    const std::vector<MatrixXd> rotation = rotation_of(trained);
    for (Index v = 0; v < static_cast<Index>(shared.views().size()); ++v) {
      CovariateEffect effect{shared.covariate_columns()};
      if (effect.covariates != nullptr) effect.coefficients = trained.covariate_effect(v, inside, run.threads());
      Matrix<float> embedding = trained.in_sample(v, run.threads());
      add_trees(part, trees_of(trained, inside, v), std::move(embedding), effect, rotation[static_cast<std::size_t>(v)],
                all, seen, {static_cast<std::size_t>(v), samples}, run.threads());
    }
    part.screenings = std::move(trained.screenings);
    record = record_of(trained);
  }
  run.clock().time("linear", [&] {
    LinearFit fit =
        fit_linear_cca(linear_views, inside, setting.parameters.n_components, *setting.shared_seed, run.threads());
    add_linear(part, std::move(fit), shared, seen, run.threads());
  });
  return part;
}

/// One fit to all rows: one part per fold.
std::vector<Part> fit_folds_as_parts(TrainingData& shared, const LinearViews& linear_views, const Setting& setting,
                                     const Folds& folds, Run& run, TrainingRecord& record) {
  const Samples& samples = shared.samples();
  const std::vector<double> all = weights_seen(samples, [](Index) { return true; });
  std::vector<Part> parts(static_cast<std::size_t>(folds.count));
  const auto seen_by = [&](int f) {
    return weights_seen(samples,
                        [&](Index i) { return !folds.held_out || folds.of_row[static_cast<std::size_t>(i)] != f; });
  };
  record.parameters = without_trees(setting.parameters);
  if (!(setting.parameters.linear == 1)) {
    Trained trained = train(shared, setting, folds, run);
    const std::vector<MatrixXd> whole = rotation_of(trained);
    std::vector<std::vector<MatrixXd>> rotations(static_cast<std::size_t>(folds.count), whole);
    if (trained.parameters.rotate && folds.held_out) {
      rotations = fold_rotations(trained.moments, trained.moment_views(), whole);
    }
    std::vector<std::vector<MatrixXd>> effects;  // per view and fold
    for (Index v = 0; v < static_cast<Index>(shared.views().size()) && shared.covariate_columns() != nullptr; ++v) {
      effects.push_back(trained.covariate_effect_without_folds(v, folds, run.threads()));
    }
    for (int f = 0; f < folds.count; ++f) {
      Part& part = parts[static_cast<std::size_t>(f)];
      for (Index v = 0; v < static_cast<Index>(shared.views().size()); ++v) {
        EncoderState& state = trained.encoders[static_cast<std::size_t>(v * folds.count + f)];
        std::vector<Encoder> encoders;
        encoders.push_back(std::move(state.trees));
        CovariateEffect effect{shared.covariate_columns()};
        if (!effects.empty()) effect.coefficients = effects[static_cast<std::size_t>(v)][static_cast<std::size_t>(f)];
        add_trees(part, std::move(encoders), std::move(state.embedding), effect,
                  rotations[static_cast<std::size_t>(f)][static_cast<std::size_t>(v)], all, seen_by(f),
                  {static_cast<std::size_t>(v), samples}, run.threads());
        state.embedding = Matrix<float>();
        Screening& screening = part.screenings.emplace_back();
        const Screening& whole_screening = trained.screenings[static_cast<std::size_t>(v)];
        if (whole_screening.empty()) continue;
        screening.kept.push_back(whole_screening.kept[static_cast<std::size_t>(f)]);
        screening.scores = whole_screening.scores;
      }
    }
    record = record_of(trained);
  }
  run.clock().time("linear", [&] {
    const Index k = setting.parameters.n_components;
    std::vector<LinearFit> fits;
    if (folds.held_out) {
      fits = fit_linear_cca_without_folds(linear_views, folds, k, *setting.shared_seed, run.threads());
    } else {
      fits.push_back(fit_linear_cca(linear_views, folds, k, *setting.shared_seed, run.threads()));
    }
    for (int f = 0; f < folds.count; ++f) {
      add_linear(parts[static_cast<std::size_t>(f)], std::move(fits[static_cast<std::size_t>(f)]), shared, seen_by(f),
                 run.threads());
    }
  });
  return parts;
}

HeldOutRows held_out_by_parts(const std::vector<Folds>& splits, Index repeats) {
  HeldOutRows held_out;
  held_out.n_parts = static_cast<int>(splits.size());
  const std::size_t per_repeat = splits.size() / static_cast<std::size_t>(repeats);
  for (std::size_t p = 0; p < splits.size(); ++p) {
    if (p % per_repeat == 0) held_out.part_of_row.emplace_back(splits[p].of_row.size(), 0);
    for (std::size_t i = 0; i < splits[p].of_row.size(); ++i) {
      if (splits[p].of_row[i] < 0) held_out.part_of_row.back()[i] = static_cast<int>(p);
    }
  }
  return held_out;
}

/// The mean curve. A part that has stopped keeps its last value.
History mean_history(const std::vector<TrainingRecord>& records) {
  History mean;
  for (const TrainingRecord& record : records) {
    if (record.history.round.size() > mean.round.size()) mean.round = record.history.round;
  }
  for (std::size_t i = 0; i < mean.round.size(); ++i) {
    double sum = 0;
    for (const TrainingRecord& record : records) {
      const std::vector<double>& tcc = record.history.tcc;
      if (!tcc.empty()) sum += tcc[std::min(i, tcc.size() - 1)];
    }
    mean.tcc.push_back(sum / static_cast<double>(records.size()));
  }
  return mean;
}

/// Whether to fit parts concurrently, one thread each, because one part cannot use all threads.
bool side_by_side(const TrainingData& shared, const Setting& setting, std::size_t parts, Threads threads) {
  if (threads.count == 1 || !shared.samples().peers().alone()) return false;
  if (setting.parameters.engine != EngineKind::native) return false;
  return static_cast<std::size_t>(threads.count) <= parts;
}

}  // namespace

std::vector<Folds> make_splits(const Samples& samples, const Parameters& parameters) {
  if (parameters.n_repeats == 0) return {make_folds(samples, parameters.cross_fit, parameters.random_state)};
  return make_parts(samples, parameters.n_repeats, parameters.cross_fit, parameters.random_state);
}

FittedParts fit_parts(TrainingData& shared, const LinearViews& views, const Setting& setting,
                      const std::vector<Folds>& splits, Run& run) {
  FittedParts fitted;
  std::vector<TrainingRecord> records(splits.size());
  Setting one = setting;
  one.shared_seed = setting.parameters.random_state;
  one.curves = Curves::tcc;
  if (setting.parameters.n_repeats == 0) {
    fitted.parts = fit_folds_as_parts(shared, views, one, splits[0], run, records[0]);
    fitted.held_out = {{splits[0].of_row}, splits[0].count, splits[0].held_out};
  } else {
    fitted.parts.resize(splits.size());
    fitted.held_out = held_out_by_parts(splits, setting.parameters.n_repeats);
    prepare(shared, one, run);
    const bool parallel = side_by_side(shared, setting, splits.size(), run.threads());
    PartProgress progress(run, static_cast<Index>(splits.size()), setting.parameters.n_estimators);
    parallel_for(static_cast<Index>(splits.size()), parallel ? run.threads() : run.threads().with_count(1),
                 [&](Index p) {
                   const auto at = static_cast<std::size_t>(p);
                   Setting own = one;
                   own.parameters.random_state = seed_of_part(setting.parameters.random_state, p);
                   progress.run_part(parallel ? 1 : run.threads().count, [&](Run& part_run) {
                     fitted.parts[at] = fit_part(shared, views, own, splits[at], part_run, records[at]);
                   });
                 });
  }
  fitted.parameters = records[0].parameters;
  fitted.base_margins = std::move(records[0].base_margins);
  fitted.base_margins.resize(shared.views().size());
  fitted.parameters.random_state = setting.parameters.random_state;
  for (const TrainingRecord& record : records) {
    fitted.rounds = std::max(fitted.rounds, record.rounds);
    fitted.parameters.leaf_sweeps = std::max<Index>(fitted.parameters.leaf_sweeps, record.parameters.leaf_sweeps);
  }
  fitted.history = mean_history(records);
  return fitted;
}

}  // namespace treecca

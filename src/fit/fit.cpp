#include "treecca/fit.hpp"

#include <Eigen/Core>

#include "data/dataset.hpp"
#include "fit/finished_view.hpp"
#include "fit/resolve.hpp"
#include "fit/warnings.hpp"
#include "linalg/row_products.hpp"
#include "linear/cca.hpp"
#include "model/variates.hpp"
#include "objective/correlations.hpp"
#include "objective/rotation.hpp"
#include "screen/selected_columns.hpp"
#include "support/order.hpp"
#include "support/parallel.hpp"
#include "support/random.hpp"
#include "train/session.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// Of the same features as the trees.
LinearBaseline linear_beside(const std::vector<View>& views, const Parameters& parameters, const Session& session) {
  const Folds& folds = session.folds();
  const SelectedColumns seen = selected_columns(views, session.kept(), folds.count);
  return linear_baseline(seen.of_any_fold, parameters.n_components, folds.held_out ? folds.of_row : std::vector<int>{},
                         folds.held_out ? folds.count : 0, parameters.random_state, session.threads(),
                         session.weights().values, folds.shard.peers(), seen.by_fold);
}

/// Every row of an out-of-fold embedding (centred within folds) turned by the matrix of its fold and view.
Matrix<float> turned(const Matrix<float>& z, Index view, const std::vector<std::vector<MatrixXd>>& by_fold,
                     const Folds& folds, Threads threads) {
  constexpr Index kBlock = 1024;
  const Index k = by_fold[0][static_cast<std::size_t>(view)].cols();
  Matrix<float> variates(z.rows(), k);
  parallel_blocks(z.rows(), kBlock, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const MatrixXd& matrix = by_fold[static_cast<std::size_t>(folds.of_row[i])][static_cast<std::size_t>(view)];
      for (Index c = 0; c < k; ++c) {
        double sum = 0;
        for (Index l = 0; l < z.cols(); ++l) sum += static_cast<double>(z(i, l)) * matrix(l, c);
        variates(i, c) = static_cast<float>(sum);
      }
    }
  });
  return variates;
}

/// Of the variates of all views side by side, over all rows.
Moments variate_moments(const Session& session, const FitResult& result) {
  std::vector<const Matrix<float>*> stacked;
  for (const Matrix<float>& variates : result.variates) stacked.push_back(&variates);
  return moments_of(stacked, make_folds(session.folds().shard, 0, {}, 0), session.threads(), session.weights().values);
}

/// Rotation, variates and correlations of the trained encoders.
void finish(Session& session, const std::vector<View>& views, FitResult& result) {
  Trainer& trainer = session.trainer();
  const Folds& folds = session.folds();
  const Threads threads = session.threads();
  Model& model = result.model;
  const Index k = model.parameters.n_components;
  const auto n_views = static_cast<int>(views.size());
  const bool rotate = model.parameters.rotate;
  std::vector<MatrixXd> rotation(views.size(), MatrixXd::Identity(k, k));
  if (rotate) {
    rotation = common_rotation(trainer.moments().covariance(), n_views).per_view;
    for (MatrixXd& matrix : rotation) matrix = MatrixXd(matrix.leftCols(k));
  }
  ComponentCorrelations honest;
  if (folds.held_out) honest = trainer.out_of_fold_correlations(rotate);
  std::vector<std::vector<MatrixXd>> turned_by(static_cast<std::size_t>(folds.count), rotation);
  if (rotate && folds.held_out) {
    turned_by = fold_rotations(trainer.moments(), n_views, rotation);
    // The rotation is ordered by the moments it was fitted to; what is promised are the honest figures.
    const std::vector<Index> order = descending_order(honest.per_component);
    for (MatrixXd& matrix : rotation) matrix = MatrixXd(matrix(Eigen::all, order));
    for (auto& per_view : turned_by) {
      for (MatrixXd& matrix : per_view) matrix = MatrixXd(matrix(Eigen::all, order));
    }
    honest = honest.in_order(order);
  }
  for (Index v = 0; v < n_views; ++v) {
    ViewModel view;
    view.name = views[v].name;
    view.feature_names = views[v].feature_names;
    view.base_margin = std::move(session.base_margins()[v]);
    view.screening = std::move(session.screenings()[v]);
    view.rotation = to_matrix(rotation[v]);
    const Matrix<float> embedding = trainer.in_sample(v);
    view.mean = column_means(embedding, session.weights().values, folds.shard.peers());
    result.variates.push_back(to_variates(embedding, view, threads));
    if (folds.held_out) {
      result.out_of_fold.push_back(turned(trainer.out_of_fold(v), v, turned_by, folds, threads));
    }
    for (int f = 0; f < folds.count; ++f) view.encoders.push_back(std::move(trainer.encoder(v, f).trees));
    model.views.push_back(std::move(view));
  }
  const ComponentCorrelations in_sample = in_sample_correlations(variate_moments(session, result), n_views, false);
  model.correlations.in_sample = in_sample.per_component;
  if (folds.held_out) model.correlations.out_of_fold = honest.per_component;
  model.correlations.pairwise = folds.held_out ? honest.pairwise : in_sample.pairwise;
}

/// Enough of a model to tell it from any other.
std::string fingerprint(const Model& model) {
  const std::string bytes = serialize_model(model, ModelFormat::ubjson);
  std::uint64_t hash = 0;
  for (const char byte : bytes) hash = mix_bits(hash ^ static_cast<unsigned char>(byte));
  return std::to_string(hash);
}

}  // namespace

FitResult fit(const std::vector<View>& given_views, const Parameters& given_parameters, const FitOptions& options) {
  const Shard shard(given_views.empty() ? 0 : given_views[0].values.rows(), options.communicator, options.row_numbers);
  const std::vector<View> views = checked_views(given_views, options.groups, shard);
  FitResult result;
  Model& model = result.model;
  model.parameters = resolved(given_parameters, views, shard);
  const Parameters& parameters = model.parameters;
  check_distributed(views, parameters, options, shard);
  model.engine_params = options.engine_params;
  model.n_samples = static_cast<std::uint64_t>(shard.total());
  BinCache cache(views, shard);
  Session session(views, parameters, options, shard, cache);
  model.parameters = session.parameters();
  model.effective_samples = effective_samples(session.weights(), options.groups, shard);
  StageClock& clock = session.clock();
  clock.time("linear", [&] {
    const LinearBaseline linear = linear_beside(views, parameters, session);
    model.correlations.linear_out_of_fold = linear.out_of_fold;
    model.correlations.linear_in_sample = linear.in_sample;
  });
  session.run();
  model.rounds = static_cast<std::uint64_t>(session.trainer().rounds());
  model.history = session.trainer().history();
  clock.time("rotate", [&] { finish(session, views, result); });
  result.weights = session.weights().values;
  result.warnings = warnings_about(result, shard);
  result.timings = clock.stages();
  check_model(model);  // what has been fitted can be kept
  if (!shard.peers().alone()) shard.peers().check_same(fingerprint(model), "trees at the end of the fit");
  return result;
}

}  // namespace treecca

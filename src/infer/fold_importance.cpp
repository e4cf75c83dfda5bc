#include "treecca/fold_importance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "infer/half_samples.hpp"
#include "infer/refits.hpp"
#include "samples/folds.hpp"
#include "support/random.hpp"
#include "treecca/error.hpp"
#include "treecca/transform.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kImportanceFolds = 5;
constexpr std::size_t kFewestJudged = 3;          // for a correlation, unless the fold itself is smaller
constexpr Index kMostPermutationsOfFold = 10000;  // as permutation_importances, before the fits

struct RowsOfFold {
  std::vector<Index> seen, left_out;
};

RowsOfFold rows_of_fold(const Folds& folds, int fold) {
  RowsOfFold rows;
  for (Index i = 0; i < folds.rows(); ++i) {
    (folds.of_row[static_cast<std::size_t>(i)] == fold ? rows.left_out : rows.seen).push_back(i);
  }
  return rows;
}

/// The refit, rotated to the components of the model using the refit's training samples. `onto`: the model's variates
/// of all samples.
Model in_components_of_model(FitResult refit, const std::vector<Index>& seen, const Variates& onto,
                             const Samples& samples) {
  Variates variates;
  for (const MatrixXd& own : as_variates(refit.variates)) {
    MatrixXd& all = variates.emplace_back(MatrixXd::Zero(samples.here(), own.cols()));
    all(seen, Eigen::all) = own;
  }
  VectorXd weights = VectorXd::Zero(samples.here());
  for (const Index i : seen) weights(i) = samples.weight(i);
  return rotated_model(std::move(refit.model), rotation_towards(variates, onto, weights, samples));
}

void add(Matrix<double>& sum, const Matrix<double>& more, double factor, bool squares = false) {
  for (std::size_t i = 0; i < sum.values().size(); ++i) {
    const double value = factor * more.values()[i];
    sum.values()[i] += squares ? value * value : value;
  }
}

/// The mean by weight; folds of weight 0 are empty. Permutations of different folds are independent.
PermutationImportances mean_of_folds(std::vector<PermutationImportances> folds, std::vector<double> weight) {
  for (std::size_t f = folds.size(); f-- > 0;) {
    if (weight[f] > 0) continue;
    folds.erase(folds.begin() + static_cast<std::ptrdiff_t>(f));
    weight.erase(weight.begin() + static_cast<std::ptrdiff_t>(f));
  }
  const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
  for (double& one : weight) one /= sum;
  PermutationImportances mean;
  const auto zeros = [](const Matrix<double>& like) { return Matrix<double>(like.rows(), like.cols()); };
  mean.correlations = zeros(folds[0].correlations);
  for (const Matrix<double>& drops : folds[0].drops) {
    mean.drops.push_back(zeros(drops));
    mean.deviations.push_back(zeros(drops));
  }
  for (std::size_t f = 0; f < folds.size(); ++f) {
    add(mean.correlations, folds[f].correlations, weight[f]);
    for (std::size_t v = 0; v < mean.drops.size(); ++v) {
      add(mean.drops[v], folds[f].drops[v], weight[f]);
      add(mean.deviations[v], folds[f].deviations[v], weight[f], /*squares=*/true);
    }
  }
  for (Matrix<double>& deviations : mean.deviations) {
    for (double& value : deviations.values()) value = std::sqrt(value);
  }
  return mean;
}

}  // namespace

PermutationImportances out_of_fold_importances(const Model& model, const std::vector<View>& views,
                                               const OutOfFoldImportanceOptions& options) {
  if (options.n_permutations < 1 || options.n_permutations > kMostPermutationsOfFold) {
    throw UsageError(
        fmt::format("n_permutations must be from 1 to {}, not {}.", kMostPermutationsOfFold, options.n_permutations));
  }
  check_can_refit(model, options.fit, "Out-of-fold importance");
  const Dataset data = check_dataset(views, options.fit);
  check_samples_of_fit(model, data, "Out-of-fold importance refits the model, so give the data that it was fitted to.");
  const auto n_folds = static_cast<int>(std::min(kImportanceFolds, data.samples.independent()));
  const Folds folds = make_folds(data.samples, n_folds, options.random_state);
  Refits refits(model, options.fit, n_folds);
  const Variates onto = as_variates(transform(model, views, refits.threads().count, options.fit.covariates));

  std::vector<PermutationImportances> of_fold(static_cast<std::size_t>(n_folds));
  std::vector<double> weight(of_fold.size());
  refits.in_batches(n_folds, 1, [&](Index f) {
    const RowsOfFold rows = rows_of_fold(folds, static_cast<int>(f));
    const std::uint64_t seed =
        RandomKey(options.random_state, Draw::subsample, {2, static_cast<std::uint64_t>(f)}).bits(0) >> 11;
    try {
      const std::vector<Index> judged = adjustable_rows(options.fit, rows.left_out, rows.seen);
      if (judged.size() < std::min(kFewestJudged, rows.left_out.size())) return;
      const RowSubset seen(views, options.fit, rows.seen);
      FitResult refit = refits.of(seen.views(), seen.options(), seed, refits.jobs_each());
      const RowSubset left_out(views, options.fit, judged, &refit.model);
      of_fold[static_cast<std::size_t>(f)] = permutation_importances(
          in_components_of_model(std::move(refit), rows.seen, onto, data.samples), matrices_of(left_out.views()),
          {.n_permutations = options.n_permutations,
           .covariates = left_out.options().covariates,
           .random_state = seed,
           .n_jobs = refits.jobs_each(),
           .stop = refits.stop()});
      weight[static_cast<std::size_t>(f)] = static_cast<double>(judged.size());
    } catch (const DataError& error) {
      throw DataError(fmt::format("A fold of {} of {} samples cannot be left out: {}", rows.left_out.size(),
                                  data.samples.here(), error.what()));
    }
  });
  if (std::accumulate(weight.begin(), weight.end(), 0.0) == 0) {
    throw DataError("Every fold has classes of the covariates that no other fold has. Join classes.");
  }
  return mean_of_folds(std::move(of_fold), std::move(weight));
}

}  // namespace treecca

#include "linear/cca.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "linalg/decompose.hpp"
#include "linalg/eigenpairs.hpp"
#include "linear/pca.hpp"
#include "linear/stacked_moments.hpp"
#include "objective/correlations.hpp"
#include "objective/pairs.hpp"
#include "objective/rotation.hpp"
#include "support/parallel.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::array kShrinkages = {0.0, 0.01, 0.1, 0.3, 0.6, 0.9};
constexpr double kTolerance = 1e-10;         // of an eigenvalue within a view, against the largest
constexpr Index kLargestDenseProblem = 512;  // sum of dimensions above which MCCA iterates
constexpr int kMaxProducts = 40;             // of that iteration

/// A covariance of all views, each view rotated into its own principal axes. Shrinkage changes the
/// eigenvalues but not the axes, so one such basis serves all shrinkage values.
struct AlignedCovariance {
  std::vector<Index> offset;   // M + 1: where the views begin, and the sum of dimensions
  std::vector<MatrixXd> axes;  // per view d x d
  MatrixXd covariance;         // in these axes: diagonal within a view
};

AlignedCovariance align(const MatrixXd& covariance, const std::vector<Index>& offset) {
  AlignedCovariance aligned{offset, {}, covariance};
  for (std::size_t v = 0; v + 1 < offset.size(); ++v) {
    const Index at = offset[v];
    const Index d = offset[v + 1] - at;
    const SymmetricEigen eigen = symmetric_eigen(covariance.block(at, at, d, d));
    const MatrixXd& axes = eigen.vectors;
    aligned.covariance.middleCols(at, d) = aligned.covariance.middleCols(at, d) * axes;
    aligned.covariance.middleRows(at, d) = axes.transpose() * aligned.covariance.middleRows(at, d);
    aligned.covariance.block(at, at, d, d) = eigen.values.cwiseMax(0.0).asDiagonal();
    aligned.axes.push_back(axes);
  }
  return aligned;
}

/// Per aligned dimension 1 / sqrt of its shrunk variance; 0 where nothing is left.
VectorXd whitening(const AlignedCovariance& aligned, double shrinkage) {
  VectorXd weights = aligned.covariance.diagonal();
  for (std::size_t v = 0; v + 1 < aligned.offset.size(); ++v) {
    auto values = weights.segment(aligned.offset[v], aligned.offset[v + 1] - aligned.offset[v]);
    const double mean = values.mean();
    values = ((1 - shrinkage) * values.array() + shrinkage * mean).matrix();
    const double smallest = kTolerance * values.maxCoeff();
    for (double& value : values) value = value > 0 && value >= smallest ? 1 / std::sqrt(value) : 0;
  }
  return weights;
}

/// The leading k pairs of canonical vectors of whitened views, stacked.
MatrixXd canonical_vectors(const MatrixXd& whitened, const std::vector<Index>& offset, Index k, std::uint64_t seed) {
  const Index total = offset.back();
  if (offset.size() == 3) {
    const Index d = offset[1];
    const SingularValues svd = singular_values(whitened.block(0, d, d, total - d));
    MatrixXd vectors(total, std::min(k, std::min(d, total - d)));
    vectors.topRows(d) = svd.u.leftCols(vectors.cols());
    vectors.bottomRows(total - d) = svd.v.leftCols(vectors.cols());
    return vectors;
  }
  if (total <= kLargestDenseProblem) return leading_eigenpairs(whitened, k).vectors;
  return leading_eigenpairs(
             total, k, [&](const MatrixXd& v) -> MatrixXd { return whitened * v; }, kMaxProducts, seed)
      .vectors;
}

/// Ridge CCA (MCCA for more than two views): K decorrelated directions per view, d x K, in the
/// coordinates the covariance had before it was aligned.
std::vector<MatrixXd> fit_directions(const AlignedCovariance& aligned, Index k, double shrinkage, std::uint64_t seed) {
  const std::size_t m = aligned.axes.size();
  const VectorXd weights = whitening(aligned, shrinkage);
  MatrixXd whitened = weights.asDiagonal() * aligned.covariance * weights.asDiagonal();
  // Within-view blocks: the identity, which only moves the spectrum, but nothing for dimensions
  // that are not there.
  whitened.diagonal() = (weights.array() > 0).cast<double>();
  const MatrixXd vectors = weights.asDiagonal() * canonical_vectors(whitened, aligned.offset, k, seed);

  // K scores per view and their covariance, on the moments as they are (without shrinkage).
  MatrixXd scores = MatrixXd::Zero(aligned.offset.back(), static_cast<Index>(m) * k);
  for (std::size_t v = 0; v < m; ++v) {
    const Index d = aligned.offset[v + 1] - aligned.offset[v];
    scores.block(aligned.offset[v], static_cast<Index>(v) * k, d, vectors.cols()) =
        vectors.middleRows(aligned.offset[v], d);
  }
  const MatrixXd between = scores.transpose() * aligned.covariance * scores;
  const Rotation rotation = canonical_rotation(between, static_cast<int>(m));
  std::vector<MatrixXd> directions;
  for (std::size_t v = 0; v < m; ++v) {
    const Index d = aligned.offset[v + 1] - aligned.offset[v];
    const auto own = scores.block(aligned.offset[v], static_cast<Index>(v) * k, d, k);
    directions.push_back(aligned.axes[v] * (own * rotation.per_view[v]));
  }
  return directions;
}

/// Signed mean over pairs per component.
std::vector<double> correlations_of(const std::vector<double>& covariances, int n_views) {
  return mean_over_pairs(pair_correlations(covariances, n_views), n_views);
}

/// Shrinkage values that every training part can bear: none at all needs many more rows than
/// dimensions.
std::vector<double> shrinkages_for(const std::vector<StackedMoments>& fits) {
  std::vector<double> values(kShrinkages.begin(), kShrinkages.end());
  for (const StackedMoments& moments : fits) {
    const double dimensions = static_cast<double>(moments.offset.back());
    for (const RawMoments& fold : moments.folds) {
      if (moments.total.count - fold.count < 2 * dimensions) std::erase(values, 0.0);
    }
  }
  return values;
}

}  // namespace

LinearBaseline linear_baseline(const std::vector<MatrixView>& views, const Folds& folds, Index k, std::uint64_t seed,
                               Threads threads, const std::vector<std::vector<MatrixView>>& views_of_fold) {
  const int m = static_cast<int>(views.size());
  const auto moments_of_views = [&](const std::vector<MatrixView>& own) {
    return stacked_moments(own, kMaxLinearDimensions, folds, seed, threads);
  };
  const StackedMoments moments = moments_of_views(views);
  LinearBaseline result;

  if (!folds.held_out) {
    result.shrinkage = moments.total.count >= 4.0 * static_cast<double>(moments.offset.back()) ? 0 : 0.1;
  } else {
    std::vector<StackedMoments> fits;  // one for all folds, or one per fold
    for (const auto& own : views_of_fold) fits.push_back(moments_of_views(own));
    if (fits.empty()) fits.push_back(moments);
    const std::vector<double> shrinkages = shrinkages_for(fits);
    // Covariances of the variates in the fold left out, per fold and shrinkage.
    std::vector<std::vector<std::vector<double>>> left_out(moments.folds.size());
    parallel_for(static_cast<Index>(left_out.size()), threads, [&](Index f) {
      const StackedMoments& own = fits[fits.size() == 1 ? 0 : static_cast<std::size_t>(f)];
      const RawMoments& fold = own.folds[static_cast<std::size_t>(f)];
      const AlignedCovariance training = align((own.total - fold).covariance(), own.offset);
      const MatrixXd scatter = fold.scatter();
      for (const double shrinkage : shrinkages) {
        check_stop(threads.stop);
        left_out[static_cast<std::size_t>(f)].push_back(
            variate_covariances(fit_directions(training, k, shrinkage, seed), scatter));
      }
    });
    std::vector<FoldCovariances> candidates(shrinkages.size());
    double best = -1;
    for (std::size_t s = 0; s < shrinkages.size(); ++s) {
      for (const auto& fold : left_out) candidates[s].push_back(fold[s]);
      const double tcc = pooled_correlations(candidates[s], m).tcc();
      if (tcc > best) {
        best = tcc;
        result.shrinkage = shrinkages[s];
      }
    }
    result.out_of_fold = correlations_of_choice(candidates, m).per_component;
    std::sort(result.out_of_fold.begin(), result.out_of_fold.end(), std::greater<>());
  }

  const MatrixXd covariance = moments.total.covariance();
  const std::vector<MatrixXd> directions = fit_directions(align(covariance, moments.offset), k, result.shrinkage, seed);
  result.in_sample = correlations_of(variate_covariances(directions, covariance), m);
  return result;
}

}  // namespace treecca

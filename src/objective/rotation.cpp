#include "objective/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "linalg/decompose.hpp"
#include "objective/pairs.hpp"
#include "support/order.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRankTolerance = 1e-10;      // of a view's correlation matrix
constexpr double kVarianceTolerance = 1e-20;  // of a column's variance, relative to the view's largest
constexpr double kStandstill = 1e-8;          // relative growth of the objective in one sweep
constexpr int kMaxPolarIterations = 50;

/// K x r matrix B with B' V B = I that spans all directions with variance. Columns are first scaled to unit variance,
/// so that the rank does not depend on their units.
MatrixXd whitening_basis(const MatrixXd& variance) {
  const VectorXd diagonal = variance.diagonal();
  const double largest = diagonal.size() == 0 ? 0.0 : diagonal.maxCoeff();
  VectorXd scale = VectorXd::Zero(diagonal.size());
  for (Eigen::Index c = 0; c < diagonal.size(); ++c) {
    if (diagonal[c] > 0 && diagonal[c] >= kVarianceTolerance * largest) {
      scale[c] = 1 / std::sqrt(diagonal[c]);
    }
  }
  const MatrixXd correlation = scale.asDiagonal() * variance * scale.asDiagonal();
  const Spectrum spectrum = positive_spectrum(correlation, kRankTolerance);
  return scale.asDiagonal() * spectrum.vectors * spectrum.values.cwiseSqrt().cwiseInverse().asDiagonal();
}

/// Whitened views: blocks[i][j] = B_i' S_ij B_j for i != j.
using Blocks = std::vector<std::vector<MatrixXd>>;

/// sum over j != i of C_ij R_j: the target of view i given the other views.
MatrixXd pull_of_others(const Blocks& blocks, const std::vector<MatrixXd>& rotations, std::size_t i) {
  MatrixXd sum = MatrixXd::Zero(rotations[i].rows(), rotations[i].cols());
  for (std::size_t j = 0; j < rotations.size(); ++j) {
    if (j != i) sum.noalias() += blocks[i][j] * rotations[j];
  }
  return sum;
}

/// MCCA of whitened views: the leading k eigenvectors of the stacked blocks, made semi-orthogonal
/// per view.
std::vector<MatrixXd> start_rotations(const Blocks& blocks, const std::vector<Eigen::Index>& ranks, Eigen::Index k) {
  const std::size_t m = ranks.size();
  const Eigen::Index total = std::accumulate(ranks.begin(), ranks.end(), Eigen::Index{0});
  MatrixXd stacked = MatrixXd::Zero(total, total);
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < m; ++i) {
    Eigen::Index col = 0;
    for (std::size_t j = 0; j < m; ++j) {
      if (j != i) stacked.block(row, col, ranks[i], ranks[j]) = blocks[i][j];
      col += ranks[j];
    }
    row += ranks[i];
  }
  const MatrixXd leading = symmetric_eigen(stacked).vectors.rightCols(k).rowwise().reverse();
  std::vector<MatrixXd> rotations;
  row = 0;
  for (const Eigen::Index rank : ranks) {
    rotations.push_back(polar_factor(leading.middleRows(row, rank)));
    row += rank;
  }
  return rotations;
}

/// A view with fewer directions than components can have only some of the components. It has those with the strongest
/// relation to the other views; the rest are zero.
void restrict_to_rank(const Blocks& blocks, std::vector<MatrixXd>& rotations, std::size_t i) {
  const Eigen::Index rank = rotations[i].rows();
  const Eigen::Index k = rotations[i].cols();
  if (rank >= k) return;
  const MatrixXd pull = pull_of_others(blocks, rotations, i);
  std::vector<Index> order = descending_order(k, [&](Index c) { return pull.col(c).squaredNorm(); });
  order.resize(static_cast<std::size_t>(rank));
  const MatrixXd served = polar_factor(pull(Eigen::all, order));
  rotations[i].setZero();
  rotations[i](Eigen::all, order) = served;
}

/// R_v (r_v x max r) for three or more views, by alternating polar steps.
std::vector<MatrixXd> align_views(const Blocks& blocks, const std::vector<Eigen::Index>& ranks) {
  const std::size_t m = ranks.size();
  const Eigen::Index k = *std::max_element(ranks.begin(), ranks.end());
  std::vector<MatrixXd> rotations = start_rotations(blocks, ranks, k);
  double before = 0;
  for (int iteration = 0; iteration < kMaxPolarIterations; ++iteration) {
    double reached = 0;  // increases with every step; at convergence twice the objective
    for (std::size_t i = 0; i < m; ++i) {
      double trace = 0;
      rotations[i] = polar_factor(pull_of_others(blocks, rotations, i), &trace);
      reached += trace;
    }
    if (reached - before <= kStandstill * reached) break;
    before = reached;
  }

  MatrixXd agreement = MatrixXd::Zero(k, k);  // sum over pairs of R_i' C_ij R_j, twice and symmetric
  for (std::size_t i = 0; i < m; ++i) {
    agreement.noalias() += rotations[i].transpose() * pull_of_others(blocks, rotations, i);
  }
  const MatrixXd common = symmetric_eigen((agreement + agreement.transpose()) / 2).vectors.rowwise().reverse();
  for (MatrixXd& rotation : rotations) rotation = rotation * common;
  for (std::size_t i = 0; i < m; ++i) restrict_to_rank(blocks, rotations, i);
  return rotations;
}

/// R_v for the views that have any variance, r_v x (at most K); columns are components.
std::vector<MatrixXd> rotate_whitened(const Blocks& blocks, const std::vector<Eigen::Index>& ranks) {
  if (ranks.empty()) return {};
  if (ranks.size() == 1) return {MatrixXd::Identity(ranks[0], ranks[0])};
  if (ranks.size() == 2) {
    const SingularValues svd = singular_values(blocks[0][1], true);
    return {svd.u, svd.v};
  }
  return align_views(blocks, ranks);
}

/// Components in descending order of correlation.
void sort_components(Rotation& rotation) {
  const std::vector<double> unsorted = rotation.correlations;
  const std::vector<Index> order = descending_order(unsorted);
  for (MatrixXd& matrix : rotation.per_view) matrix = MatrixXd(matrix(Eigen::all, order));
  for (std::size_t c = 0; c < order.size(); ++c) rotation.correlations[c] = unsorted[order[c]];
}

/// Flips the sign of a component in all views together, so that the largest entry in the first view that has it is
/// positive.
void fix_signs(std::vector<MatrixXd>& per_view) {
  for (Eigen::Index c = 0; c < per_view[0].cols(); ++c) {
    for (const MatrixXd& matrix : per_view) {
      Eigen::Index largest = 0;
      if (!(matrix.col(c).cwiseAbs().maxCoeff(&largest) > 0)) continue;
      if (matrix(largest, c) < 0) {
        for (MatrixXd& flipped : per_view) flipped.col(c) = -flipped.col(c);
      }
      break;
    }
  }
}

/// Whitened coordinates of the views that have any variance.
struct WhitenedViews {
  std::vector<MatrixXd> bases;       // K x r_v with B' V B = I
  std::vector<Eigen::Index> offset;  // of these views in the covariance
  std::vector<Eigen::Index> ranks;
  Blocks blocks;

  template <class MakeBasis>
  WhitenedViews(const MatrixXd& covariance, int n_views, MakeBasis&& make_basis) {
    const Eigen::Index k = covariance.rows() / n_views;
    for (Eigen::Index v = 0; v < n_views; ++v) {
      MatrixXd basis = make_basis(covariance.block(v * k, v * k, k, k));
      if (basis.cols() == 0) continue;
      ranks.push_back(basis.cols());
      bases.push_back(std::move(basis));
      offset.push_back(v * k);
    }
    blocks.assign(bases.size(), std::vector<MatrixXd>(bases.size()));
    for (std::size_t i = 0; i < bases.size(); ++i) {
      for (std::size_t j = i + 1; j < bases.size(); ++j) {
        blocks[i][j] = bases[i].transpose() * covariance.block(offset[i], offset[j], k, k) * bases[j];
        blocks[j][i] = blocks[i][j].transpose();
      }
    }
  }
};

/// Converts back from whitened coordinates; ordered, with fixed signs.
Rotation finished(const WhitenedViews& views, const std::vector<MatrixXd>& rotations, const MatrixXd& covariance,
                  int n_views) {
  const Eigen::Index k = covariance.rows() / n_views;
  Rotation result;
  result.per_view.assign(static_cast<std::size_t>(n_views), MatrixXd::Zero(k, k));
  for (std::size_t i = 0; i < views.bases.size(); ++i) {
    result.per_view[static_cast<std::size_t>(views.offset[i] / k)].leftCols(rotations[i].cols()) =
        views.bases[i] * rotations[i];
  }
  result.correlations =
      mean_over_pairs(pair_correlations(variate_covariances(result.per_view, covariance), n_views), n_views);
  sort_components(result);
  if (k > 0) fix_signs(result.per_view);
  return result;
}

}  // namespace

Rotation canonical_rotation(const MatrixXd& covariance, int n_views) {
  const WhitenedViews views(covariance, n_views, whitening_basis);
  return finished(views, rotate_whitened(views.blocks, views.ranks), covariance, n_views);
}

std::vector<MatrixXd> floored_rotation(const MatrixXd& covariance, int n_views) {
  constexpr double kFloor = 1e-3;  // of a view's largest variance
  const Eigen::Index k = covariance.rows() / n_views;
  std::vector<MatrixXd> roots;  // V_v^(-1/2)
  for (Eigen::Index v = 0; v < n_views; ++v) {
    const SymmetricEigen eigen = symmetric_eigen(covariance.block(v * k, v * k, k, k));
    const double floor = kFloor * eigen.values(k - 1);
    const VectorXd weights =
        floor > 0 ? VectorXd(eigen.values.cwiseMax(floor).cwiseSqrt().cwiseInverse()) : VectorXd(VectorXd::Zero(k));
    roots.push_back(eigen.vectors * weights.asDiagonal() * eigen.vectors.transpose());
  }
  MatrixXd agreement = MatrixXd::Zero(k, k);
  for (Eigen::Index i = 0; i < n_views; ++i) {
    for (Eigen::Index j = 0; j < n_views; ++j) {
      if (i != j) agreement += roots[i] * covariance.block(i * k, j * k, k, k) * roots[j];
    }
  }
  const MatrixXd common = symmetric_eigen((agreement + agreement.transpose()) / 2).vectors.rowwise().reverse();
  for (MatrixXd& root : roots) root = root * common;
  fix_signs(roots);
  return roots;
}

Rotation common_rotation(const MatrixXd& covariance, int n_views) {
  const WhitenedViews views(covariance, n_views, [](const MatrixXd& variance) {
    const Spectrum spectrum = positive_spectrum(variance, kRankTolerance);
    return MatrixXd(spectrum.vectors * spectrum.values.cwiseSqrt().cwiseInverse().asDiagonal());
  });
  const Eigen::Index k = covariance.rows() / n_views;
  // Orthonormal frames U_v of the directions with variance: V_v^(-1/2) = basis_v U_v'.
  std::vector<MatrixXd> frames;
  for (const MatrixXd& basis : views.bases) frames.push_back(basis.colwise().normalized());
  MatrixXd agreement = MatrixXd::Zero(k, k);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    for (std::size_t j = 0; j < frames.size(); ++j) {
      if (i != j) agreement.noalias() += frames[i] * views.blocks[i][j] * frames[j].transpose();
    }
  }
  const MatrixXd common = k > 0 ? symmetric_eigen(agreement / 2).vectors.rowwise().reverse() : MatrixXd(0, 0);
  std::vector<MatrixXd> rotations;
  for (const MatrixXd& frame : frames) rotations.push_back(frame.transpose() * common);
  for (std::size_t i = 0; i < rotations.size(); ++i) restrict_to_rank(views.blocks, rotations, i);
  return finished(views, rotations, covariance, n_views);
}

}  // namespace treecca

#include "linear/directions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "linalg/decompose.hpp"
#include "linalg/eigenpairs.hpp"
#include "objective/rotation.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kTolerance = 1e-10;  // of an eigenvalue within a view, relative to the largest
constexpr double kSafePivot = 1e-8;   // of a Cholesky factor, relative to the largest diagonal entry
constexpr double kRounding = 1e-14;   // of a variance, relative to the largest possible cancellation error
constexpr Index kNarrow = 128;        // dimensions up to which a full decomposition takes no longer than an iteration

/// Coordinates of one view in which its shrunk covariance V is the identity: z = B u with B' V B = I.
class Whitening {
 public:
  Whitening(const MatrixXd& covariance, double shrinkage) {
    const double mean = covariance.rows() == 0 ? 0 : covariance.diagonal().mean();
    MatrixXd shrunk = (1 - shrinkage) * covariance;
    shrunk.diagonal().array() += shrinkage * mean;
    // Only without shrinkage can directions have no variance; such directions are left out.
    lower_ = cholesky_factor(shrunk, kSafePivot);
    if (lower_) return;
    const Spectrum spectrum = positive_spectrum(shrunk, kTolerance);
    basis_ = spectrum.vectors * spectrum.values.cwiseSqrt().cwiseInverse().asDiagonal();
  }

  Index rank() const { return lower_ ? lower_->rows() : basis_.cols(); }
  /// B u
  MatrixXd from(const MatrixXd& u) const {
    if (!lower_) return basis_ * u;
    if (lower_->rows() == 0 || u.cols() == 0) return u;  // Eigen's solver would take the address of an empty vector
    return lower_->transpose().triangularView<Eigen::Upper>().solve(u);
  }
  /// B' z
  MatrixXd adjoint(const MatrixXd& z) const {
    if (!lower_) return basis_.transpose() * z;
    if (lower_->rows() == 0 || z.cols() == 0) return z;
    return lower_->triangularView<Eigen::Lower>().solve(z);
  }
  /// The u with B u = z; empty (no columns) if B has no inverse.
  MatrixXd to(const MatrixXd& z) const {
    if (!lower_) return MatrixXd(rank(), 0);
    if (lower_->rows() == 0 || z.cols() == 0) return z;
    return lower_->transpose().triangularView<Eigen::Upper>() * z;
  }

 private:
  std::optional<MatrixXd> lower_;  // Cholesky factor of V; B = its inverse, transposed
  MatrixXd basis_;                 // B if there is no Cholesky factor
};

/// One covariance, whitened per view for one shrinkage.
struct Problem {
  const MatrixXd& covariance;
  const std::vector<Index>& offset;
  std::vector<Whitening> whitenings;
  std::vector<Index> begin{0};  // first whitened coordinate of each view

  Problem(const MatrixXd& given, const std::vector<Index>& offset_of_views, double shrinkage)
      : covariance(given), offset(offset_of_views) {
    for (std::size_t v = 0; v + 1 < offset.size(); ++v) {
      whitenings.emplace_back(block(v, v), shrinkage);
      begin.push_back(begin.back() + whitenings.back().rank());
    }
  }

  std::size_t views() const { return whitenings.size(); }
  Index dimensions(std::size_t v) const { return offset[v + 1] - offset[v]; }
  Index rank(std::size_t v) const { return whitenings[v].rank(); }
  Eigen::Block<const MatrixXd> block(std::size_t i, std::size_t j) const {
    return covariance.block(offset[i], offset[j], dimensions(i), dimensions(j));
  }
  /// B_i' S_ij B_j
  MatrixXd whitened_block(std::size_t i, std::size_t j) const {
    const MatrixXd half = whitenings[i].adjoint(block(i, j));
    return whitenings[j].adjoint(half.transpose()).transpose();
  }
  /// Converts stacked vectors from and to whitened coordinates.
  MatrixXd from_whitened(const MatrixXd& u) const {
    MatrixXd z(offset.back(), u.cols());
    for (std::size_t v = 0; v < views(); ++v) {
      z.middleRows(offset[v], dimensions(v)) = whitenings[v].from(u.middleRows(begin[v], rank(v)));
    }
    return z;
  }
  MatrixXd to_whitened(const MatrixXd& z) const {
    MatrixXd u(begin.back(), z.cols());
    for (std::size_t v = 0; v < views(); ++v) {
      const MatrixXd own = whitenings[v].to(z.middleRows(offset[v], dimensions(v)));
      if (own.cols() != z.cols()) return MatrixXd(begin.back(), 0);
      u.middleRows(begin[v], rank(v)) = own;
    }
    return u;
  }
};

bool iterates(Index side, Index k) { return side > std::max(kNarrow, 5 * krylov_width(k)); }

/// Two views: singular vectors of the whitened block between them, stacked, in whitened coordinates.
MatrixXd canonical_pairs(const Problem& problem, Index k, KrylovLimits limits, std::uint64_t seed,
                         const MatrixXd& similar) {
  const Index ranks[] = {problem.rank(0), problem.rank(1)};
  const Index kept = std::min(k, std::min(ranks[0], ranks[1]));
  MatrixXd vectors(ranks[0] + ranks[1], kept);
  if (kept == 0) return vectors;
  if (!iterates(std::min(ranks[0], ranks[1]), k)) {
    const SingularValues svd = singular_values(problem.whitened_block(0, 1));
    vectors.topRows(ranks[0]) = svd.u.leftCols(kept);
    vectors.bottomRows(ranks[1]) = svd.v.leftCols(kept);
    return vectors;
  }
  // Eigenvectors of M M' for the narrower view; they determine the other view's. This needs only half of the basis.
  const std::size_t a = ranks[0] <= ranks[1] ? 0 : 1;
  const std::size_t b = 1 - a;
  const auto cross = problem.block(0, 1);
  const auto to_other = [&](const MatrixXd& u) -> MatrixXd {
    const MatrixXd z = problem.whitenings[a].from(u);
    return problem.whitenings[b].adjoint(a == 0 ? MatrixXd(cross.transpose() * z) : MatrixXd(cross * z));
  };
  const auto apply = [&](const MatrixXd& u) -> MatrixXd {
    const MatrixXd z = problem.whitenings[b].from(to_other(u));
    return problem.whitenings[a].adjoint(a == 0 ? MatrixXd(cross * z) : MatrixXd(cross.transpose() * z));
  };
  const MatrixXd known = similar.middleRows(problem.begin[a], ranks[a]);
  const MatrixXd found = krylov_eigenpairs(ranks[a], kept, known, apply, limits, seed).vectors;
  vectors.middleRows(problem.begin[a], ranks[a]) = found;
  vectors.middleRows(problem.begin[b], ranks[b]) = orthonormal_basis(to_other(found));
  return vectors;
}

/// More views: leading eigenvectors of all whitened blocks, where blocks within views are the identity.
MatrixXd canonical_stack(const Problem& problem, Index k, KrylovLimits limits, std::uint64_t seed,
                         const MatrixXd& similar) {
  const Index side = problem.begin.back();
  const std::size_t m = problem.views();
  if (!iterates(side, k)) {
    MatrixXd whitened = MatrixXd::Identity(side, side);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = i + 1; j < m; ++j) {
        const MatrixXd block = problem.whitened_block(i, j);
        whitened.block(problem.begin[i], problem.begin[j], block.rows(), block.cols()) = block;
        whitened.block(problem.begin[j], problem.begin[i], block.cols(), block.rows()) = block.transpose();
      }
    }
    return leading_eigenpairs(whitened, k).vectors;
  }
  const auto apply = [&](const MatrixXd& u) -> MatrixXd {
    const MatrixXd z = problem.from_whitened(u);
    MatrixXd image = u;
    MatrixXd pull = MatrixXd::Zero(z.rows(), z.cols());
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = i + 1; j < m; ++j) {
        const auto block = problem.block(i, j);
        pull.middleRows(problem.offset[i], block.rows()).noalias() +=
            block * z.middleRows(problem.offset[j], block.cols());
        pull.middleRows(problem.offset[j], block.cols()).noalias() +=
            block.transpose() * z.middleRows(problem.offset[i], block.rows());
      }
    }
    for (std::size_t v = 0; v < m; ++v) {
      image.middleRows(problem.begin[v], problem.rank(v)) +=
          problem.whitenings[v].adjoint(pull.middleRows(problem.offset[v], problem.dimensions(v)));
    }
    return image;
  };
  return krylov_eigenpairs(side, k, similar, apply, limits, seed).vectors;
}

/// Columns whose variance is only rounding error become zero, because scaling would turn them into noise.
void drop_rounding(MatrixXd& scores, const MatrixXd& covariance) {
  const VectorXd deviations = covariance.diagonal().cwiseMax(0.0).cwiseSqrt();
  const MatrixXd images = covariance * scores;
  for (Index c = 0; c < scores.cols(); ++c) {
    const double bound = scores.col(c).cwiseAbs().dot(deviations);
    if (!(scores.col(c).dot(images.col(c)) > kRounding * bound * bound)) scores.col(c).setZero();
  }
}

}  // namespace

Directions fit_directions(const MatrixXd& covariance, const std::vector<Index>& offset, Index k, double shrinkage,
                          KrylovLimits limits, std::uint64_t seed, const MatrixXd& similar) {
  const Problem problem(covariance, offset, shrinkage);
  const std::size_t m = problem.views();
  const MatrixXd known = similar.size() == 0 ? MatrixXd(problem.begin.back(), 0) : problem.to_whitened(similar);
  const auto solve = m == 2 ? canonical_pairs : canonical_stack;
  Directions result;
  result.canonical = problem.from_whitened(solve(problem, k, limits, seed, known));

  // K scores per view and their covariance, from the given moments (without shrinkage).
  std::vector<MatrixXd> scores;
  for (std::size_t v = 0; v < m; ++v) {
    MatrixXd own = MatrixXd::Zero(problem.dimensions(v), k);
    own.leftCols(result.canonical.cols()) = result.canonical.middleRows(offset[v], own.rows());
    drop_rounding(own, problem.block(v, v));
    scores.push_back(std::move(own));
  }
  const Index count = static_cast<Index>(m);
  MatrixXd between(count * k, count * k);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = i; j < m; ++j) {
      const MatrixXd part = scores[i].transpose() * (problem.block(i, j) * scores[j]);
      between.block(static_cast<Index>(i) * k, static_cast<Index>(j) * k, k, k) = part;
      between.block(static_cast<Index>(j) * k, static_cast<Index>(i) * k, k, k) = part.transpose();
    }
  }
  const Rotation rotation = canonical_rotation(between, static_cast<int>(m));
  for (std::size_t v = 0; v < m; ++v) result.per_view.push_back(scores[v] * rotation.per_view[v]);
  return result;
}

}  // namespace treecca

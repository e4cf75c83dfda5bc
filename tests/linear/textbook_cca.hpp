// Linear CCA as in textbooks, and views for it: what src/linear is compared with.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "helpers/eigen_matrices.hpp"
#include "helpers/oracles.hpp"
#include "support/random.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

inline std::vector<int> folds_of(Index n, int folds) {
  const RandomKey key(99, Draw::folds);
  std::vector<int> out;
  for (Index i = 0; i < n; ++i) {
    out.push_back(static_cast<int>(key.bits(static_cast<std::uint64_t>(i)) % static_cast<unsigned>(folds)));
  }
  return out;
}

/// Two Gaussian views of p columns with the given canonical correlations, each mixed by an
/// invertible matrix.
inline std::vector<Matrix<float>> gaussian_views(Index n, Index p, const std::vector<double>& rho, std::uint64_t seed) {
  const Eigen::MatrixXd first = random_normal(n, p, seed);
  Eigen::MatrixXd second = random_normal(n, p, seed + 1);
  for (std::size_t c = 0; c < rho.size(); ++c) {
    const Index at = static_cast<Index>(c);
    second.col(at) = rho[c] * first.col(at) + std::sqrt(1 - rho[c] * rho[c]) * second.col(at);
  }
  return {to_matrix<float>(first * random_normal(p, p, seed + 2)),
          to_matrix<float>(second * random_normal(p, p, seed + 3))};
}

inline std::vector<MatrixView> as_views(const std::vector<Matrix<float>>& matrices) {
  return {matrices.begin(), matrices.end()};
}

inline Eigen::MatrixXd standardised(const Matrix<float>& x) {
  Eigen::MatrixXd out = centred(to_eigen(x));
  const double n = static_cast<double>(out.rows() - 1);
  for (Index j = 0; j < out.cols(); ++j) out.col(j) *= std::sqrt(n) / out.col(j).norm();
  return out;
}

/// Ridge CCA as in textbooks: the generalised eigenproblem S12 S22^-1 S21 a = rho^2 S11 a.
struct Textbook {
  Eigen::MatrixXd first;
  Eigen::MatrixXd second;
};

inline Textbook textbook_cca(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y, double shrinkage, Index k) {
  const double n = static_cast<double>(x.rows() - 1);
  const auto shrunk = [&](const Eigen::MatrixXd& z) {
    Eigen::MatrixXd s = (1 - shrinkage) * covariance_of(z);
    s.diagonal().array() += shrinkage * covariance_of(z).diagonal().mean();
    return s;
  };
  const Eigen::MatrixXd cross = centred(x).transpose() * centred(y) / n;
  const Eigen::MatrixXd inner = testing::solve_symmetric(shrunk(y), cross.transpose());
  const testing::Eigenproblem solved = testing::generalised_eigenproblem(cross * inner, shrunk(x));
  const Eigen::MatrixXd first = solved.vectors.rowwise().reverse().leftCols(k);
  return {first, inner * first};
}

}  // namespace treecca

// Random matrices for the tests of linear algebra.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "support/random.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

inline Eigen::MatrixXd random_normal(Eigen::Index rows, Eigen::Index cols, std::uint64_t seed) {
  const RandomKey key(seed, Draw::start);
  Eigen::MatrixXd values(rows, cols);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    values.data()[i] = key.normal(static_cast<std::uint64_t>(i));
  }
  return values;
}

inline Eigen::MatrixXd centred(const Eigen::MatrixXd& z) { return z.rowwise() - z.colwise().mean(); }

inline Eigen::MatrixXd covariance_of(const Eigen::MatrixXd& z) {
  return centred(z).transpose() * centred(z) / static_cast<double>(z.rows() - 1);
}

template <class T>
Matrix<T> to_matrix(const Eigen::MatrixXd& values) {
  Matrix<T> out(values.rows(), values.cols());
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    for (Eigen::Index j = 0; j < values.cols(); ++j) out(i, j) = static_cast<T>(values(i, j));
  }
  return out;
}

template <class T>
Eigen::MatrixXd to_eigen(const Matrix<T>& values) {
  Eigen::MatrixXd out(values.rows(), values.cols());
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    for (Eigen::Index j = 0; j < values.cols(); ++j) out(i, j) = static_cast<double>(values(i, j));
  }
  return out;
}

}  // namespace treecca

#include "boost/meet.hpp"

#include <cmath>

#include "linear/decompose.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

MatrixXd cross_product(const Matrix<float>& a, const Matrix<float>& b) {
  const Eigen::Map<const RowMajor> left(a.data(), a.rows(), a.cols());
  const Eigen::Map<const RowMajor> right(b.data(), b.rows(), b.cols());
  return left.cast<double>().transpose() * right.cast<double>();
}

void turn(Matrix<float>& z, const MatrixXd& by) {
  Eigen::Map<RowMajor> own(z.data(), z.rows(), z.cols());
  own = (own.cast<double>() * by).cast<float>().eval();
}

}  // namespace

void turn_to_meet(Matrix<float>& z, const Matrix<float>& towards) {
  const SingularValues svd = singular_values(cross_product(z, towards));
  turn(z, svd.u * svd.v.transpose());
}

MatrixXd reflection_of_opposed(const MatrixXd& cross_correlation, double least) {
  const SymmetricEigen eigen = symmetric_eigen((cross_correlation + cross_correlation.transpose()) / 2);
  MatrixXd reflection = MatrixXd::Identity(cross_correlation.rows(), cross_correlation.cols());
  for (Eigen::Index c = 0; c < eigen.values.size(); ++c) {
    if (eigen.values(c) < -least) reflection -= 2 * eigen.vectors.col(c) * eigen.vectors.col(c).transpose();
  }
  return reflection;
}

void turn_round_opposed(std::vector<Start>& starts, double samples, const Shard& shard) {
  const auto k = static_cast<double>(starts[0].values.cols());
  // Eigenvalues of the symmetric part of K x K correlations of independent columns hardly pass sqrt(2 K / n).
  const double least = (std::sqrt(2 * k) + 2) / std::sqrt(samples);
  for (std::size_t v = 1; v < starts.size(); ++v) {
    MatrixXd product = MatrixXd::Zero(starts[v].values.cols(), starts[v].values.cols());
    for (std::size_t before = 0; before < v; ++before) {
      product += cross_product(starts[before].values, starts[v].values);
    }
    shard.peers().sum(product);
    const double pairs = static_cast<double>(shard.total()) * static_cast<double>(v);
    turn(starts[v].values, reflection_of_opposed(product / pairs, least));
  }
}

}  // namespace treecca

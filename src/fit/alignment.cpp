#include "fit/alignment.hpp"

#include "linalg/decompose.hpp"
#include "linalg/row_products.hpp"

namespace treecca {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd weights_of_view(VectorXd weights, std::size_t view, const Samples& samples) {
  for (Index i = 0; i < weights.size() && !samples.complete(); ++i) {
    if (!samples.has(static_cast<Index>(view), i)) weights(i) = 0;
  }
  return weights;
}

VectorXd weighted_means(const MatrixXd& z, const VectorXd& weights, const Peers& peers) {
  MatrixXd sums(z.cols() + 1, 1);
  sums << z.transpose() * weights, weights.sum();
  peers.sum(span_of(sums));
  const double count = sums(z.cols(), 0);
  return count > 0 ? VectorXd(sums.col(0).head(z.cols()) / count) : VectorXd(VectorXd::Zero(z.cols()));
}

MatrixXd rotation_towards(const Variates& z, const Variates& onto, const VectorXd& of_rows, const Samples& samples) {
  const Peers& peers = samples.peers();
  MatrixXd product = MatrixXd::Zero(z[0].cols(), z[0].cols());
  for (std::size_t v = 0; v < z.size(); ++v) {
    const VectorXd weights = weights_of_view(of_rows, v, samples);
    const MatrixXd own = z[v].rowwise() - weighted_means(z[v], weights, peers).transpose();
    const MatrixXd other = onto[v].rowwise() - weighted_means(onto[v], weights, peers).transpose();
    product += own.transpose() * weights.asDiagonal() * other;
  }
  peers.sum(span_of(product));
  return polar_factor(product);
}

}  // namespace treecca

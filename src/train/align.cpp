#include "train/align.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/decompose.hpp"
#include "linalg/row_products.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

MatrixXd cross_product(const Matrix<float>& a, const Matrix<float>& b) {
  const Eigen::Map<const FloatRows> left(a.data(), a.rows(), a.cols());
  const Eigen::Map<const FloatRows> right(b.data(), b.rows(), b.cols());
  return left.cast<double>().transpose() * right.cast<double>();
}

void rotate(Matrix<float>& z, const MatrixXd& by) {
  Eigen::Map<FloatRows> own(z.data(), z.rows(), z.cols());
  own = (own.cast<double>() * by).cast<float>().eval();
}

/// The embedding, with 0 in rows that are left out or lack the view.
Matrix<float> without_left_out(Matrix<float> z, Index view, const Folds& folds) {
  for (Index i = 0; i < z.rows(); ++i) {
    if (!folds.counts(view, i)) std::fill_n(z.row(i), z.cols(), 0.0F);
  }
  return z;
}

}  // namespace

void align_to(Matrix<float>& z, const Matrix<float>& target) { rotate(z, polar_factor(cross_product(z, target))); }

MatrixXd reflection_of_opposed(const MatrixXd& cross_correlation, double threshold) {
  const SymmetricEigen eigen = symmetric_eigen((cross_correlation + cross_correlation.transpose()) / 2);
  MatrixXd reflection = MatrixXd::Identity(cross_correlation.rows(), cross_correlation.cols());
  for (Eigen::Index c = 0; c < eigen.values.size(); ++c) {
    if (eigen.values(c) < -threshold) reflection -= 2 * eigen.vectors.col(c) * eigen.vectors.col(c).transpose();
  }
  return reflection;
}

void reflect_opposed(const std::vector<Matrix<float>*>& embeddings, const Folds& folds) {
  const Samples& samples = *folds.samples;
  const Index columns = embeddings[0]->cols();
  const auto rows = static_cast<double>(samples.peers().sum(static_cast<Index>(folds.order.size())));
  const double effective = samples.effective() * (rows / static_cast<double>(samples.total()));
  // Eigenvalues of the symmetric part of K x K correlations of independent columns rarely exceed sqrt(2 K / n).
  const double threshold = (std::sqrt(2 * static_cast<double>(columns)) + 2) / std::sqrt(effective);
  for (std::size_t v = 1; v < embeddings.size(); ++v) {
    const auto view = static_cast<Index>(v);
    const Matrix<float> own = without_left_out(*embeddings[v], view, folds);
    MatrixXd product = MatrixXd::Zero(columns, columns);
    double pairs = rows * static_cast<double>(v);
    for (std::size_t before = 0; before < v; ++before) product += cross_product(*embeddings[before], own);
    samples.peers().sum(span_of(product));
    if (!samples.complete()) {  // rows that lack a view are zero in it
      pairs = 0;
      for (Index before = 0; before < view; ++before) {
        pairs += static_cast<double>(samples.peers().sum(static_cast<Index>(folds.shared(before, view).order.size())));
      }
    }
    rotate(*embeddings[v], reflection_of_opposed(product / pairs, threshold));
  }
}

}  // namespace treecca

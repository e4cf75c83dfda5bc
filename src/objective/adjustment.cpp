#include "objective/adjustment.hpp"

#include "linalg/decompose.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

MatrixXd sum_of(const std::vector<MatrixXd>& matrices) {
  MatrixXd sum = matrices[0];
  for (std::size_t f = 1; f < matrices.size(); ++f) sum += matrices[f];
  return sum;
}

/// The scatter of the covariates over all rows that have the view, in folds or not.
MatrixXd scatter_of_all(const Matrix<double>& covariates, const Samples& samples, Index view) {
  const Index d = covariates.cols();
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(d);
  MatrixXd squares = MatrixXd::Zero(d, d);
  double weight = 0;
  for (Index i = 0; i < covariates.rows(); ++i) {
    if (!samples.has(view, i)) continue;
    const Eigen::Map<const Eigen::VectorXd> row(covariates.row(i), d);
    weight += samples.weight(i);
    sum += samples.weight(i) * row;
    squares += samples.weight(i) * row * row.transpose();
  }
  if (weight > 0) squares -= sum * sum.transpose() / weight;
  return squares;
}

void subtract_row(const double* covariates, const double* mean, const MatrixXd& coefficients, float* z) {
  for (Index w = 0; w < coefficients.cols(); ++w) {
    double effect = 0;
    for (Index j = 0; j < coefficients.rows(); ++j) {
      effect += (covariates[j] - (mean == nullptr ? 0.0 : mean[j])) * coefficients(j, w);
    }
    z[w] = static_cast<float>(z[w] - effect);
  }
}

}  // namespace

MatrixXd inverse_of_part(const MatrixXd& part, const MatrixXd& total) {
  constexpr double kTolerance = 1e-9;  // of the largest eigenvalue of the total
  constexpr double kLeastShare = 0.2;
  const Spectrum all = positive_spectrum(total, kTolerance);
  if (all.values.size() == 0) return MatrixXd::Zero(total.rows(), total.cols());
  const MatrixXd whitening = all.vectors * all.values.cwiseSqrt().cwiseInverse().asDiagonal();
  const SymmetricEigen shares = symmetric_eigen(whitening.transpose() * part * whitening);  // ascending
  Index unknown = 0;
  while (unknown < shares.values.size() && shares.values(unknown) < kLeastShare) ++unknown;
  const Index known = shares.values.size() - unknown;
  const MatrixXd directions = whitening * shares.vectors.rightCols(known);
  return directions * shares.values.tail(known).cwiseInverse().asDiagonal() * directions.transpose();
}

void subtract_effect(const Matrix<double>& covariates, const MatrixXd& coefficients, Matrix<float>& z) {
  for (Index i = 0; i < z.rows(); ++i) subtract_row(covariates.row(i), nullptr, coefficients, z.row(i));
}

Adjustment::Adjustment(const Matrix<double>& covariates, const Folds& folds, Index view)
    : covariates_(covariates), folds_(folds), rows_(folds.shared(view, view)) {
  const Index d = covariates.cols();
  const auto count = static_cast<std::size_t>(folds.count);
  std::vector<MatrixXd> scatter(count, MatrixXd::Zero(d, d));
  std::vector<double> weight(count, 0.0);
  mean_.assign(count, std::vector<double>(static_cast<std::size_t>(d), 0.0));
  const auto for_each_row = [&](auto&& body) {
    for (const RowIndex row : rows_.order) {
      const auto i = static_cast<Index>(row);
      body(i, static_cast<std::size_t>(folds.of_row[static_cast<std::size_t>(i)]), folds.samples->weight(i));
    }
  };
  for_each_row([&](Index i, std::size_t f, double w) {
    weight[f] += w;
    for (Index j = 0; j < d; ++j) mean_[f][static_cast<std::size_t>(j)] += w * covariates(i, j);
  });
  for (std::size_t f = 0; f < count; ++f) {
    for (double& value : mean_[f]) value = weight[f] > 0 ? value / weight[f] : 0.0;
  }
  Eigen::VectorXd away(d);
  for_each_row([&](Index i, std::size_t f, double w) {
    for (Index j = 0; j < d; ++j) away(j) = covariates(i, j) - mean_[f][static_cast<std::size_t>(j)];
    scatter[f] += w * away * away.transpose();
  });
  const MatrixXd total = sum_of(scatter), all = scatter_of_all(covariates, *folds.samples, view);
  inverse_ = inverse_of_part(total, all);
  for (const MatrixXd& own : scatter) {
    inverse_without_.push_back(folds.held_out ? inverse_of_part(total - own, all) : inverse_);
  }
}

std::vector<MatrixXd> Adjustment::products(const Matrix<float>& z) const {
  const Index d = covariates_.cols();
  std::vector<MatrixXd> sums(mean_.size(), MatrixXd::Zero(d, z.cols()));
  for (const RowIndex row : rows_.order) {
    const auto i = static_cast<Index>(row);
    const auto f = static_cast<std::size_t>(folds_.of_row[static_cast<std::size_t>(i)]);
    const double weight = folds_.samples->weight(i);
    for (Index j = 0; j < d; ++j) {
      const double away = weight * (covariates_(i, j) - mean_[f][static_cast<std::size_t>(j)]);
      for (Index w = 0; w < z.cols(); ++w) sums[f](j, w) += away * z(i, w);
    }
  }
  return sums;
}

MatrixXd Adjustment::coefficients(const Matrix<float>& z) const { return inverse_ * sum_of(products(z)); }

std::vector<MatrixXd> Adjustment::coefficients_without_folds(const Matrix<float>& z) const {
  const std::vector<MatrixXd> sums = products(z);
  const MatrixXd total = sum_of(sums);
  std::vector<MatrixXd> result;
  for (std::size_t f = 0; f < sums.size(); ++f) {
    result.push_back(inverse_without_[f] * (folds_.held_out ? MatrixXd(total - sums[f]) : total));
  }
  return result;
}

void Adjustment::apply(Matrix<float>& z) const {
  const std::vector<MatrixXd> coefficients = coefficients_without_folds(z);
  for (const RowIndex row : rows_.order) {
    const auto i = static_cast<Index>(row);
    const auto f = static_cast<std::size_t>(folds_.of_row[static_cast<std::size_t>(i)]);
    subtract_row(covariates_.row(i), mean_[f].data(), coefficients[f], z.row(i));
  }
}

}  // namespace treecca

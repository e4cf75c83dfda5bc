#include "boost/start.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "linear/linear_map.hpp"
#include "linear/pca.hpp"
#include "objective/rotation.hpp"
#include "support/random.hpp"

namespace treecca {
namespace {

constexpr double kRandomScale = 0.01;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<RowMajor> as_eigen(Matrix<double>& m) { return {m.data(), m.rows(), m.cols()}; }

void multiply(BaseMargin& map, Matrix<double>& scores, const Eigen::MatrixXd& by) {
  as_eigen(scores) = (as_eigen(scores) * by).eval();
  as_eigen(map.weights) = (as_eigen(map.weights) * by).eval();
}

/// Random directions in the space of the standardised features.
BaseMargin random_projection(const View& view, Index k, std::uint64_t seed, Index view_number) {
  const Index p = view.values.cols();
  const RandomKey key(seed, Draw::start, {static_cast<std::uint64_t>(view_number)});
  BaseMargin map{std::vector<double>(static_cast<std::size_t>(p), 0.0), Matrix<double>(p, k)};
  for (Index j = 0; j < p; ++j) {
    double sum = 0;
    double squares = 0;
    double count = 0;
    for (Index i = 0; i < view.values.rows(); ++i) {
      const double x = view.values(i, j);
      if (std::isnan(x)) continue;
      sum += x;
      ++count;
    }
    const double mean = count > 0 ? sum / count : 0;
    for (Index i = 0; i < view.values.rows(); ++i) {
      const double x = view.values(i, j);
      if (!std::isnan(x)) squares += (x - mean) * (x - mean);
    }
    map.mean[j] = mean;
    const double scale = squares > 0 ? 1 / std::sqrt(squares / count * static_cast<double>(p)) : 0;
    for (Index c = 0; c < k; ++c) map.weights(j, c) = scale * key.normal(static_cast<std::uint64_t>(j * k + c));
  }
  return map;
}

/// u in (0, 1) by rank, for one column of scores.
std::vector<double> ranks_of(const Matrix<double>& scores, Index column) {
  const Index n = scores.rows();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return scores(a, column) != scores(b, column) ? scores(a, column) < scores(b, column) : a < b;
  });
  std::vector<double> u(static_cast<std::size_t>(n));
  for (Index r = 0; r < n; ++r) u[order[r]] = (static_cast<double>(r) + 0.5) / static_cast<double>(n);
  return u;
}

/// Columns beyond the rank: curves along the leading components. The first harmonic is nearly the component itself,
/// so they begin with the second.
void fill_with_harmonics(Matrix<double>& scores, Index rank) {
  if (rank == 0) return;
  constexpr double kPi = 3.141592653589793;
  for (Index c = rank; c < scores.cols(); ++c) {
    const std::vector<double> u = ranks_of(scores, (c - rank) % rank);
    const auto harmonic = static_cast<double>(2 + (c - rank) / rank);
    for (Index i = 0; i < scores.rows(); ++i) scores(i, c) = std::cos(kPi * harmonic * u[i]);
  }
}

/// Unit variance, centred; constant columns become zero.
void standardise_columns(Matrix<double>& scores) {
  auto z = as_eigen(scores);
  z.rowwise() -= z.colwise().mean().eval();
  for (Index c = 0; c < scores.cols(); ++c) {
    const double deviation = std::sqrt(z.col(c).squaredNorm() / static_cast<double>(scores.rows() - 1));
    z.col(c) *= deviation > 0 ? 1 / deviation : 0;
  }
}

}  // namespace

double start_weight(const Parameters& parameters, Index rounds_done) {
  // The start must be gone before the last rounds, however few there are.
  const Index fade = std::min(parameters.init_fade, (parameters.n_estimators + 1) / 2);
  return rounds_done < fade ? 1.0 - static_cast<double>(rounds_done) / static_cast<double>(fade) : 0.0;
}

Start start_values(const View& view, Index view_number, const Parameters& parameters, Threads threads) {
  const Index k = parameters.trained_components();
  const bool fades = parameters.init_fade > 0;
  Matrix<double> scores(view.values.rows(), k);
  Start start;
  Index rank = k;
  switch (parameters.init) {
    case Init::pca:
    case Init::pca_scaled: {
      // A start that is kept follows the paper: centred features in their own units. One that fades may as well give
      // every feature the same say.
      PrincipalComponents pca = principal_components(view.values, k, fades, parameters.random_state, threads);
      scores = std::move(pca.scores);
      start.map = std::move(pca.map);
      rank = pca.rank;
      if (parameters.init == Init::pca_scaled) {
        const double scale = std::sqrt(static_cast<double>(view.values.rows() - 1));
        multiply(start.map, scores, Eigen::MatrixXd::Identity(k, k) * scale);
      }
      break;
    }
    case Init::random_orthogonal:
    case Init::random: {
      start.map = random_projection(view, k, parameters.random_state, view_number);
      scores = linear_scores(start.map, view.values, threads);
      const auto z = as_eigen(scores);
      const Eigen::MatrixXd gram = z.transpose() * z;
      multiply(start.map, scores,
               parameters.init == Init::random ? Eigen::MatrixXd(Eigen::MatrixXd::Identity(k, k) * kRandomScale)
                                               : inverse_square_root(gram));
      break;
    }
    case Init::zero:
      start.map = {std::vector<double>(static_cast<std::size_t>(view.values.cols()), 0.0),
                   Matrix<double>(view.values.cols(), k)};
      break;
  }
  if (fades && parameters.init != Init::zero) {
    fill_with_harmonics(scores, std::min(rank, k));
    standardise_columns(scores);
  }
  start.values = Matrix<float>(scores.rows(), k);
  std::transform(scores.values().begin(), scores.values().end(), start.values.values().begin(),
                 [](double x) { return static_cast<float>(x); });
  return start;
}

}  // namespace treecca

#include "train/start.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "data/columns.hpp"
#include "data/design.hpp"
#include "data/levels.hpp"
#include "linalg/decompose.hpp"
#include "linalg/row_products.hpp"
#include "linear/linear_map.hpp"
#include "linear/pca.hpp"
#include "samples/samples.hpp"
#include "support/random.hpp"
#include "train/align.hpp"

namespace treecca {
namespace {

constexpr double kRandomScale = 0.01;

using DoubleRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<DoubleRows> as_eigen(Matrix<double>& m) { return {m.data(), m.rows(), m.cols()}; }

void multiply(BaseMargin& map, Matrix<double>& scores, const Eigen::MatrixXd& by) {
  as_eigen(scores) = (as_eigen(scores) * by).eval();
  as_eigen(map.weights) = (as_eigen(map.weights) * by).eval();
}

/// Random directions in the space of the standardised features.
BaseMargin random_projection(const MatrixView& values, Index k, std::uint64_t seed, Index view_number,
                             const Peers& peers) {
  const Index p = values.cols();
  const RandomKey key(seed, Draw::start, {static_cast<std::uint64_t>(view_number)});
  BaseMargin map{std::vector<double>(static_cast<std::size_t>(p), 0.0), Matrix<double>(p, k)};
  std::vector<double> totals(static_cast<std::size_t>(2 * p), 0.0);  // sums, counts
  std::vector<double> squares(static_cast<std::size_t>(p), 0.0);
  const auto for_each_value = [&](auto&& use) {
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < values.rows(); ++i) {
        const double x = values(i, j);
        if (!std::isnan(x)) use(j, x);
      }
    }
  };
  for_each_value([&](Index j, double x) {
    totals[j] += x;
    ++totals[p + j];
  });
  peers.sum(totals);
  for (Index j = 0; j < p; ++j) map.mean[j] = totals[p + j] > 0 ? totals[j] / totals[p + j] : 0;
  for_each_value([&](Index j, double x) { squares[j] += (x - map.mean[j]) * (x - map.mean[j]); });
  peers.sum(squares);
  for (Index j = 0; j < p; ++j) {
    const double scale = squares[j] > 0 ? 1 / std::sqrt(squares[j] / totals[p + j] * static_cast<double>(p)) : 0;
    for (Index c = 0; c < k; ++c) map.weights(j, c) = scale * key.normal(static_cast<std::uint64_t>(j * k + c));
  }
  return map;
}

/// u in (0, 1) by rank among the rows that have the view, for one column of scores. With peers the scores of all rows
/// are gathered: 16 bytes per row.
std::vector<double> ranks_of(const Matrix<double>& scores, Index column, Index view, const Samples& samples) {
  struct Score {
    double value;
    std::int64_t number;  // of the row: breaks ties
    bool operator<(const Score& other) const {
      return value != other.value ? value < other.value : number < other.number;
    }
  };
  std::vector<Score> own;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (samples.has(view, i)) own.push_back({scores(i, column), samples.number(i)});
  }
  std::string bytes;
  append_bytes(bytes, std::span<const Score>(own));
  std::vector<Score> all;
  for (const std::string& part : samples.peers().gather(bytes)) {
    const std::vector<Score> theirs = values_from<Score>(part);
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<double> u;
  for (Index i = 0; i < scores.rows(); ++i) {
    const auto rank = std::lower_bound(all.begin(), all.end(), Score{scores(i, column), samples.number(i)});
    u.push_back((static_cast<double>(rank - all.begin()) + 0.5) / static_cast<double>(all.size()));
  }
  return u;
}

/// Fills columns beyond the rank with harmonics of the leading components, from the second on, because the first
/// harmonic is nearly the component itself.
void fill_with_harmonics(Matrix<double>& scores, Index rank, Index view, const Samples& samples) {
  if (rank == 0) return;
  constexpr double kPi = 3.141592653589793;
  for (Index c = rank; c < scores.cols(); ++c) {
    const std::vector<double> u = ranks_of(scores, (c - rank) % rank, view, samples);
    const auto harmonic = static_cast<double>(2 + (c - rank) / rank);
    for (Index i = 0; i < scores.rows(); ++i) scores(i, c) = std::cos(kPi * harmonic * u[i]);
  }
}

void clear_absent_rows(Matrix<double>& scores, Index view, const Samples& samples) {
  for (Index i = 0; i < scores.rows() && !samples.complete(); ++i) {
    if (!samples.has(view, i)) std::fill_n(scores.row(i), scores.cols(), 0.0);
  }
}

/// Unit variance, centred; constant columns and rows that lack the view become zero.
void standardise_columns(Matrix<double>& scores, Index view, const Samples& samples) {
  const Index rows = samples.shared(view, view).rows;
  auto z = as_eigen(scores);
  clear_absent_rows(scores, view, samples);
  Eigen::MatrixXd sums = z.colwise().sum();
  samples.peers().sum(span_of(sums));
  z.rowwise() -= (sums / static_cast<double>(rows)).row(0);
  clear_absent_rows(scores, view, samples);
  Eigen::MatrixXd squares = z.colwise().squaredNorm();
  samples.peers().sum(span_of(squares));
  for (Index c = 0; c < scores.cols(); ++c) {
    const double deviation = std::sqrt(squares(0, c) / static_cast<double>(rows - 1));
    z.col(c) *= deviation > 0 ? 1 / deviation : 0;
  }
}

}  // namespace

Index rounds_of_fade(const Parameters& parameters) {
  return std::min<Index>(parameters.init_fade, (parameters.n_estimators + 1) / 2);
}

double start_weight(const Parameters& parameters, Index rounds_done) {
  const Index fade = rounds_of_fade(parameters);
  return rounds_done < fade ? 1.0 - static_cast<double>(rounds_done) / static_cast<double>(fade) : 0.0;
}

Start start_values(const View& view, Index view_number, const Parameters& parameters, Threads threads,
                   const Samples& samples) {
  const Peers& peers = samples.peers();
  const Index k = parameters.trained_components();
  const bool fades = parameters.init_fade > 0;
  const Design design(view);
  const MatrixView& columns = design.values();
  Matrix<double> scores(columns.rows(), k);
  Start start;
  Index rank = k;
  switch (parameters.init) {
    case Init::pca:
    case Init::pca_scaled: {
      // Initial values that are kept follow the paper: centred features in their own units. Fading initial values give
      // every feature the same weight.
      PrincipalComponents pca = principal_components(columns, k, fades, parameters.random_state, threads, peers);
      scores = std::move(pca.scores);
      start.map = std::move(pca.map);
      rank = pca.rank;
      if (parameters.init == Init::pca_scaled) {
        const double scale = std::sqrt(static_cast<double>(samples.shared(view_number, view_number).rows - 1));
        multiply(start.map, scores, Eigen::MatrixXd::Identity(k, k) * scale);
      }
      break;
    }
    case Init::random_orthogonal:
    case Init::random: {
      start.map = random_projection(columns, k, parameters.random_state, view_number, peers);
      scores = linear_scores(start.map, columns, threads);
      const auto z = as_eigen(scores);
      Eigen::MatrixXd gram = z.transpose() * z;
      peers.sum(span_of(gram));
      multiply(start.map, scores,
               parameters.init == Init::random ? Eigen::MatrixXd(Eigen::MatrixXd::Identity(k, k) * kRandomScale)
                                               : inverse_square_root(gram));
      break;
    }
    case Init::zero:
      start.map = {std::vector<double>(static_cast<std::size_t>(columns.cols()), 0.0),
                   Matrix<double>(columns.cols(), k)};
      break;
  }
  if (fades && parameters.init != Init::zero) {
    fill_with_harmonics(scores, std::min(rank, k), view_number, samples);
    standardise_columns(scores, view_number, samples);
  }
  start.map = design.map_of_features(std::move(start.map));
  start.values = Matrix<float>(scores.rows(), k);
  std::transform(scores.values().begin(), scores.values().end(), start.values.values().begin(),
                 [](double x) { return static_cast<float>(x); });
  return start;
}

Start screened_start_values(const View& view, Index view_number, const std::vector<FeatureSet>& kept,
                            const Folds& folds, const Parameters& parameters, Threads threads) {
  std::vector<Start> of_fold;
  for (const FeatureSet& features : kept) {
    const Matrix<float> values = some_columns(view.values, features);
    of_fold.push_back(start_values({view.name, values, {}, some_levels(view.levels, features)}, view_number, parameters,
                                   threads, *folds.samples));
    if (of_fold.size() > 1) align_to(of_fold.back().values, of_fold.front().values);
  }
  Start result = of_fold.front();
  for (Index i = 0; i < result.values.rows(); ++i) {
    const int fold = folds.of_row[static_cast<std::size_t>(i)];
    if (fold < 0) continue;
    const Matrix<float>& from = of_fold[static_cast<std::size_t>(fold)].values;
    std::copy_n(from.row(i), from.cols(), result.values.row(i));
  }
  return result;
}

Matrix<float> random_start_values(Index rows, const Parameters& parameters) {
  const Index k = parameters.trained_components();
  const RandomKey key(parameters.random_state, Draw::start, {0});
  Eigen::MatrixXd z(rows, k);
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c < k; ++c) z(i, c) = key.normal(static_cast<std::uint64_t>(i * k + c));
  }
  z.rowwise() -= z.colwise().mean().eval();
  z = (z * inverse_square_root(z.transpose() * z)).eval();
  if (parameters.init_fade > 0) z *= std::sqrt(static_cast<double>(rows - 1));
  Matrix<float> start(rows, k);
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c < k; ++c) start(i, c) = static_cast<float>(z(i, c));
  }
  return start;
}

}  // namespace treecca

#include "fit/candidate.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "linalg/row_products.hpp"
#include "objective/pairs.hpp"
#include "objective/rotation.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class CandidateMaker {
 public:
  CandidateMaker(const FittedParts& fitted, double linear_weight, bool rotate, const Samples& samples)
      : rows_(fitted.held_out), samples_(samples), peers_(samples.peers()), rotate_(rotate) {
    for (const Part& part : fitted.parts) {
      Variates& z = z_.emplace_back();
      for (std::size_t v = 0; v < part.linear.size(); ++v) z.push_back(blended(part, v, linear_weight));
    }
    n_views_ = static_cast<int>(z_[0].size());
    k_ = z_[0][0].cols();
    weight_ = VectorXd::NullaryExpr(samples.here(), [&](Index i) { return samples.weight(i); });
    result_.linear_weight = linear_weight;
    result_.n_samples = std::llround(samples.effective_rows());
  }

  Candidate make() {
    align();
    hold_out();
    measure();
    return std::move(result_);
  }

 private:
  template <class Keep>
  VectorXd weights_where(Keep&& keep) const {
    VectorXd weights = weight_;
    for (Index i = 0; i < weights.size(); ++i) {
      if (!keep(i)) weights(i) = 0;
    }
    return weights;
  }

  /// Mean and covariance of a view, over the rows that have it.
  VectorXd mean(const MatrixXd& z, std::size_t view, const VectorXd& weights) const {
    return weighted_means(z, weights_of_view(weights, view, samples_), peers_);
  }

  /// Aligns each part with the first part, then with their mean, using the part's training rows.
  void align() {
    Variates reference = z_[0];
    for (int pass = 0; pass < 2; ++pass) {
      result_.alignment.clear();
      for (int p = 0; p < rows_.n_parts; ++p) {
        const VectorXd seen = weights_where([&](Index i) { return rows_.saw(p, i); });
        result_.alignment.push_back(rotation_towards(z_[static_cast<std::size_t>(p)], reference, seen, samples_));
      }
      for (std::size_t v = 0; v < reference.size(); ++v) {
        reference[v].setZero();
        for (std::size_t p = 0; p < z_.size(); ++p) {
          reference[v] += (z_[p][v].rowwise() - mean(z_[p][v], v, weight_).transpose()) * result_.alignment[p];
        }
        reference[v] /= static_cast<double>(z_.size());
      }
    }
  }

  /// Collects the held-out rows: in each repeat, each row from the part that was fitted without it, centred within its
  /// fold; once before and once after alignment.
  void hold_out() {
    for (int r = 0; r < rows_.repeats(); ++r) {
      MatrixXd& own = unaligned_.emplace_back(MatrixXd::Zero(weight_.size(), n_views_ * k_));
      const int first = r * rows_.parts_per_repeat();
      for (int p = first; p < first + rows_.parts_per_repeat(); ++p) {
        const VectorXd held = weights_where([&](Index i) { return rows_.judges(p, i); });
        for (int v = 0; v < n_views_; ++v) {
          const MatrixXd& z = z_[static_cast<std::size_t>(p)][static_cast<std::size_t>(v)];
          const VectorXd of_view = weights_of_view(held, static_cast<std::size_t>(v), samples_);
          const VectorXd centre = weighted_means(z, of_view, peers_);
          const Eigen::Array<bool, 1, Eigen::Dynamic> varies = varies_around(z, centre, of_view);
          for (Index i = 0; i < z.rows(); ++i) {
            if (!rows_.judges(p, i) || !samples_.has(v, i)) continue;
            own.row(i).segment(v * k_, k_) = varies.select(z.row(i) - centre.transpose(), 0.0);
          }
        }
      }
      aligned_.push_back(rotated(
          own, [&](Index i) -> const MatrixXd& { return result_.alignment[static_cast<std::size_t>(part_of(r, i))]; }));
    }
  }

  /// Whether each component differs between the rows that count by more than rounding (variates are in single
  /// precision, with unit variance). Trees may put all of a few rows into the same leaves.
  Eigen::Array<bool, 1, Eigen::Dynamic> varies_around(const MatrixXd& z, const VectorXd& centre,
                                                      const VectorXd& weights) const {
    constexpr double kRounding = 1e-5;
    std::vector<double> furthest(static_cast<std::size_t>(k_), 0.0);
    for (Index i = 0; i < z.rows(); ++i) {
      if (!(weights(i) > 0)) continue;
      for (Index c = 0; c < k_; ++c) {
        double& most = furthest[static_cast<std::size_t>(c)];
        most = std::max(most, std::abs(z(i, c) - centre(c)));
      }
    }
    peers_.max(furthest);
    Eigen::Array<bool, 1, Eigen::Dynamic> varies(k_);
    for (Index c = 0; c < k_; ++c) varies(c) = furthest[static_cast<std::size_t>(c)] > kRounding;
    return varies;
  }

  int part_of(int repeat, Index row) const {
    return rows_.part_of_row[static_cast<std::size_t>(repeat)][static_cast<std::size_t>(row)];
  }

  /// Multiplies all views of every row by the K x K matrix of the row.
  template <class MatrixOfRow>
  MatrixXd rotated(const MatrixXd& y, MatrixOfRow&& of_row) const {
    MatrixXd result(y.rows(), y.cols());
    for (Index i = 0; i < y.rows(); ++i) {
      const MatrixXd& by = of_row(i);
      for (int v = 0; v < n_views_; ++v) {
        result.row(i).segment(v * k_, k_).noalias() = y.row(i).segment(v * k_, k_) * by;
      }
    }
    return result;
  }

  /// The rows of repeat s in the components of repeat r. Part b is rotated onto part a using the training rows that
  /// both share, and then by the rotation of part a. A rotation estimated on the row itself would make its views agree.
  MatrixXd seen_from(int r, int s) const {
    const int per_repeat = rows_.parts_per_repeat();
    std::map<std::pair<int, int>, MatrixXd> of_pair;
    for (int a = r * per_repeat; a < (r + 1) * per_repeat; ++a) {
      for (int b = s * per_repeat; b < (s + 1) * per_repeat; ++b) {
        const VectorXd both = weights_where([&](Index i) { return rows_.saw(a, i) && rows_.saw(b, i); });
        of_pair[{a, b}] =
            rotation_towards(z_[static_cast<std::size_t>(b)], z_[static_cast<std::size_t>(a)], both, samples_) *
            result_.alignment[static_cast<std::size_t>(a)];
      }
    }
    return rotated(unaligned_[static_cast<std::size_t>(s)], [&](Index i) -> const MatrixXd& {
      return of_pair.at({part_of(r, i), part_of(s, i)});
    });
  }

  /// Weighted sum over the rows of y x', over all processes: MK x MK. If rows lack views, a block for two views is
  /// centred on their means over the rows that have both, and MK further columns follow. Their block (v, w) is view v
  /// by view v on the same rows.
  MatrixXd product(const MatrixXd& y, const MatrixXd& x, const VectorXd& weights) const {
    MatrixXd sum = y.transpose() * weights.asDiagonal() * x;
    if (samples_.complete()) {
      peers_.sum(span_of(sum));
      return sum;
    }
    MatrixXd both(sum.rows(), 2 * sum.cols());
    for (int v = 0; v < n_views_; ++v) {
      for (int w = 0; w < n_views_; ++w) {
        const VectorXd shared = weights_of_view(weights_of_view(weights, static_cast<std::size_t>(v), samples_),
                                                static_cast<std::size_t>(w), samples_);
        const auto centred = [&](const MatrixXd& z, int view) {
          const auto own = z.middleCols(view * k_, k_);
          return MatrixXd(own.rowwise() - weighted_means(own, shared, peers_).transpose());
        };
        const MatrixXd left = centred(y, v).transpose() * shared.asDiagonal();
        both.block(v * k_, w * k_, k_, k_) = left * centred(x, w);
        both.block(v * k_, (n_views_ + w) * k_, k_, k_) = left * centred(x, v);
      }
    }
    peers_.sum(span_of(both));
    return both;
  }

  /// Transposes the blocks of a result of `product`.
  MatrixXd transposed(const MatrixXd& sum) const {
    const Index side = sum.rows();
    MatrixXd result(side, sum.cols());
    result.leftCols(side) = sum.leftCols(side).transpose();
    for (Index at = side; at < sum.cols(); at += k_) {
      for (Index v = 0; v < n_views_; ++v) {
        result.block(v * k_, at, k_, k_) = sum.block(v * k_, at, k_, k_).transpose();
      }
    }
    return result;
  }

  /// Number of rows minus 1, over all processes: 1 x 1, or M x M if rows lack views.
  MatrixXd degrees_of(const VectorXd& weights) const {
    if (samples_.complete()) return MatrixXd::Constant(1, 1, peers_.sum(weights.sum()) - 1);
    MatrixXd counts(n_views_, n_views_);
    for (std::size_t v = 0; v < static_cast<std::size_t>(n_views_); ++v) {
      const VectorXd own = weights_of_view(weights, v, samples_);
      for (std::size_t w = 0; w < static_cast<std::size_t>(n_views_); ++w) {
        counts(static_cast<Index>(v), static_cast<Index>(w)) = weights_of_view(own, w, samples_).sum();
      }
    }
    peers_.sum(span_of(counts));
    return (counts.array() - 1).cwiseMax(0);
  }

  /// MK x MK covariances, from the sums that `product` returns.
  static MatrixXd covariance_of(const MatrixXd& sums, const MatrixXd& degrees) {
    if (degrees.size() == 1) return sums / std::max(1.0, degrees(0, 0));
    return blocks_divided(sums.leftCols(sums.rows()), degrees);
  }

  /// Covariances of the variates that the matrices `by` make.
  PairCovariances covariances_of(const MatrixXd& sums, const std::vector<MatrixXd>& by) const {
    const Index side = sums.rows();
    if (samples_.complete()) return variate_covariances(by, sums);
    PairCovariances result(variate_covariances(by, sums.leftCols(side)));
    result.variances = variate_variances(by, sums.rightCols(side));
    return result;
  }

  std::vector<MatrixXd> rotation_of(const MatrixXd& covariance) const {
    if (rotate_) return floored_rotation(covariance, n_views_);
    std::vector<MatrixXd> per_view;
    for (int v = 0; v < n_views_; ++v) {
      VectorXd scale = covariance.diagonal().segment(v * k_, k_);
      for (double& value : scale) value = value > 0 ? 1 / std::sqrt(value) : 0.0;
      per_view.emplace_back(scale.asDiagonal());
    }
    return per_view;
  }

  void measure() {
    const int repeats = rows_.repeats();
    const auto n = static_cast<double>(rows_.n_parts);
    std::vector<std::pair<MatrixXd, MatrixXd>> pairs;  // of repeats: B is computed from their products
    for (int r = 0; r < repeats; ++r) {
      for (int s = 0; s < repeats; ++s) {
        if (r != s) pairs.emplace_back(aligned_[static_cast<std::size_t>(r)], seen_from(r, s));
      }
    }
    const int folds = rows_.parts_per_repeat();
    std::vector<MatrixXd> shipped, plain, degrees;
    const Index side = n_views_ * k_;
    MatrixXd total = MatrixXd::Zero(side, samples_.complete() ? side : 2 * side);
    MatrixXd total_degrees;
    for (int f = 0; f < folds; ++f) {
      const VectorXd members = weights_where([&](Index i) { return part_of(0, i) == f; });
      MatrixXd within = MatrixXd::Zero(side, total.cols());
      for (const MatrixXd& y : aligned_) within += product(y, y, members) / repeats;
      MatrixXd between = repeats > 1 ? MatrixXd(MatrixXd::Zero(side, total.cols())) : within;
      for (const auto& [a, b] : pairs) {
        const MatrixXd own = product(a, b, members);
        between += (own + transposed(own)) / (2 * static_cast<double>(pairs.size()));
      }
      shipped.push_back(between + (within - between) / n);
      plain.push_back(between + (within - between) / repeats);
      degrees.push_back(degrees_of(members));
      total += plain.back();
      total_degrees = f == 0 ? degrees.back() : MatrixXd(total_degrees + degrees.back());
    }
    result_.rotation = rotation_of(covariance_of(total, total_degrees));
    MatrixXd mean_rows = MatrixXd::Zero(weight_.size(), n_views_ * k_);
    for (const MatrixXd& y : aligned_) mean_rows += y / repeats;
    for (int v = 0; v < n_views_; ++v) result_.held_out.emplace_back(weight_.size(), k_);
    for (int f = 0; f < folds; ++f) {
      // A fold is rotated by the rotation of the other folds.
      const auto at = static_cast<std::size_t>(f);
      std::vector<MatrixXd> by = result_.rotation;
      if (rows_.held_out) by = rotation_of(covariance_of(total - plain[at], total_degrees - degrees[at]));
      follow_signs(by, result_.rotation);
      result_.shipped.push_back(covariances_of(shipped[at], by));
      result_.plain.push_back(covariances_of(plain[at], by));
      drop_rounding(result_.plain.back(), result_.shipped.back());
      for (Index i = 0; i < weight_.size(); ++i) {
        if (part_of(0, i) != f) continue;
        for (int v = 0; v < n_views_; ++v) {
          const Eigen::RowVectorXd row = mean_rows.row(i).segment(v * k_, k_) * by[static_cast<std::size_t>(v)];
          for (Index c = 0; c < k_; ++c) result_.held_out[static_cast<std::size_t>(v)](i, c) = row(c);
        }
      }
    }
  }

  /// Components beyond the rank of a view are rounding errors: their covariances become zero.
  void drop_rounding(PairCovariances& plain, PairCovariances& shipped) const {
    constexpr double kRounding = 1e-8;  // of a view's largest variance; variates are in single precision
    const auto m = static_cast<std::size_t>(n_views_);
    const auto k = static_cast<std::size_t>(k_);
    for (std::size_t v = 0; v < m; ++v) {
      const auto variances = plain.covariances.begin() + static_cast<std::ptrdiff_t>((v * m + v) * k);
      const double largest = *std::max_element(variances, variances + static_cast<std::ptrdiff_t>(k));
      for (std::size_t c = 0; c < k; ++c) {
        if (variances[static_cast<std::ptrdiff_t>(c)] > kRounding * largest) continue;
        for (std::size_t w = 0; w < m; ++w) {
          for (std::vector<double>* table :
               {&plain.covariances, &shipped.covariances, &plain.variances, &shipped.variances}) {
            if (table->empty()) continue;
            (*table)[(v * m + w) * k + c] = 0;
            (*table)[(w * m + v) * k + c] = 0;
          }
        }
      }
    }
  }

  const HeldOutRows& rows_;
  const Samples& samples_;
  const Peers& peers_;
  bool rotate_;
  int n_views_ = 0;
  Index k_ = 0;
  VectorXd weight_;                  // of the rows here
  std::vector<Variates> z_;          // per part
  std::vector<MatrixXd> unaligned_;  // per repeat N x MK
  std::vector<MatrixXd> aligned_;
  Candidate result_;
};

/// Whether no tree of some view was split in any part, so that all rows have the same variates there.
bool any_view_without_trees(const FittedParts& fitted, const Peers& peers) {
  std::vector<double> varies(fitted.parts[0].linear.size(), 0.0);
  for (const Part& part : fitted.parts) {
    for (std::size_t v = 0; v < part.trees.size(); ++v) {
      for (const float value : part.trees[v].values()) {
        if (value != 0) varies[v] = 1;
      }
    }
  }
  peers.max(varies);
  return std::find(varies.begin(), varies.end(), 0.0) != varies.end();
}

}  // namespace

MatrixXd blended(const Part& part, std::size_t view, double linear_weight) {
  const Matrix<float>& linear = part.linear[view];
  MatrixXd z(linear.rows(), linear.cols());
  for (Index i = 0; i < z.rows(); ++i) {
    for (Index c = 0; c < z.cols(); ++c) {
      const double tree = linear_weight < 1 ? static_cast<double>(part.trees[view](i, c)) : 0.0;
      z(i, c) = (1 - linear_weight) * tree + linear_weight * static_cast<double>(linear(i, c));
    }
  }
  return z;
}

ComponentCorrelations Candidate::correlations() const {
  return shipped_correlations(summed(shipped), summed(plain), static_cast<int>(rotation.size()), n_samples);
}

Candidate make_candidate(const FittedParts& fitted, double linear_weight, bool rotate, const Samples& samples) {
  return CandidateMaker(fitted, linear_weight, rotate, samples).make();
}

bool is_single_fit(const Parameters& parameters) { return parameters.n_repeats == 0 && parameters.linear == 0; }

Blends::Blends(const FittedParts& fitted, const Parameters& parameters, const Samples& samples) {
  std::vector<double> weights{0.0, 0.5, 1.0};
  if (!parameters.linear.is_auto()) {
    weights = {parameters.linear};
  } else if (any_view_without_trees(fitted, samples.peers())) {
    weights = {1.0};
  }
  for (const double weight : weights) {
    candidates.push_back(make_candidate(fitted, weight, parameters.rotate, samples));
  }
  if (weights.back() < 1) baseline.push_back(make_candidate(fitted, 1.0, parameters.rotate, samples));
}

double least_variance(Index n_samples) { return std::clamp(1 - (static_cast<double>(n_samples) - 20) / 80, 0.5, 1.0); }

ComponentCorrelations shipped_correlations(PairCovariances shipped, const PairCovariances& plain, int n_views,
                                           Index n_samples) {
  const double least = least_variance(n_samples);
  const auto m = static_cast<std::size_t>(n_views);
  const std::size_t k = shipped.covariances.size() / (m * m);
  for (std::size_t v = 0; v < m; ++v) {
    for (std::size_t c = 0; c < k; ++c) {
      const std::size_t at = (v * m + v) * k + c;
      shipped.covariances[at] = std::max(shipped.covariances[at], least * plain.covariances[at]);
    }
  }
  for (std::size_t at = 0; at < shipped.variances.size(); ++at) {
    shipped.variances[at] = std::max(shipped.variances[at], least * plain.variances[at]);
  }
  return correlations_from(shipped, n_views);
}

}  // namespace treecca

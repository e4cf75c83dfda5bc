// Evaluates one blend of trees and linear CCA over all parts: Z = (1 - w) T + w L.
// Each part is aligned by a rotation estimated only on the part's training rows; the shipped model is the mean of the
// aligned parts. The blend is judged on held-out rows: in every repeat, each row is embedded by the part that was
// fitted without it. A mean of n exchangeable parts has the covariance Sigma_n = B + (W - B) / n, within and between
// views alike, where W is the covariance of one part and B the covariance between parts of different repeats. The
// held-out rows have n = R (`plain`); the shipped model has n = R J (`shipped`). With one repeat B is unknown and W is
// used instead, so the estimate is slightly too low. If rows lack views, every pair of views is compared on the rows
// that have both (objective/moments.hpp). Pure functions of the parts, the same for any number of threads. Collective.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "fit/alignment.hpp"
#include "fit/part.hpp"
#include "objective/correlations.hpp"
#include "samples/samples.hpp"

namespace treecca {

struct Candidate {
  double linear_weight = 0;
  std::vector<Eigen::MatrixXd> alignment;  // Q_p, K x K per part
  std::vector<Eigen::MatrixXd> rotation;   // A_v, K x K per view: from the held-out rows, to unit variance
  FoldCovariances shipped;                 // per fold of the first repeat, rotated by the rotation of the other folds
  FoldCovariances plain;                   // the same for a mean over the repeats
  std::vector<Matrix<double>> held_out;    // per view N x K: mean over the repeats, rotated as above
  Index n_samples = 0;                     // of all processes, effective number

  /// Out-of-fold correlations of the shipped mean.
  ComponentCorrelations correlations() const;
};

/// (1 - w) T + w L of one view, N x K.
Eigen::MatrixXd blended(const Part& part, std::size_t view, double linear_weight);

/// rotate = false: components are scaled to unit variance but not rotated.
Candidate make_candidate(const FittedParts& fitted, double linear_weight, bool rotate, const Samples& samples);

/// Whether a fit is one cross-fit of trees only, without alignment and choice.
bool is_single_fit(const Parameters& parameters);

/// The blends that a fit compares: weights 0, 1/2 and 1, or only the given weight.
struct Blends {
  Blends(const FittedParts& fitted, const Parameters& parameters, const Samples& samples);

  std::vector<Candidate> candidates;
  std::vector<Candidate> baseline;  // linear CCA alone, if it is not among the candidates

  const Candidate& linear_cca() const { return baseline.empty() ? candidates.back() : baseline[0]; }
};

/// Lower bound for a variance of the shipped mean, as a fraction of its plain value, because W - B is uncertain with
/// few samples. 1 up to 20 samples, 1/2 from 60 on.
double least_variance(Index n_samples);

/// Correlations from covariances of the shipped and of the plain mean, both summed over folds.
ComponentCorrelations shipped_correlations(PairCovariances shipped, const PairCovariances& plain, int n_views,
                                           Index n_samples);

}  // namespace treecca

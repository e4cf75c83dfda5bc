// One blend of trees and linear CCA over all parts: Z = (1 - w) T + w L.
//
// The parts are aligned by rotations that know only rows the part saw; the model that is shipped is their mean. It is
// judged on held-out rows, each by the one part of every repeat that never saw it. A mean of n exchangeable parts has
// the covariance Sigma_n = B + (W - B) / n, within and between views alike, where W is that of one part and B that
// between parts of different repeats: n = R is what the rows show (`plain`), n = R J what is shipped (`shipped`). With
// one repeat B is not known and taken to be W, which is slightly too low.
// Where rows lack views, every pair of views is compared in the rows that have both (objective/moments.hpp).
// Pure functions of the parts, the same for any number of threads. Collective.
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
  std::vector<Eigen::MatrixXd> rotation;   // A_v, K x K per view: of the held-out rows, to unit variance
  FoldCovariances shipped;                 // per fold of the first repeat, rotated by what the other folds say
  FoldCovariances plain;                   // the same for a mean over the repeats
  std::vector<Matrix<double>> held_out;    // per view N x K: mean over the repeats, rotated as above
  Index n_samples = 0;                     // of all processes, by what they are worth

  /// Out-of-fold correlations of the shipped mean.
  ComponentCorrelations correlations() const;
};

/// (1 - w) T + w L of one view, N x K.
Eigen::MatrixXd blended(const Part& part, std::size_t view, double linear_weight);

/// rotate = false: components stay as they are, at unit variance.
Candidate make_candidate(const FittedParts& fitted, double linear_weight, bool rotate, const Samples& samples);

/// Whether a fit is one cross-fit of trees alone: nothing to align or to choose.
bool is_single_fit(const Parameters& parameters);

/// The blends that a fit compares: weights 0, 1/2 and 1, or the one that was given.
struct Blends {
  Blends(const FittedParts& fitted, const Parameters& parameters, const Samples& samples);

  std::vector<Candidate> candidates;
  std::vector<Candidate> baseline;  // linear CCA alone, if it is none of the candidates

  const Candidate& linear_cca() const { return baseline.empty() ? candidates.back() : baseline[0]; }
};

/// The fraction of its plain value that a variance of the shipped mean counts at least: with few samples W - B is
/// uncertain. 1 up to 20 samples, 1/2 from 60 on.
double least_variance(Index n_samples);

/// Correlations from covariances of the shipped and of the plain mean, both summed over folds.
ComponentCorrelations shipped_correlations(PairCovariances shipped, const PairCovariances& plain, int n_views,
                                           Index n_samples);

}  // namespace treecca

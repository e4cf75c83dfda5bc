// Matches the components of a refit with the components of the model.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "samples/samples.hpp"

namespace treecca {

/// Component k of the model is component of[k] of the refit, with this sign in all views.
struct Matching {
  std::vector<Eigen::Index> of;
  std::vector<double> sign;  // 1 or -1
};

/// K x K: correlation of component k of `model` with component l of `refit`, mean over views, over the rows with a
/// positive weight that have the view. Per view N x K. 0 for variates that are constant.
Eigen::MatrixXd component_correlations(const std::vector<Eigen::MatrixXd>& model,
                                       const std::vector<Eigen::MatrixXd>& refit, const Eigen::VectorXd& weights,
                                       const Samples& samples = Samples());

/// The one-to-one matching with the highest sum of absolute correlations (Kuhn 1955). K x K; time K^3.
Matching match_components(const Eigen::MatrixXd& correlations);

}  // namespace treecca

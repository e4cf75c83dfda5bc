// Aligns variates. Components are defined only up to a rotation that all views share, and fits to different samples
// return different rotations.
//
// Variates are one N x K matrix per view, rows of this process; weights have N entries, 0 for rows to ignore.
// Collective.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "samples/samples.hpp"

namespace treecca {

using Variates = std::vector<Eigen::MatrixXd>;

/// The weights, but 0 for rows that lack the view.
Eigen::VectorXd weights_of_view(Eigen::VectorXd weights, std::size_t view, const Samples& samples);

/// Weighted means of the columns; zero if all weights are 0.
Eigen::VectorXd weighted_means(const Eigen::MatrixXd& z, const Eigen::VectorXd& weights, const Peers& peers);

/// The rotation (K x K), common to all views, of z towards `onto`: the polar factor of the sum over views of z' onto,
/// both centred. A row counts for the views that it has.
Eigen::MatrixXd rotation_towards(const Variates& z, const Variates& onto, const Eigen::VectorXd& weights,
                                 const Samples& samples);

}  // namespace treecca

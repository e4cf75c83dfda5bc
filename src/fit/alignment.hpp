// Alignment of variates: components are defined up to a rotation that all views share, and fits to different samples
// find different ones.
//
// Variates are one N x K matrix per view, rows of this process; weights N, 0 for rows that have no say. Collective.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "samples/samples.hpp"

namespace treecca {

using Variates = std::vector<Eigen::MatrixXd>;

/// The weights with 0 for rows that lack the view.
Eigen::VectorXd weights_of_view(Eigen::VectorXd weights, std::size_t view, const Samples& samples);

/// Weighted means of the columns; zero without any weight.
Eigen::VectorXd weighted_means(const Eigen::MatrixXd& z, const Eigen::VectorXd& weights, const Peers& peers);

/// The one rotation (K x K) for all views that brings z nearest to `onto`: the polar factor of the sum over views of
/// z' onto, both centred. Rows count for the views that they have.
Eigen::MatrixXd rotation_towards(const Variates& z, const Variates& onto, const Eigen::VectorXd& weights,
                                 const Samples& samples);

}  // namespace treecca

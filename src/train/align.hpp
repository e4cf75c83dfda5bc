// Aligns the initial embeddings of the views (each N x W, columns of unit variance).
//
// Principal components have arbitrary signs and order; trees must first undo opposite signs, which lowered a
// correlation of 0.93 by 0.07 (one linear pair, 1,000 rows).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "samples/folds.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Rotates z (N x W) towards `target` (N x W): multiplies z by the orthogonal matrix that makes the difference
/// smallest.
void align_to(Matrix<float>& z, const Matrix<float>& target);

/// Flips the directions in which a view's embedding correlates negatively with the embeddings of earlier views, beyond
/// chance for the number of independent samples. Flipping chance correlations could later look like a relation. Rows
/// that the folds leave out are ignored. Collective.
void reflect_opposed(const std::vector<Matrix<float>*>& embeddings, const Folds& folds);

/// I - 2 E E', where the columns of E are the eigenvectors of the symmetric part of C = A' B / N (W x W) with
/// eigenvalues below -threshold: after multiplying B by it, no direction of B is opposed to A beyond the threshold.
Eigen::MatrixXd reflection_of_opposed(const Eigen::MatrixXd& cross_correlation, double threshold);

}  // namespace treecca

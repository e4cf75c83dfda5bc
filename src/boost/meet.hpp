// Turning start values towards each other. Their signs and order are arbitrary, and views whose starts point opposite
// ways would first have to unlearn them: with one linear pair in 1,000 rows that cost 0.07 of a correlation of 0.93.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "boost/start.hpp"
#include "distributed/shard.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// z (N x K) times the rotation that brings it nearest to `towards` (N x K).
void turn_to_meet(Matrix<float>& z, const Matrix<float>& towards);

/// Turns round those directions of every view's start in which it is opposed to the views before it, by more than
/// chance among `samples` independent rows: what chance has aligned could later be taken for a relation. Starts have
/// columns of unit variance; their maps stay as they are.
void turn_round_opposed(std::vector<Start>& starts, double samples, const Shard& shard);

/// I - 2 W W', where the columns of W are the eigenvectors of the symmetric part of C = A' B / N (K x K) with
/// eigenvalues below -least: for B times it to be opposed to A in no such direction.
Eigen::MatrixXd reflection_of_opposed(const Eigen::MatrixXd& cross_correlation, double least);

}  // namespace treecca

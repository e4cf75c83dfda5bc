// Orders rows so that similar rows are neighbours.
#pragma once

#include <vector>

#include "treecca/matrix.hpp"

namespace treecca::report {

/// Leaves of the tree of average linkage (Euclidean distances between rows), from left to right. Of two joined
/// clusters, the cluster with the lowest row comes first. Equal distances: the lowest rows first. For tens of rows: the
/// cost grows with the cube of their number.
std::vector<Index> cluster_order(const Matrix<double>& rows);

}  // namespace treecca::report

// An order of rows in which similar ones are neighbours.
#pragma once

#include <vector>

#include "treecca/matrix.hpp"

namespace treecca::report {

/// Leaves of the tree of average linkage (Euclidean distances between rows), from left to right. Two clusters are put
/// next to each other as they come, the one with the lowest row first. Equal distances: the lowest rows first. For tens
/// of rows: cost grows with the cube of their number.
std::vector<Index> cluster_order(const Matrix<double>& rows);

}  // namespace treecca::report

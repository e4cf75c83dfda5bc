// Offsets for features that would lose digits in single precision.
//
// Trees and linear CCA use features as floats, which have 24 bits: neighbouring floats differ by 8 around 1e8, and by
// 128 around current time stamps in seconds. Columns that far from zero get an offset, which the model keeps and
// subtracts first.
#pragma once

#include <vector>

#include "samples/peers.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// One number per column to subtract before rounding to float, or empty if no column needs one. A column needs one (its
/// lowest value) if its range is below 1/256 of its largest magnitude and floats do not represent its values exactly;
/// others get 0. Values that are not finite are ignored. Collective.
std::vector<double> column_offsets(const MatrixView& values, const Peers& peers);

/// Columns in which at least a tenth of the distinct values become equal as floats, after subtracting the offsets of
/// `values`; ascending. Uses up to 1,000 rows. Collective.
std::vector<Index> blurred_columns(const MatrixView& values, const Peers& peers);

}  // namespace treecca

// Features that single precision would blur.
//
// Trees and linear CCA use features as floats. Floats have 24 bits: around 1e8 they are 8 apart, around today's time
// stamps in seconds 128. Columns that lie so far from zero get an offset, which the model keeps and subtracts first.
#pragma once

#include <vector>

#include "samples/peers.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// One number per column to subtract before rounding to float, or empty where no column needs one. A column needs one
/// (its lowest value) if its range is below 1/256 of its largest magnitude and floats do not hold its values exactly;
/// others get 0. Values that are not finite do not count. Collective.
std::vector<double> column_offsets(const MatrixView& values, const Peers& peers);

/// Columns in which a tenth or more of the different values are equal as floats, less the offsets of `values`;
/// ascending. Looks at up to 1,000 rows. Collective.
std::vector<Index> blurred_columns(const MatrixView& values, const Peers& peers);

}  // namespace treecca

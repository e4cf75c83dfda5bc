// Sorts numbers in single precision by their bits.
//
// The order is the total order of IEEE 754: negative NaN, -infinity, ..., -0, 0, ..., infinity, positive NaN. Where
// operator< decides, it is the same. Thread-safe. Failure: std::bad_alloc.
// A radix sort of three passes over 11 bits, which takes a tenth of the time of std::sort, whose branches are
// mispredicted. Short vectors, for which counting costs more than it saves, go through std::sort.
#pragma once

#include <vector>

namespace treecca {

/// Sorts `values` ascending, at most 2^32 - 1 of them. `scratch` is any other vector: keep it between calls to avoid
/// allocations.
void sort_floats(std::vector<float>& values, std::vector<float>& scratch);

}  // namespace treecca

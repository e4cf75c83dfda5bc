// Hashes of samples, which let a model recognise its training samples.
//
// The hash of a row is a function of its values in all views, in single precision; missing values are treated as one
// value. 52 bits, so that a double holds it. Results do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "samples/samples.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

inline constexpr std::uint64_t kRowHashes = std::uint64_t{1} << 52;  // hashes are below

/// One per row. The order of views and columns matters.
std::vector<std::uint64_t> row_hashes(const std::vector<MatrixView>& views, Threads threads);

/// The lowest `count` distinct hashes of all processes, ascending: a random sample of the rows. Empty if at least a
/// tenth of the rows are duplicates, because new rows would then match by chance. Collective.
std::vector<std::uint64_t> lowest_row_hashes(const std::vector<MatrixView>& views, const Samples& samples,
                                             std::size_t count, Threads threads);

}  // namespace treecca

// Counts calls of operator new in the test program, to prove that a hot path allocates nothing. Always 0 under
// sanitizers, which replace operator new themselves.
#pragma once

#include <cstddef>

namespace treecca::testing {

std::size_t allocations();

}  // namespace treecca::testing

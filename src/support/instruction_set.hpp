// The instruction sets that hot loops are compiled for, and the instruction set that this process uses.
//
// Thread-safe. Never fails.
#pragma once

#include <string_view>
#include <vector>

namespace treecca {

enum class InstructionSet { baseline, avx2, avx512 };

/// "baseline", "avx2" or "avx512".
std::string_view name_of(InstructionSet set);

/// All instruction sets that this processor supports, baseline first.
const std::vector<InstructionSet>& available_instruction_sets();

/// The best of them. The environment variable TREECCA_KERNELS=baseline|avx2|avx512 selects another one (for tests), if
/// the processor supports it.
InstructionSet instruction_set();

}  // namespace treecca

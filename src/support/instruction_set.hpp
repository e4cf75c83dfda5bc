// Instruction sets that the hot loops are compiled for, and the one that this process uses.
//
// Thread-safe. Never fails.
#pragma once

#include <string_view>
#include <vector>

namespace treecca {

enum class InstructionSet { baseline, avx2, avx512 };

/// "baseline", "avx2" or "avx512".
std::string_view name_of(InstructionSet set);

/// All sets that this processor can run, baseline first.
const std::vector<InstructionSet>& available_instruction_sets();

/// The best of them. TREECCA_KERNELS=baseline|avx2|avx512 in the environment asks for another one (for tests); a set
/// that the processor lacks is not used.
InstructionSet instruction_set();

}  // namespace treecca

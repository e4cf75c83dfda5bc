#include "support/instruction_set.hpp"

#include <cstdlib>

namespace treecca {
namespace {

std::vector<InstructionSet> detect() {
  std::vector<InstructionSet> sets{InstructionSet::baseline};
#ifdef TREECCA_KERNELS_X86
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back(InstructionSet::avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    sets.push_back(InstructionSet::avx512);
  }
#endif
  return sets;
}

InstructionSet choose() {
  const char* asked = std::getenv("TREECCA_KERNELS");
  for (const InstructionSet set : available_instruction_sets()) {
    if (asked != nullptr && name_of(set) == asked) return set;
  }
  return available_instruction_sets().back();
}

}  // namespace

std::string_view name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::baseline:
      break;
  }
  return "baseline";
}

const std::vector<InstructionSet>& available_instruction_sets() {
  static const std::vector<InstructionSet> sets = detect();
  return sets;
}

InstructionSet instruction_set() {
  static const InstructionSet chosen = choose();
  return chosen;
}

}  // namespace treecca

#include "screen/pair_kernels.hpp"

namespace treecca {

namespace baseline {
extern const PairKernels kPairKernels;
}
#ifdef TREECCA_KERNELS_X86
namespace avx2 {
extern const PairKernels kPairKernels;
}
namespace avx512 {
extern const PairKernels kPairKernels;
}
#endif

const PairKernels& pair_kernels(InstructionSet set) {
#ifdef TREECCA_KERNELS_X86
  const bool counts_bits = set == InstructionSet::avx512 && __builtin_cpu_supports("avx512vpopcntdq");
  if (counts_bits) return avx512::kPairKernels;
  if (set != InstructionSet::baseline) return avx2::kPairKernels;
#endif
  static_cast<void>(set);
  return baseline::kPairKernels;
}

}  // namespace treecca

#include "trees/kernels.hpp"

namespace treecca {

namespace baseline {
extern const Kernels kKernels;
}
#ifdef TREECCA_KERNELS_X86
namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}
#endif

const Kernels& kernels(InstructionSet set) {
#ifdef TREECCA_KERNELS_X86
  if (set == InstructionSet::avx512) return avx512::kKernels;
  if (set == InstructionSet::avx2) return avx2::kKernels;
#endif
  static_cast<void>(set);
  return baseline::kKernels;
}

}  // namespace treecca

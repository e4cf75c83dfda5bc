#include "linalg/gram_kernels.hpp"

namespace treecca {

namespace baseline {
extern const GramKernels kGramKernels;
}
#ifdef TREECCA_KERNELS_X86
namespace avx2 {
extern const GramKernels kGramKernels;
}
namespace avx512 {
extern const GramKernels kGramKernels;
}
#endif

const GramKernels& gram_kernels(InstructionSet set) {
#ifdef TREECCA_KERNELS_X86
  if (set == InstructionSet::avx512) return avx512::kGramKernels;
  if (set == InstructionSet::avx2) return avx2::kGramKernels;
#endif
  static_cast<void>(set);
  return baseline::kGramKernels;
}

}  // namespace treecca

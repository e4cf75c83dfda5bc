#include "linalg/products.hpp"

namespace treecca {

namespace baseline {
extern const ProductKernels kProductKernels;
}
#ifdef TREECCA_KERNELS_X86
namespace avx2 {
extern const ProductKernels kProductKernels;
}
namespace avx512 {
extern const ProductKernels kProductKernels;
}
#endif

const ProductKernels& product_kernels(InstructionSet set) {
#ifdef TREECCA_KERNELS_X86
  if (set == InstructionSet::avx512) return avx512::kProductKernels;
  if (set == InstructionSet::avx2) return avx2::kProductKernels;
#endif
  static_cast<void>(set);
  return baseline::kProductKernels;
}

}  // namespace treecca

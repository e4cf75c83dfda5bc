#include "select/screen_kernels.hpp"

#include <cstring>

#include "trees/kernels.hpp"

namespace treecca {

namespace baseline {
extern const ScreenKernels kScreenKernels;
}
#ifdef TREECCA_KERNELS_X86
namespace avx2 {
extern const ScreenKernels kScreenKernels;
}
namespace avx512 {
extern const ScreenKernels kScreenKernels;
}
#endif

const ScreenKernels& screen_kernels(const Kernels& chosen) {
#ifdef TREECCA_KERNELS_X86
  const bool wide = std::strcmp(chosen.name, "avx512") == 0;
  if (wide && __builtin_cpu_supports("avx512vpopcntdq")) return avx512::kScreenKernels;  // counts bits by itself
  if (wide || std::strcmp(chosen.name, "avx2") == 0) return avx2::kScreenKernels;
#endif
  static_cast<void>(chosen);
  return baseline::kScreenKernels;
}

const ScreenKernels& screen_kernels() { return screen_kernels(kernels()); }

}  // namespace treecca

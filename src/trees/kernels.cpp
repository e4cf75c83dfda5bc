#include "trees/kernels.hpp"

#include <cstdlib>
#include <cstring>

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

namespace {

struct Available {
  const Kernels* sets[3];
  int count = 0;

  Available() {
    sets[count++] = &baseline::kKernels;
#ifdef TREECCA_KERNELS_X86
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets[count++] = &avx2::kKernels;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
      sets[count++] = &avx512::kKernels;
    }
#endif
  }
};

const Available& available() {
  static const Available sets;
  return sets;
}

const Kernels& choose() {
  const Available& sets = available();
  const char* asked = std::getenv("TREECCA_KERNELS");
  for (int i = 0; asked != nullptr && i < sets.count; ++i) {
    if (std::strcmp(asked, sets.sets[i]->name) == 0) return *sets.sets[i];
  }
  return *sets.sets[sets.count - 1];
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

const Kernels* const* available_kernels(int& count) {
  count = available().count;
  return available().sets;
}

}  // namespace treecca

# Kernels: files named src/**/*.kernels.cpp, compiled once per instruction set and chosen at run time.
#
# Each variant is compiled with -DTREECCA_KERNEL_VARIANT=<baseline|avx2|avx512>; the file puts all it defines into a
# namespace of that name. On x86-64 the library (and what links it inside this build) gets TREECCA_KERNELS_X86=1: all
# three variants exist. Elsewhere only `baseline` does.
#
# A function that two variants share (an inline function or template of a header, not inlined) is kept once by the
# linker, perhaps in its AVX-512 form, and would then fault on a processor without it. Kernels therefore work on plain
# pointers and keep helpers in their variant namespace or static; the test `kernels.no_shared_symbols` checks it.

set(TREECCA_KERNEL_FLAGS_baseline "")
set(TREECCA_KERNEL_FLAGS_avx2 -mavx2 -mfma)
set(TREECCA_KERNEL_FLAGS_avx512 -mavx2 -mfma -mavx512f -mavx512bw -mavx512dq -mavx512vl)

set(TREECCA_KERNEL_VARIANTS baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8
   AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$" AND NOT CMAKE_OSX_ARCHITECTURES)
  list(APPEND TREECCA_KERNEL_VARIANTS avx2 avx512)
endif()

# treecca_add_kernels(<library> <layer> <source>): adds every variant of <source> to <library>, compiled as the target
# <layer> is at the time of the call (include folders, definitions, options, features, libraries).
function(treecca_add_kernels library layer source)
  get_filename_component(name ${source} NAME)
  string(REGEX REPLACE "\\.kernels\\.cpp$" "" name ${name})
  foreach(variant IN LISTS TREECCA_KERNEL_VARIANTS)
    set(object ${layer}_${name}_${variant})
    add_library(${object} OBJECT ${source})
    foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES LINK_LIBRARIES)
      get_target_property(value ${layer} ${property})
      if(value)
        set_property(TARGET ${object} PROPERTY ${property} ${value})
      endif()
    endforeach()
    target_compile_definitions(${object} PRIVATE TREECCA_KERNEL_VARIANT=${variant})
    # -O3 in every configuration: an unoptimised kernel would leave functions that variants share (see above).
    target_compile_options(${object} PRIVATE ${TREECCA_KERNEL_FLAGS_${variant}} -O3 -ffp-contract=off)
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${object}>)
    if(NOT variant STREQUAL "baseline")
      set_property(GLOBAL APPEND PROPERTY TREECCA_KERNEL_OBJECT_LIBRARIES ${object})
    endif()
  endforeach()
endfunction()

# treecca_options: warnings and arithmetic, for our own code only. Sanitizers: for all code.

add_library(treecca_options INTERFACE)
target_compile_options(treecca_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow
  # One arithmetic everywhere: no fused multiply-add behind our back, so that models are equal on every processor.
  -ffp-contract=off
  $<$<BOOL:${TREECCA_WARNINGS_AS_ERRORS}>:-Werror>)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of overlaps and overflows inside std::string that cannot happen (GCC bugs 105651, 105329).
  target_compile_options(treecca_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-array-bounds)
endif()

if(TREECCA_SANITIZE)
  add_compile_options(-fsanitize=${TREECCA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TREECCA_SANITIZE})
  if(TREECCA_SANITIZE MATCHES "thread")
    add_compile_definitions(TREECCA_PLAIN_THREADS=1)  # see src/support/parallel.hpp
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC reports false positives of these warnings inside instrumented standard headers.
    target_compile_options(treecca_options INTERFACE
      -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds -Wno-mismatched-new-delete)
  endif()
endif()

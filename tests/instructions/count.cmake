# Fails if PROGRAM KIND takes more than MILLIONS instructions. Valgrind knows no AVX-512.
set(ENV{TREECCA_KERNELS} avx2)
execute_process(
  COMMAND ${VALGRIND} --tool=callgrind --callgrind-out-file=/dev/null ${PROGRAM} ${KIND}
  ERROR_VARIABLE report COMMAND_ERROR_IS_FATAL ANY)
if(NOT report MATCHES "Collected : ([0-9]+)")
  message(FATAL_ERROR "callgrind did not count:\n${report}")
endif()
math(EXPR counted "${CMAKE_MATCH_1} / 1000000")
message("${KIND}: ${counted} million instructions, limit ${MILLIONS}")
if(counted GREATER MILLIONS)
  message(FATAL_ERROR "The fit \"${KIND}\" takes ${counted} million instructions, more than ${MILLIONS}. If that is worth it, "
    "raise the limit in tests/instructions/CMakeLists.txt and say why in the commit.")
endif()

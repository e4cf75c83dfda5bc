# Fails when a kernel object for AVX2 or AVX-512 defines a weak symbol, that is, a function of a header that the linker
# may also use on behalf of code for every processor. See cmake/TreeccaKernels.cmake.
# In: NM (program), OBJECTS (files, separated by |).

string(REPLACE "|" ";" OBJECTS "${OBJECTS}")
if(NOT OBJECTS)
  message(FATAL_ERROR "No kernel objects were given.")
endif()
set(shared "")
foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND ${NM} --demangle --defined-only ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[0-9a-f]+ [WVu] [^\n]+" weak "${symbols}")
  foreach(symbol IN LISTS weak)
    string(APPEND shared "  ${object}: ${symbol}\n")
  endforeach()
endforeach()
if(shared)
  message(FATAL_ERROR "These functions are compiled for a newer processor and could be used on an older one. Make them "
    "static, put them into the variant's namespace, or avoid them in kernels:\n${shared}")
endif()

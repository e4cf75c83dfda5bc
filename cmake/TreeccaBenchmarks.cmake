# Kernel benchmarks: one program per benchmarks/*_bench.cpp, with google-benchmark. `ninja bench` runs them all.

find_package(benchmark REQUIRED)
file(GLOB treecca_benchmarks CONFIGURE_DEPENDS benchmarks/*_bench.cpp)
add_custom_target(bench)
foreach(source IN LISTS treecca_benchmarks)
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE src)
  target_link_libraries(${name} PRIVATE treecca treecca_options Eigen3::Eigen OpenMP::OpenMP_CXX
    fmt::fmt benchmark::benchmark_main)
  add_custom_target(run_${name} COMMAND ${name} USES_TERMINAL)
  add_dependencies(bench run_${name})
endforeach()

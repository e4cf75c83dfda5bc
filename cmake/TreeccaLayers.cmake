# Layers: the folders of src/, each of which may include only itself and the folders before it.
#
# A layer is compiled with an include path that holds links to just these folders. An include of a later folder does not
# compile: "No such file or directory".

# For code that only writes text: compiles in two thirds of the time.
set(treecca_optimise_less $<$<CONFIG:Release>:-O1>)

# treecca_links_to(<variable> <folder>...): makes a folder with links to these folders of src/ and sets <variable> to its
# path. Where links are not allowed, the folders are copied.
function(treecca_links_to variable)
  set(folders ${ARGN})
  list(GET folders -1 last)
  set(seen ${CMAKE_CURRENT_BINARY_DIR}/layers/${last})
  file(MAKE_DIRECTORY ${seen})
  foreach(folder IN LISTS folders)
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/src/${folder} ${seen}/${folder} COPY_ON_ERROR SYMBOLIC)
  endforeach()
  set(${variable} ${seen} PARENT_SCOPE)
endfunction()

# treecca_add_layers(<library> <layer>...): adds all layers to the library, in their order. With TREECCA_UNITY each layer
# is one unit, which halves the time of a build from scratch; kernels are never part of a unit.
function(treecca_add_layers library)
  set(before)
  foreach(layer IN LISTS ARGN)
    list(APPEND before ${layer})
    treecca_links_to(seen ${before})
    set(target ${library}_${layer})
    file(GLOB sources CONFIGURE_DEPENDS src/${layer}/*.cpp)
    set(kernels ${sources})
    list(FILTER kernels INCLUDE REGEX "\\.kernels\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "\\.kernels\\.cpp$")
    add_library(${target} OBJECT ${sources})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${TREECCA_UNITY} UNITY_BUILD_BATCH_SIZE 0)
    target_include_directories(${target} PRIVATE ${seen} ${CMAKE_CURRENT_SOURCE_DIR}/include)
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_compile_definitions(${target} PRIVATE EIGEN_DONT_PARALLELIZE)
    # Header-only libraries are needed to build only; the others come again in treeccaConfig.cmake.
    target_link_libraries(${target} PRIVATE treecca_options OpenMP::OpenMP_CXX ${treecca_fmt} ZLIB::ZLIB Eigen3::Eigen
      FastFloat::fast_float)
    if(layer MATCHES "^(export|report)$")
      target_compile_options(${target} PRIVATE ${treecca_optimise_less})
    endif()
    if("avx2" IN_LIST TREECCA_KERNEL_VARIANTS)
      target_compile_definitions(${target} PRIVATE TREECCA_KERNELS_X86=1)
    endif()
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${target}>)
    foreach(source IN LISTS kernels)
      treecca_add_kernels(${library} ${target} ${source})
    endforeach()
  endforeach()
endfunction()

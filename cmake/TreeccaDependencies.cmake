# The libraries we stand on: the installed package first, a pinned release from its home otherwise.
#
# Debian 12, Ubuntu 24.04 and newer have all of them (scripts/install-deps), so nothing is downloaded there. Elsewhere
# TREECCA_FETCH_DEPENDENCIES=ON (the default) downloads what is missing and checks its SHA-256. OpenMP and zlib
# belong to the system and are never downloaded.

include(FetchContent)
if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW)  # an extracted file is as old as its download
endif()

# treecca_dependency(<package> TARGET <target> (URL <url> SHA256 <hash> | GIT <url> COMMIT <hash>)
#                    [VERSION <least version>] [HEADERS <folder>] [PROBE <header>])
#
# Makes <target> available from the installed <package>, else from its header PROBE on the include path (packages
# without CMake files), else from the archive at URL or the commit of the repository at GIT. HEADERS: the library is
# header-only and its headers stand in <folder> of what was downloaded; its own CMake files are not run.
function(treecca_dependency package)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET;VERSION;URL;SHA256;GIT;COMMIT;HEADERS;PROBE" "")
  if(TARGET ${arg_TARGET})
    return()
  endif()
  find_package(${package} ${arg_VERSION} QUIET CONFIG)
  if(TARGET ${arg_TARGET})
    message(STATUS "${package}: installed ${${package}_VERSION}")
    return()
  endif()
  if(arg_PROBE)
    find_path(TREECCA_${package}_INCLUDE_DIR ${arg_PROBE})
    mark_as_advanced(TREECCA_${package}_INCLUDE_DIR)
    if(TREECCA_${package}_INCLUDE_DIR)
      message(STATUS "${package}: headers in ${TREECCA_${package}_INCLUDE_DIR}")
      treecca_header_target(${arg_TARGET} ${TREECCA_${package}_INCLUDE_DIR})
      return()
    endif()
  endif()
  if(NOT TREECCA_FETCH_DEPENDENCIES)
    message(FATAL_ERROR "${package} ${arg_VERSION} is not installed and TREECCA_FETCH_DEPENDENCIES is OFF. "
      "Install it (scripts/install-deps does on Debian and Ubuntu), or allow the download.")
  endif()
  message(STATUS "${package}: downloading ${arg_URL}${arg_GIT}")
  string(TOLOWER treecca_${package} content)
  if(arg_GIT)
    set(from GIT_REPOSITORY ${arg_GIT} GIT_TAG ${arg_COMMIT})  # a commit is its own checksum
  else()
    set(from URL ${arg_URL} URL_HASH SHA256=${arg_SHA256})
  endif()
  if(arg_HEADERS)
    FetchContent_Declare(${content} ${from} SOURCE_SUBDIR no-cmake-files)
    FetchContent_MakeAvailable(${content})
    treecca_header_target(${arg_TARGET} ${${content}_SOURCE_DIR}/${arg_HEADERS})
  else()
    FetchContent_Declare(${content} ${from})
    FetchContent_MakeAvailable(${content})
  endif()
endfunction()

function(treecca_header_target target folder)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${folder})
endfunction()

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(ZLIB REQUIRED)

treecca_dependency(Eigen3 VERSION 3.4 TARGET Eigen3::Eigen HEADERS .
  URL https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.gz
  SHA256 8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72)
treecca_dependency(nlohmann_json VERSION 3.11 TARGET nlohmann_json::nlohmann_json HEADERS include
  URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
  SHA256 0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406)
treecca_dependency(FastFloat TARGET FastFloat::fast_float HEADERS include PROBE fast_float/fast_float.h
  URL https://github.com/fastfloat/fast_float/archive/refs/tags/v7.0.0.tar.gz
  SHA256 d2a08e722f461fe699ba61392cd29e6b23be013d0f56e50c7786d0954bffcb17)

set(FMT_INSTALL ON)  # when downloaded: an installed static treecca needs it beside itself
treecca_dependency(fmt VERSION 9 TARGET fmt::fmt
  URL https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz
  SHA256 5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2)

set(treecca_fmt fmt::fmt)
if(TREECCA_FMT_HEADER_ONLY)
  set(treecca_fmt fmt::fmt-header-only)
endif()

if(TREECCA_BUILD_CLI)
  # A target of our own: the one of the package may link a shared library, and headers are enough for one file.
  treecca_dependency(tomlplusplus TARGET treecca_tomlplusplus HEADERS include PROBE toml++/toml.h
    GIT https://github.com/marzer/tomlplusplus.git COMMIT 30172438cee64926dc41fdd9c11fb3ba5b2ba9de)  # v3.4.0
endif()

if(TREECCA_BUILD_TESTS)
  set(INSTALL_GTEST OFF)
  set(BUILD_GMOCK OFF)
  treecca_dependency(GTest TARGET GTest::gtest_main
    URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
    SHA256 8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7)
endif()

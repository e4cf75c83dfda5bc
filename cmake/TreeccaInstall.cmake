# Installs headers, library, program, and the files that make find_package(treecca) work.

include(CMakePackageConfigHelpers)
set(treecca_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/treecca)

install(TARGETS treecca EXPORT treeccaTargets)
install(DIRECTORY include/treecca DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT treeccaTargets NAMESPACE treecca:: DESTINATION ${treecca_package_dir})

configure_package_config_file(cmake/treeccaConfig.cmake.in treeccaConfig.cmake
  INSTALL_DESTINATION ${treecca_package_dir})
write_basic_package_version_file(treeccaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/treeccaConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/treeccaConfigVersion.cmake
  DESTINATION ${treecca_package_dir})
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TREECCA_BUILD_CLI)
  file(RELATIVE_PATH bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set(program_folder $<IF:$<PLATFORM_ID:Darwin>,@loader_path,$ORIGIN>)
  set_target_properties(treecca_cli PROPERTIES INSTALL_RPATH "${program_folder}/${bin_to_lib}")
  install(TARGETS treecca_cli)
endif()

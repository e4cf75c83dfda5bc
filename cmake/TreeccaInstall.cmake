# Installs headers, library, program, shell completions, and the files that make find_package(treecca) work.

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
  set_target_properties(treecca_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS treecca_cli)

  # The program writes its own completions; one built for another processor cannot be asked.
  if(NOT CMAKE_CROSSCOMPILING)
    set(completions ${CMAKE_CURRENT_BINARY_DIR}/completions)
    install(CODE "
      file(MAKE_DIRECTORY ${completions})
      foreach(shell bash zsh fish)
        execute_process(COMMAND $<TARGET_FILE:treecca_cli> completion \${shell}
          OUTPUT_FILE ${completions}/treecca.\${shell} COMMAND_ERROR_IS_FATAL ANY)
      endforeach()")
    install(FILES ${completions}/treecca.bash RENAME treecca
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${completions}/treecca.zsh RENAME _treecca DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${completions}/treecca.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()

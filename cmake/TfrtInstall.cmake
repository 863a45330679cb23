# Installs the headers and the CMake package beside the libraries and tools, and makes Debian packages of all of it
# (cpack). Components: runtime (bef_executor), dev (headers and libraries), tools (the compiler's
# and inspection tools).

include(CMakePackageConfigHelpers)

set(TFRT_COMPILER_HEADERS compiler)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tfrt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT dev FILES_MATCHING PATTERN "*.h"
        PATTERN ${TFRT_COMPILER_HEADERS} EXCLUDE PATTERN gpu EXCLUDE)

# tfrt::runtime is everything that an embedding program needs; tfrt::plugin is what a kernel library needs:
# headers, nothing to link.
add_library(tfrt_runtime INTERFACE)
target_link_libraries(tfrt_runtime INTERFACE
  tfrt_support tfrt_bef tfrt_async tfrt_work_queue tfrt_host tfrt_executor tfrt_tensor tfrt_all_kernels
  tfrt_corert_kernels tfrt_tracing)
add_library(tfrt::runtime ALIAS tfrt_runtime)
tfrt_install_library(runtime tfrt_runtime runtime)
# tfrt::profiler records a program; tfrt::profiler_analysis reads what was recorded.
add_library(tfrt_profiler INTERFACE)
target_link_libraries(tfrt_profiler INTERFACE tfrt_profiler_session)
add_library(tfrt::profiler ALIAS tfrt_profiler)
tfrt_install_library(runtime tfrt_profiler profiler)
if(TFRT_BUILD_PROFILER)
  add_library(tfrt_profiler_analysis INTERFACE)
  target_link_libraries(tfrt_profiler_analysis INTERFACE
    tfrt_profiler_eager tfrt_profiler_analyses tfrt_profiler_read_profile tfrt_profiler_files tfrt_profiler_report)
  add_library(tfrt::profiler_analysis ALIAS tfrt_profiler_analysis)
  tfrt_install_library(runtime tfrt_profiler_analysis profiler_analysis)
endif()
# tfrt::compiler is all of the compiler but its service.
if(TFRT_BUILD_COMPILER)
  add_library(tfrt_compiler INTERFACE)
  target_link_libraries(tfrt_compiler INTERFACE tfrt_importers tfrt_translation)
  add_library(tfrt::compiler ALIAS tfrt_compiler)
  tfrt_install_library(compiler tfrt_compiler compiler)
endif()
add_library(tfrt_plugin INTERFACE)
target_include_directories(tfrt_plugin INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_definitions(tfrt_plugin INTERFACE
  $<TARGET_PROPERTY:tfrt_support,INTERFACE_COMPILE_DEFINITIONS>)
add_library(tfrt::plugin ALIAS tfrt_plugin)
tfrt_install_library(runtime tfrt_plugin plugin)

# Old names of targets, each before its new one: programs outside may still link them.
set(TFRT_RENAMED_TARGETS opinfo op_table host_context host core_runtime handles cpu_ops host_ops
  core_runtime_kernels corert_kernels kernels all_kernels driver bef_run)
set(renamed ${TFRT_RENAMED_TARGETS})
while(renamed)
  list(POP_FRONT renamed old new)
  add_library(tfrt::${old} ALIAS tfrt_${new})
endwhile()

set(TFRT_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/tfrt)
install(EXPORT tfrtRuntimeTargets NAMESPACE tfrt:: DESTINATION ${TFRT_PACKAGE_DIR} COMPONENT dev)
if(TFRT_BUILD_COMPILER)
  install(EXPORT tfrtCompilerTargets NAMESPACE tfrt:: DESTINATION ${TFRT_PACKAGE_DIR} COMPONENT dev)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tfrt/${TFRT_COMPILER_HEADERS}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tfrt COMPONENT dev)
endif()
if(TFRT_BUILD_GPU)
  install(EXPORT tfrtGpuTargets NAMESPACE tfrt:: DESTINATION ${TFRT_PACKAGE_DIR} COMPONENT dev)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tfrt/gpu DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tfrt COMPONENT dev)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tfrtConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tfrtConfig.cmake INSTALL_DESTINATION ${TFRT_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tfrtConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tfrtConfig.cmake ${PROJECT_BINARY_DIR}/tfrtConfigVersion.cmake
        DESTINATION ${TFRT_PACKAGE_DIR} COMPONENT dev)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tfrt)
set(CPACK_PACKAGE_CONTACT "the tfrt authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME tfrt-runtime)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtfrt-dev)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME tfrt-tools)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "bef_executor: runs the functions of a BEF file")
set(CPACK_COMPONENT_DEV_DESCRIPTION "headers, static libraries and the CMake package tfrt")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "tools that compile to BEF and look into it")
set(CPACK_COMPONENTS_ALL runtime dev tools)
if(TARGET tfrt_gpu_plugin)
  set(CPACK_DEBIAN_GPU_PACKAGE_NAME tfrt-gpu)
  # The versions must be equal: a module reads the frames of the program that loads it as it was compiled to.
  set(CPACK_DEBIAN_GPU_PACKAGE_DEPENDS "tfrt-runtime (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_GPU_DESCRIPTION "kernels of GPU programs, for bef_executor; opens the vendor's driver by itself")
  list(APPEND CPACK_COMPONENTS_ALL gpu)
endif()
include(CPack)

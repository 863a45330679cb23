# add_tfrt_library, add_tfrt_tool, add_tfrt_test: every target of the project is made by these, so
# that flags stay per target and the layer order is checked in one place.

include(GNUInstallDirs)
find_package(Threads REQUIRED)
set(TFRT_TRACING_LEVELS none default verbose debug)

# Warnings and sanitizers for one target of ours.
function(tfrt_target_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter
                         -Wno-missing-field-initializers)
  if(TFRT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${TFRT_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${TFRT_SANITIZE})
  endif()
endfunction()

# add_tfrt_library(<layer> [NAME <name>] SOURCES <files> [DEPS <layers>] [LINK <targets>])
# Makes the static library tfrt_<layer> with the alias tfrt::<layer>. DEPS are tfrt layers and are
# checked; LINK are outside libraries. Runtime libraries compile without exceptions.
function(add_tfrt_library layer)
  cmake_parse_arguments(ARG "EXCEPTIONS" "NAME" "SOURCES;DEPS;LINK" ${ARGN})
  tfrt_check_layer(${layer} ${ARG_DEPS})
  set(name ${layer})
  if(ARG_NAME)
    set(name ${ARG_NAME})
  endif()
  add_library(tfrt_${name} STATIC ${ARG_SOURCES})
  add_library(tfrt::${name} ALIAS tfrt_${name})
  target_include_directories(tfrt_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  foreach(dep IN LISTS ARG_DEPS)
    target_link_libraries(tfrt_${name} PUBLIC tfrt_${dep})
  endforeach()
  target_link_libraries(tfrt_${name} PUBLIC Threads::Threads ${ARG_LINK})
  # A program that links with --gc-sections keeps only what it uses.
  target_compile_options(tfrt_${name} PRIVATE -ffunction-sections -fdata-sections)
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(tfrt_${name} PRIVATE -fno-exceptions)
  endif()
  string(TOLOWER "${TFRT_MAX_TRACING_LEVEL}" level)
  list(FIND TFRT_TRACING_LEVELS "${level}" level_value)
  if(level_value LESS 0)
    message(FATAL_ERROR "TFRT_MAX_TRACING_LEVEL must be one of ${TFRT_TRACING_LEVELS}")
  endif()
  target_compile_definitions(tfrt_${name} PUBLIC TFRT_MAX_TRACING_LEVEL_VALUE=${level_value})
  if(TFRT_TRACK_LIVE_OBJECTS)
    target_compile_definitions(tfrt_${name} PUBLIC TFRT_TRACK_LIVE_OBJECTS=1)
  endif()
  tfrt_target_options(tfrt_${name})
  tfrt_install_library(${layer} tfrt_${name} ${name})
endfunction()

# Installs a library as tfrt::<exported name>, in the export set of its island.
function(tfrt_install_library layer target exported_name)
  set(island Runtime)
  if(layer IN_LIST TFRT_COMPILER_LAYERS)
    set(island Compiler)
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${exported_name})
  install(TARGETS ${target} EXPORT tfrt${island}Targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
endfunction()

# add_tfrt_tool(<name> [INSTALL <component>] SOURCES <files> LINK <targets>): an executable in <build>/bin,
# which may become part of a package.
function(add_tfrt_tool name)
  cmake_parse_arguments(ARG "" "INSTALL" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  tfrt_target_options(${name})
  if(ARG_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${ARG_INSTALL})
  endif()
endfunction()

# add_tfrt_test(<name> SOURCES <files> LINK <targets>): one gtest executable, one ctest entry.
function(add_tfrt_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  tfrt_target_options(${name})
  add_test(NAME unit/${name} COMMAND ${name})
  set_tests_properties(unit/${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
endfunction()

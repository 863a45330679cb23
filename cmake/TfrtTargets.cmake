# add_tfrt_library, add_tfrt_tool, add_tfrt_test: every target of the project is made by these, so
# that flags stay per target and the layer order is checked in one place.

include(GNUInstallDirs)
find_package(Threads REQUIRED)
set(TFRT_TRACING_LEVELS none default verbose debug)

# Warnings and sanitizers for one target of ours.
function(tfrt_target_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter
                         -Wno-missing-field-initializers
                         # Loops are written for -O3, and builds of tests optimise less; libstdc++ itself uses
                         # what it deprecates.
                         "$<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed;-Wno-deprecated-declarations>"
                         # g++ 12 gives this warning at -O3 for variants and StatusOr that are moved.
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(TFRT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${TFRT_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${TFRT_SANITIZE})
  endif()
endfunction()

# As above, for sources of tests. They neither throw nor catch. What the undefined-behaviour sanitizer is to look at
# is the libraries: of GoogleTest's macros it would make twice the code, most of it for the checks left out here.
# Optimising them would take longer than running them does.
function(tfrt_test_options target)
  tfrt_target_options(${target})
  target_compile_options(${target} PRIVATE -fno-exceptions $<IF:$<CONFIG:Debug>,-O0,-O1>)
  if(TFRT_SANITIZE MATCHES "fuzzer")
    target_compile_options(${target} PRIVATE -fno-sanitize=fuzzer-no-link)
  endif()
  if(TFRT_SANITIZE MATCHES "undefined")
    target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
  endif()
endfunction()

# add_tfrt_library(<layer> [NAME <name>] [EXCEPTIONS] [ALONE <files>] SOURCES <files> [DEPS <libraries>] [LINK <targets>])
# Makes the static library tfrt_<name> with the alias tfrt::<name>; the name is the layer's if not given.
# DEPS are libraries made by add_tfrt_library before this one, and are checked; LINK are outside libraries.
# Runtime libraries compile without exceptions. ALONE: see tfrt_unity.
function(add_tfrt_library layer)
  cmake_parse_arguments(ARG "EXCEPTIONS" "NAME" "SOURCES;DEPS;LINK;ALONE" ${ARGN})
  set(name ${layer})
  if(ARG_NAME)
    set(name ${ARG_NAME})
  endif()
  tfrt_check_layer(${layer} ${name} ${ARG_DEPS})
  add_library(tfrt_${name} STATIC ${ARG_SOURCES})
  list(TRANSFORM ARG_DEPS PREPEND tfrt_ OUTPUT_VARIABLE dep_targets)
  set_target_properties(tfrt_${name} PROPERTIES TFRT_LAYER ${layer} TFRT_DEPS "${dep_targets}")
  if(NOT layer IN_LIST TFRT_COMPILER_LAYERS)
    set_property(GLOBAL APPEND PROPERTY TFRT_RUNTIME_LIBRARIES tfrt_${name})
  endif()
  add_library(tfrt::${name} ALIAS tfrt_${name})
  target_include_directories(tfrt_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>) # headers that are not installed: "lib/ops/maths/gemm.h"
  target_link_libraries(tfrt_${name} PUBLIC ${dep_targets} Threads::Threads ${ARG_LINK})
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
  if(TFRT_YIELD_POINTS)
    target_compile_definitions(tfrt_${name} PUBLIC TFRT_YIELD_POINTS=1)
  endif()
  tfrt_target_options(tfrt_${name})
  if(layer IN_LIST TFRT_MLIR_LAYERS)
    # Nothing measures this island in a build of tests, and its templates take long to optimise.
    target_compile_options(tfrt_${name} PRIVATE $<$<CONFIG:Debug>:-O0>)
    tfrt_precompile(tfrt_${name} tfrt_dialect_base ${TFRT_MLIR_HEADERS})
  elseif(NOT ARG_EXCEPTIONS)
    tfrt_precompile(tfrt_${name} tfrt_support ${TFRT_STANDARD_HEADERS})
  endif()
  if(layer IN_LIST TFRT_MLIR_LAYERS OR NOT TFRT_UNITY_COSTS_SPEED)
    tfrt_unity(tfrt_${name} ${ARG_ALONE})
  endif()
  tfrt_install_library(${layer} tfrt_${name} ${name})
endfunction()

# Installs a library as tfrt::<exported name>, in the export set of its island.
function(tfrt_install_library layer target exported_name)
  set(island Runtime)
  if(layer IN_LIST TFRT_COMPILER_LAYERS)
    set(island Compiler)
  elseif(layer MATCHES "^gpu_")
    set(island Gpu)
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
  # Programs of builds for tests are not worth optimising; what they call is.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Debug>:-O0>)
  if(ARG_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${ARG_INSTALL})
  endif()
endfunction()

# add_tfrt_test(<name> SOURCES <files> [ALONE <files>] LINK <targets> [DEFINE <macros>] [TIMEOUT <seconds>])
# Makes the gtest executable unit_<name>: one per folder of tests and set of libraries. Each source x_test.cc or
# x_conformance.h becomes a ctest entry unit/<folder>/x_test (of test/gpu: gpu/.../<folder>/x_test), with a process
# and a deadline of its own.
function(add_tfrt_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;DEFINE;ALONE" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  # One test is named as hanging before all of the program are.
  math(EXPR deadline "${ARG_TIMEOUT} * 5 / 6")
  add_executable(unit_${name} ${ARG_SOURCES})
  target_link_libraries(unit_${name} PRIVATE ${ARG_LINK} tfrt_test_main GTest::gmock GTest::gtest)
  target_include_directories(unit_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(unit_${name} PRIVATE ${ARG_DEFINE})
  tfrt_test_options(unit_${name})
  tfrt_unity(unit_${name} ${ARG_ALONE})
  # MLIR defines macros of the standard library, so that tests of the compiler have a precompiled header of their own,
  # as those have whose headers are large.
  if(tfrt_mlir IN_LIST ARG_LINK)
    tfrt_precompile(unit_${name} unit_compiler ${TFRT_MLIR_TEST_HEADERS})
  elseif(tfrt::eager IN_LIST ARG_LINK OR tfrt::function IN_LIST ARG_LINK)
    tfrt_precompile(unit_${name} unit_eager ${TFRT_EAGER_TEST_HEADERS})
  else()
    tfrt_precompile(unit_${name} tfrt_test_main)
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/test ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT folder MATCHES "^gpu/")
    get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    string(PREPEND folder unit/)
  endif()
  list(TRANSFORM ARG_SOURCES REPLACE "^.*/" "" OUTPUT_VARIABLE files)
  list(FILTER files INCLUDE REGEX "(_test\\.cc|_conformance\\.h)$")
  list(LENGTH files num_files)
  list(JOIN files "," all_files)
  foreach(file IN LISTS files)
    string(REGEX REPLACE "\\.[a-z]+$" "" entry ${folder}/${file})
    set(choice --tests_of=${file} --files=${all_files})
    if(num_files EQUAL 1)
      set(choice "")
      # The objects of other targets are tests, too, with entries of their own.
      if("${ARG_SOURCES}" MATCHES "TARGET_OBJECTS")
        set(choice --tests_of=${file})
      endif()
    endif()
    add_test(NAME ${entry} COMMAND unit_${name} ${choice})
    # Tests that may take long begin first.
    set_tests_properties(${entry} PROPERTIES TIMEOUT ${ARG_TIMEOUT} COST ${ARG_TIMEOUT}
                         ENVIRONMENT TFRT_TEST_DEADLINE_SECONDS=${deadline})
  endforeach()
endfunction()

# Gives each test of the current folder that has no TIMEOUT one of two minutes. Every test must have one.
function(tfrt_limit_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    get_test_property(${test} TIMEOUT timeout)
    if(NOT timeout)
      set_tests_properties(${test} PROPERTIES TIMEOUT 120)
    endif()
  endforeach()
endfunction()

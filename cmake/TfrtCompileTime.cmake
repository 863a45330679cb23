# Makes builds shorter: headers are compiled once, several sources are compiled together, and a compiler cache does not
# preprocess each source first.

# Sources include what they use nevertheless, as test/layering/check_std_includes.py checks, and presets dev and bench
# compile each by itself.
option(TFRT_PRECOMPILE_HEADERS "Precompile the headers of the standard library, GoogleTest and MLIR" OFF)
option(TFRT_UNITY_BUILD "Compile the sources of a library or a test some at a time" OFF)

set(TFRT_STANDARD_HEADERS
  <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <cstring> <functional>
  <iterator> <limits> <map> <memory> <mutex> <optional> <span> <sstream> <string> <string_view> <thread>
  <tuple> <type_traits> <unordered_map> <utility> <variant> <vector>)
# Tests spend more time in these headers of the runtime than in their own code.
set(TFRT_TEST_HEADERS ${TFRT_STANDARD_HEADERS} <gmock/gmock.h> <gtest/gtest.h>
  <tfrt/async/async_value_ref.h> <tfrt/host_context/host_context.h> <tfrt/tensor/dense_host_tensor.h>)
set(TFRT_EAGER_TEST_HEADERS ${TFRT_TEST_HEADERS} <tfrt/eager/ops.h> <tfrt/eager/variable.h>)
set(TFRT_MLIR_HEADERS ${TFRT_STANDARD_HEADERS}
  <llvm/ADT/TypeSwitch.h> <mlir/Dialect/Func/IR/FuncOps.h> <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h>
  <mlir/IR/DialectImplementation.h> <mlir/IR/PatternMatch.h> <mlir/Transforms/InliningUtils.h>)
set(TFRT_MLIR_TEST_HEADERS ${TFRT_MLIR_HEADERS} <gmock/gmock.h> <gtest/gtest.h> <mlir/IR/MLIRContext.h>)

# tfrt_precompile(<target> <owner> <headers>...): they are compiled with the target <owner>, whose flags all
# others share; a source with flags of its own sets SKIP_PRECOMPILE_HEADERS.
function(tfrt_precompile target owner)
  if(NOT TFRT_PRECOMPILE_HEADERS)
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Without the times of the headers in them the same headers give the same bytes, which the compiler cache needs.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# g++ bounds inlining by how much a unit grows: eager chains then take 16 % more instructions, and opening a BEF file 27.
# With clang they do not change, or become fewer. Builds for size are not measured by their speed.
set(TFRT_UNITY_COSTS_SPEED OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_BUILD_TYPE MATCHES "^(Debug|MinSizeRel)$")
  set(TFRT_UNITY_COSTS_SPEED ON)
endif()

# tfrt_unity(<target> [<files>]): its sources are compiled some at a time, as includes and what is made of their templates
# are most of what a source costs. Then no two of them have equal names in their unnamed namespaces; but for those
# <files>, and for sources that take long by themselves, which are compiled alone.
function(tfrt_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TFRT_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 8)
  if(ARGN)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# ccache takes what a source includes from the compiler's list of dependencies (CCACHE_DEPEND), and may keep objects
# made with precompiled headers (pch_defines, time_macros: no source looks at the time or at macros of others).
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|/)ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# Finds MLIR/LLVM 22 for the compiler island. Only dialects/, lib/compiler and the compiler's tools
# link it; LLVM's exported targets carry no include directories, so tfrt_mlir adds them.

find_program(TFRT_LLVM_CONFIG NAMES llvm-config-22 PATHS /usr/lib/llvm-22/bin)
if(NOT TFRT_LLVM_CONFIG)
  message(FATAL_ERROR "llvm-config-22 not found: run scripts/install_dependencies.sh, or configure "
                      "with -DTFRT_BUILD_COMPILER=OFF")
endif()
execute_process(COMMAND ${TFRT_LLVM_CONFIG} --prefix OUTPUT_VARIABLE TFRT_LLVM_PREFIX
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${TFRT_LLVM_CONFIG} --bindir OUTPUT_VARIABLE TFRT_LLVM_BIN_DIR
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
list(PREPEND CMAKE_PREFIX_PATH ${TFRT_LLVM_PREFIX})
find_package(MLIR REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(tfrt_mlir INTERFACE)
target_include_directories(tfrt_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_link_libraries(tfrt_mlir INTERFACE MLIR LLVM)
target_compile_definitions(tfrt_mlir INTERFACE ${LLVM_DEFINITIONS})
set_target_properties(tfrt_mlir PROPERTIES EXPORT_NAME mlir)
install(TARGETS tfrt_mlir EXPORT tfrtCompilerTargets)

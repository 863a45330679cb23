# add_tfrt_ptx(<file> [TYPES <types>] [INCLUDE <folders>] [FIXED_BLOCKS]): from FILE.cu to FILE.ptx. tfrt_embed_ptx(<output>): and on to
# text in the library.

# The least that the modules ask for: PTX 7.0 is read by the drivers of CUDA 11 and later, which compile it for any
# GPU from compute capability 7.5 on. Nothing else says a version.
set(TFRT_PTX_VERSION 70)
set(TFRT_PTX_TARGET sm_75)

find_program(TFRT_DEVICE_COMPILER NAMES clang++-22 clang++
             DOC "clang 22, which compiles device code to PTX; empty: leave device code out")
set(TFRT_HAS_DEVICE_COMPILER OFF)
if(TFRT_DEVICE_COMPILER)
  execute_process(COMMAND ${TFRT_DEVICE_COMPILER} --version OUTPUT_VARIABLE version ERROR_QUIET)
  execute_process(COMMAND ${TFRT_DEVICE_COMPILER} --print-targets OUTPUT_VARIABLE targets ERROR_QUIET)
  if(version MATCHES "clang version 22\\." AND targets MATCHES "nvptx64")
    set(TFRT_HAS_DEVICE_COMPILER ON)
  endif()
endif()
get_property(TFRT_SAID_NO_DEVICE_COMPILER GLOBAL PROPERTY TFRT_SAID_NO_DEVICE_COMPILER)
if(NOT TFRT_HAS_DEVICE_COMPILER AND NOT TFRT_SAID_NO_DEVICE_COMPILER)
  set_property(GLOBAL PROPERTY TFRT_SAID_NO_DEVICE_COMPILER ON)
  message(WARNING "GPU device code is left out: no clang 22 that compiles to PTX (TFRT_DEVICE_COMPILER is "
                  "'${TFRT_DEVICE_COMPILER}')")
endif()

# The toolkit is told to be where nothing is: clang would take its version from one that it finds. Products are not
# fused with sums but where the source says so, so that every machine computes the same bits. Tables that the compiler
# makes of choices would be static data.
set(TFRT_DEVICE_FLAGS
  -x cuda --cuda-device-only --cuda-gpu-arch=${TFRT_PTX_TARGET} --cuda-feature=+ptx${TFRT_PTX_VERSION}
  -nocudainc -nocudalib --cuda-path=${PROJECT_SOURCE_DIR}/no_toolkit
  -std=c++20 -ffreestanding -O2 -ffp-contract=off -fno-math-errno -fno-jump-tables -Wall -Wextra -Werror)

# All build folders make the same files of it: with ccache only the first one compiles. The files are changed afterwards
# (require_threads.cmake), so that they must not be those of the cache.
set(TFRT_DEVICE_LAUNCHER "")
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|[/;])ccache$")
  list(GET CMAKE_CXX_COMPILER_LAUNCHER -1 ccache)
  set(TFRT_DEVICE_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_NOHARDLINK=1 ${ccache})
endif()

set(TFRT_REQUIRE_THREADS ${CMAKE_CURRENT_LIST_DIR}/require_threads.cmake)

# Compiles <file>.cu to <file>.ptx, or once for each type to <file>_<type>.ptx with TFRT_TYPE defined. FIXED_BLOCKS:
# entry points with launch_bounds run in blocks of exactly so many threads, and drivers refuse others.
function(add_tfrt_ptx file)
  cmake_parse_arguments(ARG "FIXED_BLOCKS" "" "TYPES;INCLUDE" ${ARGN})
  if(NOT TFRT_HAS_DEVICE_COMPILER)
    return()
  endif()
  set(families ${file})
  list(TRANSFORM ARG_INCLUDE PREPEND -I)
  if(ARG_TYPES)
    list(TRANSFORM ARG_TYPES PREPEND ${file}_ OUTPUT_VARIABLE families)
  endif()
  foreach(family IN LISTS families)
    string(REGEX REPLACE "^${file}_?" "" type ${family})
    set(define "")
    if(type)
      set(define -DTFRT_TYPE=${type})
    endif()
    set(ptx ${CMAKE_CURRENT_BINARY_DIR}/${family}.ptx)
    set(require_threads "")
    if(ARG_FIXED_BLOCKS)
      set(require_threads COMMAND ${CMAKE_COMMAND} -DFILE=${ptx} -P ${TFRT_REQUIRE_THREADS})
    endif()
    add_custom_command(OUTPUT ${ptx}
      COMMAND ${TFRT_DEVICE_LAUNCHER} ${TFRT_DEVICE_COMPILER} ${TFRT_DEVICE_FLAGS} ${define} ${ARG_INCLUDE} -MD -MF ${family}.d -MT ${ptx}
              -S -o ${ptx} ${CMAKE_CURRENT_SOURCE_DIR}/${file}.cu
      ${require_threads}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file}.cu ${TFRT_REQUIRE_THREADS} DEPFILE ${CMAKE_CURRENT_BINARY_DIR}/${family}.d
      WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
      COMMENT "Compiling device code ${family}.ptx" VERBATIM)
    set_property(DIRECTORY APPEND PROPERTY TFRT_PTX_FILES ${ptx})
  endforeach()
endfunction()

# Makes the source <output> with all modules. Fails where their entry points are not those of entry_points.txt;
# the target update_gpu_entry_points writes that file anew.
function(tfrt_embed_ptx output)
  get_property(files DIRECTORY PROPERTY TFRT_PTX_FILES)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/embed_ptx.cmake)
  set(manifest ${CMAKE_CURRENT_SOURCE_DIR}/entry_points.txt)
  # A list of files as one argument: its semicolons must not become spaces.
  string(REPLACE ";" "," names "${files}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFILES=${names} -DMANIFEST=${manifest} -DOUTPUT=${output} -P ${script}
    DEPENDS ${files} ${manifest} ${script} COMMENT "Embedding device code" VERBATIM)
  # For what other folders make of the files.
  add_custom_target(tfrt_gpu_ptx DEPENDS ${files})
  if(files)
    add_custom_target(update_gpu_entry_points
      COMMAND ${CMAKE_COMMAND} -DFILES=${names} -DMANIFEST=${manifest} -P ${script} DEPENDS ${files} ${script} VERBATIM)
  endif()
endfunction()

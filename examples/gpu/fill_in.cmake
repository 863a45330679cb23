# cmake -DTEMPLATE=program.mlir.in -DOUTPUT=program.mlir -DPTX=a.ptx,b.ptx -DDATA=folder -P fill_in.cmake
# Puts code, images and weights into the program.
cmake_minimum_required(VERSION 3.24)
file(READ ${TEMPLATE} program)

# @CODE a@ is the text of a.ptx as a literal of MLIR that ends with a zero byte, as drivers want code.
string(REPLACE "," ";" files "${PTX}")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} code)
  string(REPLACE "\\" "\\5C" code "${code}")
  string(REPLACE "\"" "\\22" code "${code}")
  string(REPLACE "\t" "\\09" code "${code}")
  string(REPLACE "\n" "\\0A" code "${code}")
  string(REPLACE "@CODE ${name}@" "${code}\\00" program "${program}")
endforeach()

# fill_in(<name> <file> <first byte> <bytes>)
function(fill_in name file first bytes)
  file(READ ${DATA}/${file} hex OFFSET ${first} LIMIT ${bytes} HEX)
  string(REPLACE "@${name}@" "${hex}" program "${program}")
  set(program "${program}" PARENT_SCOPE)
endfunction()
fill_in(IMAGES images.u8 0 28800)
fill_in(W1 weights.f32 0 8192)
fill_in(B1 weights.f32 8192 128)
fill_in(W2 weights.f32 8320 1280)
fill_in(B2 weights.f32 9600 40)

if(program MATCHES "@[A-Z]+[0-9]?( [a-z0-9_]+)?@")
  message(FATAL_ERROR "${TEMPLATE}: nothing to put for ${CMAKE_MATCH_0}")
endif()
file(WRITE ${OUTPUT} "${program}")

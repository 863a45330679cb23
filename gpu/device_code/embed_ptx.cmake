# cmake -DFILES=a.ptx,b.ptx -DMANIFEST=entry_points.txt [-DOUTPUT=modules.cc] -P embed_ptx.cmake
# Writes a C++ source with the texts of PTX files and their entry points, which must be those of the manifest: names
# that the compiler merged or dropped would be missed at run time only. Without OUTPUT writes the manifest instead.
# No files: a source without modules, and the manifest is not looked at.
cmake_minimum_required(VERSION 3.24)
string(REPLACE "," ";" files "${FILES}")

# entries_of(<ptx text> <result>): a list of "name(type, type)", sorted.
function(entries_of text result)
  string(REGEX MATCHALL "\\.visible \\.entry [A-Za-z0-9_]+\\([^)]*\\)" headers "${text}")
  set(entries "")
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "\\.visible \\.entry ([A-Za-z0-9_]+).*" "\\1" name "${header}")
    string(REGEX MATCHALL "\\.param \\.[a-z0-9]+( \\.ptr)?" parameters "${header}")
    list(TRANSFORM parameters REPLACE "\\.param \\.u64 \\.ptr" "ptr")
    list(TRANSFORM parameters REPLACE "\\.param \\." "")
    string(REPLACE ";" " " parameters "${parameters}")
    list(APPEND entries "${name}(${parameters})")
  endforeach()
  list(SORT entries)
  set(${result} "${entries}" PARENT_SCOPE)
endfunction()

set(manifest "# The entry points of device code: for each family its modules, and then NAME_*(parameters as PTX has them): the types
# that * stands for, one entry point for each. Programs launch them by these names. Compared with what the compiler made
# in each build; the target update_gpu_entry_points writes it.
")
set(modules "")  # of the family
set(kinds "")    # of its entry points: their texts in the manifest without the types

# end_family(): adds a family to the manifest.
macro(end_family)
  list(JOIN modules " " line)
  string(APPEND manifest "\n${line}\n")
  list(SORT kinds)
  foreach(kind IN LISTS kinds)
    string(APPEND manifest "  ${kind}:${types_of_${kind}}\n")
    unset(types_of_${kind})
  endforeach()
  set(modules "")
  set(kinds "")
endmacro()

set(source "// Made by embed_ptx.cmake of the modules' PTX.\n#include \"embedded_modules.h\"\n\nnamespace tfrt::gpu {\nnamespace {\n")
set(table "")
foreach(file IN LISTS files)
  get_filename_component(family ${file} NAME_WE)
  file(READ ${file} text)
  entries_of("${text}" entries)
  if(NOT entries)
    message(FATAL_ERROR "${file} has no entry points")
  endif()
  # One module for each type: "unary_f16" is of the family of "unary_f32".
  string(REGEX REPLACE "_[a-z]+[0-9]+$" "" stem ${family})
  if(modules AND NOT stem STREQUAL last_stem)
    end_family()
  endif()
  set(last_stem ${stem})
  list(APPEND modules ${family})
  set(rows "")
  foreach(entry IN LISTS entries)
    string(REGEX MATCH "([^(]*)\\((.*)\\)" ignored "${entry}")
    string(APPEND rows "    {\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\"},\n")
    string(REGEX REPLACE "_[a-z0-9]+\\(" "_*(" kind "${entry}")
    string(REGEX MATCH "_([a-z0-9]+)\\(" ignored "${entry}")
    list(APPEND kinds "${kind}")
    string(APPEND types_of_${kind} " ${CMAKE_MATCH_1}")
  endforeach()
  list(REMOVE_DUPLICATES kinds)
  string(APPEND source "\nconstexpr DeviceEntry k_${family}_entries[] = {\n${rows}};\n"
                       "constexpr char k_${family}_ptx[] = R\"ptx(${text})ptx\";\n")
  string(APPEND table "    {\"${family}\", {k_${family}_ptx, sizeof(k_${family}_ptx) - 1}, k_${family}_entries},\n")
endforeach()
if(modules)
  end_family()
endif()

if(NOT OUTPUT)
  file(WRITE ${MANIFEST} "${manifest}")
  return()
endif()

if(files)
  file(READ ${MANIFEST} expected)
  if(NOT expected STREQUAL manifest)
    file(WRITE ${OUTPUT}.entry_points.txt "${manifest}")
    message(FATAL_ERROR "the entry points of the device code are not those of ${MANIFEST} but those of "
                        "${OUTPUT}.entry_points.txt; if they are meant to be, build the target "
                        "update_gpu_entry_points and commit the file")
  endif()
  string(APPEND source "\nconstexpr DeviceModule kModules[] = {\n${table}};\n\n}  // namespace\n\n"
                       "std::span<const DeviceModule> EmbeddedModules() { return kModules; }\n")
else()
  string(APPEND source "}  // namespace\n\nstd::span<const DeviceModule> EmbeddedModules() { return {}; }\n")
endif()
file(WRITE ${OUTPUT} "${source}\n}  // namespace tfrt::gpu\n")

# The wings of lib/, what each may see (and what that sees), and the libraries of each, low to high. A library is the
# folder lib/<wing>/<library>; it may depend only on the libraries listed here for it, earlier ones of its own wing and
# those of wings that its wing sees. Anything else fails at configure time; test/layering checks the #include lines
# against the same tables, and that each permission is used.

# Values, tasks and events: no tensors, no programs.
set(TFRT_WING_base support tracing async work_queue)
set(TFRT_WING_SEES_base "")
set(TFRT_ALLOWED_DEPS_support "")
set(TFRT_ALLOWED_DEPS_tracing support)
set(TFRT_ALLOWED_DEPS_async support tracing)
set(TFRT_ALLOWED_DEPS_work_queue support tracing async)

# Plain data that both islands read.
set(TFRT_WING_format op_table bef traced_graph)
set(TFRT_WING_SEES_format base)
set(TFRT_ALLOWED_DEPS_op_table support)
set(TFRT_ALLOWED_DEPS_bef support op_table)
set(TFRT_ALLOWED_DEPS_traced_graph support op_table)

# Runs BEF.
set(TFRT_WING_runtime host executor tensor)
set(TFRT_WING_SEES_runtime base format)
set(TFRT_ALLOWED_DEPS_host support bef tracing async work_queue)
set(TFRT_ALLOWED_DEPS_executor support bef tracing async work_queue host)
set(TFRT_ALLOWED_DEPS_tensor support op_table async host)

# Computes: loops on memory and tensors, calls of ops, the ops of the host, kernels that call them.
set(TFRT_WING_ops maths op_call host_ops graph_kernels kernels)
set(TFRT_WING_SEES_ops base format runtime)
set(TFRT_ALLOWED_DEPS_maths support op_table async work_queue host tensor)
set(TFRT_ALLOWED_DEPS_op_call support op_table bef tracing async host tensor)
set(TFRT_ALLOWED_DEPS_host_ops support op_table async host tensor maths op_call)
set(TFRT_ALLOWED_DEPS_graph_kernels support bef tracing async host tensor op_call host_ops)
set(TFRT_ALLOWED_DEPS_kernels support op_table host tensor maths)

# The interface of C++ programs.
set(TFRT_WING_api eager model function)
set(TFRT_WING_SEES_api base format runtime ops)
set(TFRT_ALLOWED_DEPS_eager support op_table tracing async work_queue host tensor op_call host_ops)
set(TFRT_ALLOWED_DEPS_model support bef tracing async host executor tensor op_call)
set(TFRT_ALLOWED_DEPS_function support op_table bef traced_graph async host tensor op_call graph_kernels eager model)

# Serves models to other programs: the models, their requests and batches, and protocols. Never sees MLIR.
set(TFRT_WING_serve http models protocol rpc)
set(TFRT_WING_SEES_serve base format runtime api)
set(TFRT_ALLOWED_DEPS_http support)
set(TFRT_ALLOWED_DEPS_models support traced_graph host tensor model)
set(TFRT_ALLOWED_DEPS_protocol support op_table host tensor model http models)
set(TFRT_ALLOWED_DEPS_rpc support work_queue op_table host tensor model http models)

# Devices other than the host. The library `sim`, an accelerator to test with, sees host at most; `sim_device` brings it
# to the ops.
set(TFRT_WING_devices sim)
set(TFRT_WING_SEES_devices base runtime ops)
set(TFRT_ALLOWED_DEPS_sim support tracing async work_queue host tensor op_call)

# The surface of the original runtime: tensor handles, op handlers, their kernels, the work of bef_executor.
set(TFRT_WING_compat handles corert_kernels tensor_kernels test_kernels all_kernels bef_run)
set(TFRT_WING_SEES_compat base format runtime ops)
set(TFRT_ALLOWED_DEPS_handles support tracing async host tensor op_call)
set(TFRT_ALLOWED_DEPS_corert_kernels support host tensor op_call host_ops graph_kernels handles)
set(TFRT_ALLOWED_DEPS_tensor_kernels support host tensor maths)
set(TFRT_ALLOWED_DEPS_test_kernels support async work_queue host tensor)
set(TFRT_ALLOWED_DEPS_all_kernels kernels tensor_kernels test_kernels)
set(TFRT_ALLOWED_DEPS_bef_run support op_table bef tracing async host executor)

# Events, profiles and what can be read from them. One library of many parts.
set(TFRT_WING_profiler profiler)
set(TFRT_WING_SEES_profiler base)
set(TFRT_ALLOWED_DEPS_profiler support tracing)

# Compiles to BEF. Never sees the runtime. The dialects lie in dialects/.
set(TFRT_WING_compiler onnx dialects compiler)
set(TFRT_WING_SEES_compiler base format)
set(TFRT_ALLOWED_DEPS_onnx support op_table)
set(TFRT_ALLOWED_DEPS_dialects op_table)
set(TFRT_ALLOWED_DEPS_compiler support op_table bef traced_graph onnx dialects)

# The GPU half: gpu_<part> is gpu/<part>.
set(TFRT_WING_gpu gpu_abi gpu_wrapper gpu_device_code gpu_runtime gpu_libraries gpu_tensor gpu_ops gpu_kernels gpu_profiler)
set(TFRT_WING_SEES_gpu base format runtime ops profiler)
set(TFRT_ALLOWED_DEPS_gpu_abi "")
set(TFRT_ALLOWED_DEPS_gpu_wrapper support gpu_abi)
set(TFRT_ALLOWED_DEPS_gpu_device_code support)
set(TFRT_ALLOWED_DEPS_gpu_runtime support tracing async work_queue host gpu_abi gpu_wrapper)
set(TFRT_ALLOWED_DEPS_gpu_libraries support gpu_abi gpu_wrapper gpu_runtime)
set(TFRT_ALLOWED_DEPS_gpu_tensor support async host tensor gpu_abi gpu_runtime)
set(TFRT_ALLOWED_DEPS_gpu_ops
    support op_table tracing async host tensor maths op_call host_ops gpu_abi gpu_device_code gpu_runtime gpu_libraries
    gpu_tensor)
set(TFRT_ALLOWED_DEPS_gpu_kernels
    support op_table async host tensor gpu_abi gpu_wrapper gpu_runtime gpu_libraries gpu_device_code gpu_tensor gpu_ops)
set(TFRT_ALLOWED_DEPS_gpu_profiler support tracing profiler gpu_abi gpu_wrapper)

set(TFRT_WINGS base format runtime ops api serve devices compat profiler compiler gpu)

# Whose the headers of include/tfrt/ are, by folder or file; others are those of the library of their folder's name.
set(TFRT_HEADERS_OF_op_table opinfo)
set(TFRT_HEADERS_OF_host host_context)
set(TFRT_HEADERS_OF_op_call core_runtime)
set(TFRT_HEADERS_OF_graph_kernels core_runtime/graph_kernels.h)
set(TFRT_HEADERS_OF_corert_kernels core_runtime/core_runtime_kernels.h)
set(TFRT_HEADERS_OF_tensor_kernels kernels/tensor_kernels.h)
set(TFRT_HEADERS_OF_test_kernels kernels/test_kernels.h)
set(TFRT_HEADERS_OF_gpu_kernels gpu/kernels)
set(TFRT_HEADERS_OF_gpu_runtime gpu/runtime)

# The maths of kernels does not depend on graphs. Frames, registries and templates that make kernels of functions are
# for bindings.
set(TFRT_HIDDEN_HEADERS_maths
  tfrt/host_context/kernel.h tfrt/host_context/kernel_frame.h tfrt/host_context/kernel_of.h
  tfrt/host_context/kernel_parameters.h tfrt/host_context/kernel_registry.h tfrt/host_context/kernel_traits.h
  tfrt/host_context/value.h)

# Layers and clients that may include Eigen, oneDNN and Highway.
set(TFRT_MATHS_LIBRARY_USERS maths benchmarks test/gpu/vendor)

# The layers of the compiler island; all others are the runtime island. Those that need MLIR.
set(TFRT_COMPILER_LAYERS onnx dialects compiler)
set(TFRT_MLIR_LAYERS dialects compiler)

# Programs above the layers. They see public headers: of the runtime island those of the first list, of the
# compiler and what it may see those of the second. A program in both joins the islands in one process.
set(TFRT_RUNTIME_CLIENTS
  benchmarks
  examples/custom_kernel examples/custom_work_queue examples/digits examples/eager examples/eager_models
  examples/embed_compiler
  examples/embed_eager examples/embed_function examples/embed_model examples/embed_profiler examples/embed_runtime examples/file_types examples/lenet
  examples/minimal_runtime
  examples/read_text examples/simulation examples/training
  python
  tools/bef_executor tools/bef_inspect tools/btf_info tools/list_eager_ops tools/tfrt_prof tools/tfrt_run tools/tfrt_serve)
# The only ones that also see the GPU half.
set(TFRT_GPU_CLIENTS benchmarks/gpu examples/eager examples/gpu python tools/tfrt_gpu_executor tools/tfrt_gpu_plans)
set(TFRT_COMPILER_CLIENTS
  benchmarks/compile_floor.cc
  examples/embed_compiler
  tools/bef_to_mlir tools/mlir_to_bef tools/tfrt_gpu_opt tools/tfrt_import tools/tfrt_lsp_server tools/tfrt_opt
  tools/tfrt_translate)

# The folder of a layer.
function(tfrt_folder_of layer variable)
  set(folder ${layer})
  if(layer MATCHES "^gpu_")
    string(REGEX REPLACE "^gpu_" "gpu/" folder ${layer})
  elseif(NOT layer STREQUAL "dialects")
    foreach(wing IN LISTS TFRT_WINGS)
      if(layer STREQUAL wing OR layer STREQUAL "compiler")
        set(folder lib/${layer})
      elseif(layer IN_LIST TFRT_WING_${wing})
        set(folder lib/${wing}/${layer})
      endif()
    endforeach()
  endif()
  set(${variable} ${folder} PARENT_SCOPE)
endfunction()

# Fails unless a library in the current folder may be part of `layer` and depend on the libraries `ARGN`:
# earlier ones of its own layer, and those of the layers that the table allows.
function(tfrt_check_layer layer library)
  if(NOT DEFINED TFRT_ALLOWED_DEPS_${layer})
    message(FATAL_ERROR "layering: layer '${layer}' has no entry in cmake/TfrtLayers.cmake")
  endif()
  tfrt_folder_of(${layer} layer_folder)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT "${folder}/" MATCHES "^${layer_folder}/")
    message(FATAL_ERROR "layering: library '${library}' of layer '${layer}' is made in '${folder}'")
  endif()
  foreach(dep IN LISTS ARGN)
    if(NOT TARGET tfrt_${dep})
      message(FATAL_ERROR "layering: library '${library}' depends on '${dep}', which no earlier folder makes")
    endif()
    get_target_property(dep_layer tfrt_${dep} TFRT_LAYER)
    if(NOT dep_layer STREQUAL layer AND NOT dep_layer IN_LIST TFRT_ALLOWED_DEPS_${layer})
      message(FATAL_ERROR "layering: library '${library}' of layer '${layer}' may not depend on '${dep}' "
                          "of layer '${dep_layer}' (cmake/TfrtLayers.cmake)")
    endif()
  endforeach()
endfunction()

# Runs when everything is configured: no library of lib/, dialects/ or gpu/ was made, and none was linked, but by
# add_tfrt_library, whose DEPS are checked.
function(tfrt_check_folder folder)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
  if(name MATCHES "^(lib|dialects|gpu)(/|$)")
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      tfrt_check_target(${target})
    endforeach()
  endif()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    tfrt_check_folder(${subfolder})
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL tfrt_check_folder ${PROJECT_SOURCE_DIR})

function(tfrt_check_target target)
  get_target_property(type ${target} TYPE)
  get_target_property(layer ${target} TFRT_LAYER)
  if(type STREQUAL "UTILITY" OR type STREQUAL "EXECUTABLE") # an executable makes sources of the build
    return()
  elseif(NOT layer AND NOT type STREQUAL "MODULE_LIBRARY")
    message(FATAL_ERROR "layering: '${target}' is not made by add_tfrt_library")
  endif()
  get_target_property(links ${target} LINK_LIBRARIES)
  get_target_property(deps ${target} TFRT_DEPS)
  foreach(link IN LISTS links)
    if(link MATCHES "tfrt_mlir|MLIR|LLVM")
      if(NOT layer IN_LIST TFRT_MLIR_LAYERS)
        message(FATAL_ERROR "layering: '${target}' of layer '${layer}' links ${link}")
      endif()
    elseif(link MATCHES "tfrt(_|::)" AND NOT link IN_LIST deps)
      message(FATAL_ERROR "layering: '${target}' links ${link}, which is not among its DEPS")
    endif()
  endforeach()
endfunction()

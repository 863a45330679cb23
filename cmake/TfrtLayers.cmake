# The layer order, low to high. A layer may depend only on the layers listed here for it; anything else
# fails at configure time. test/layering checks the #include lines against the same table.
# A layer is the folder lib/<layer> (or dialects) with include/tfrt/<layer>, and one or more libraries; gpu_<part> is
# gpu/<part> with gpu/include/tfrt/gpu/<part>.
# kernel_maths: plain functions on memory, tensors and shapes; kernels: the graph kernels that call them.

set(TFRT_ALLOWED_DEPS_support "")
set(TFRT_ALLOWED_DEPS_opinfo support)
set(TFRT_ALLOWED_DEPS_bef support opinfo)
set(TFRT_ALLOWED_DEPS_recorded_graph support opinfo)
set(TFRT_ALLOWED_DEPS_tracing support)
set(TFRT_ALLOWED_DEPS_async support tracing)
set(TFRT_ALLOWED_DEPS_work_queue support tracing async)
set(TFRT_ALLOWED_DEPS_host_context support bef tracing async work_queue)
set(TFRT_ALLOWED_DEPS_executor support opinfo bef tracing async work_queue host_context)
set(TFRT_ALLOWED_DEPS_tensor support opinfo bef tracing async work_queue host_context)
set(TFRT_ALLOWED_DEPS_kernel_maths support opinfo bef tracing async work_queue host_context tensor)
set(TFRT_ALLOWED_DEPS_kernels support opinfo bef tracing async work_queue host_context tensor kernel_maths)
set(TFRT_ALLOWED_DEPS_core_runtime support opinfo bef tracing async work_queue host_context tensor kernel_maths)
set(TFRT_ALLOWED_DEPS_eager support opinfo tracing async work_queue host_context tensor kernel_maths core_runtime)
set(TFRT_ALLOWED_DEPS_model support opinfo bef tracing async work_queue host_context executor tensor core_runtime)
set(TFRT_ALLOWED_DEPS_function support opinfo bef recorded_graph tracing async work_queue host_context executor tensor core_runtime
  eager model)
# Its library `sim`, the accelerator, sees host_context at most; `sim_device` brings it to the ops.
set(TFRT_ALLOWED_DEPS_profiler support opinfo tracing)
set(TFRT_ALLOWED_DEPS_sim support opinfo bef tracing async work_queue host_context tensor kernel_maths core_runtime)
set(TFRT_ALLOWED_DEPS_driver support opinfo bef tracing async work_queue host_context executor tensor kernel_maths kernels core_runtime)
set(TFRT_ALLOWED_DEPS_gpu_abi support)
set(TFRT_ALLOWED_DEPS_gpu_wrapper support gpu_abi)
# The library that takes the driver's place in tests shares only the declarations with the code under test.
set(TFRT_ALLOWED_DEPS_gpu_double support gpu_abi)
set(TFRT_ALLOWED_DEPS_gpu_device support gpu_abi)
set(TFRT_ALLOWED_DEPS_gpu_runtime support opinfo tracing async work_queue host_context gpu_abi gpu_wrapper gpu_device)
set(TFRT_ALLOWED_DEPS_gpu_tensor support opinfo async host_context tensor gpu_abi gpu_runtime)
set(TFRT_ALLOWED_DEPS_gpu_kernels support opinfo bef tracing async work_queue host_context tensor core_runtime gpu_abi gpu_wrapper gpu_device gpu_runtime gpu_tensor)
set(TFRT_ALLOWED_DEPS_gpu_profiler support tracing profiler gpu_abi gpu_wrapper gpu_runtime)
set(TFRT_ALLOWED_DEPS_onnx support opinfo)
set(TFRT_ALLOWED_DEPS_dialects support opinfo bef)
set(TFRT_ALLOWED_DEPS_compiler support opinfo bef recorded_graph onnx dialects)

# The maths of kernels does not depend on graphs. Frames, registries and templates that make kernels of functions are
# for bindings.
set(TFRT_HIDDEN_HEADERS_kernel_maths
  tfrt/host_context/kernel.h tfrt/host_context/kernel_frame.h tfrt/host_context/kernel_of.h
  tfrt/host_context/kernel_parameters.h tfrt/host_context/kernel_registry.h tfrt/host_context/kernel_traits.h
  tfrt/host_context/value.h)

# Layers and clients that may include Eigen and oneDNN.
set(TFRT_MATHS_LIBRARY_USERS kernel_maths benchmarks)

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
  examples/read_text examples/training
  python
  tools/bef_executor tools/bef_inspect tools/btf_info tools/list_eager_ops tools/tfrt_prof tools/tfrt_run)
# The only ones that also see the GPU half.
set(TFRT_GPU_CLIENTS benchmarks/gpu examples/gpu tools/tfrt_gpu_executor)
set(TFRT_COMPILER_CLIENTS
  benchmarks/compile_floor.cc
  examples/embed_compiler
  tools/bef_to_mlir tools/mlir_to_bef tools/tfrt_gpu_opt tools/tfrt_import tools/tfrt_lsp_server tools/tfrt_opt
  tools/tfrt_translate)

# Fails unless a library in the current folder may be part of `layer` and depend on the libraries `ARGN`:
# earlier ones of its own layer, and those of the layers that the table allows.
function(tfrt_check_layer layer library)
  if(NOT DEFINED TFRT_ALLOWED_DEPS_${layer})
    message(FATAL_ERROR "layering: layer '${layer}' has no entry in cmake/TfrtLayers.cmake")
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REGEX REPLACE "^gpu_" "gpu/" layer_folder ${layer})
  if(NOT "${folder}/" MATCHES "^(lib/)?${layer_folder}/")
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
# add_tfrt_library, whose DEPS are checked. gpu/double makes libraries of its own kind: what replaces others at run time.
function(tfrt_check_folder folder)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
  if(name MATCHES "^(lib|dialects|gpu)(/|$)" AND NOT name MATCHES "^gpu/double(/|$)")
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

# The layer order. A tfrt library may depend only on the libraries listed here for it; anything
# else fails at configure time. test/layering checks the #include lines against the same table.

set(TFRT_ALLOWED_DEPS_support "")
set(TFRT_ALLOWED_DEPS_opinfo support)
set(TFRT_ALLOWED_DEPS_bef support)
set(TFRT_ALLOWED_DEPS_async support)
set(TFRT_ALLOWED_DEPS_host_context support bef async)
set(TFRT_ALLOWED_DEPS_executor support opinfo bef async host_context)
set(TFRT_ALLOWED_DEPS_tensor support bef async host_context)
set(TFRT_ALLOWED_DEPS_kernels support opinfo bef async host_context tensor)
set(TFRT_ALLOWED_DEPS_core_runtime support opinfo bef async host_context tensor kernels)
set(TFRT_ALLOWED_DEPS_eager support async host_context tensor kernels core_runtime)
set(TFRT_ALLOWED_DEPS_tracing support async host_context)
set(TFRT_ALLOWED_DEPS_driver support opinfo bef async host_context executor tensor kernels core_runtime tracing)
set(TFRT_ALLOWED_DEPS_dialects support opinfo bef)
set(TFRT_ALLOWED_DEPS_compiler support opinfo bef dialects)

# The layers that need MLIR; all others are the runtime island.
set(TFRT_COMPILER_LAYERS dialects compiler)

function(tfrt_check_layer library)
  if(NOT DEFINED TFRT_ALLOWED_DEPS_${library})
    message(FATAL_ERROR "library '${library}' has no entry in cmake/TfrtLayers.cmake")
  endif()
  foreach(dep IN LISTS ARGN)
    if(NOT dep IN_LIST TFRT_ALLOWED_DEPS_${library})
      message(FATAL_ERROR
        "layering: tfrt library '${library}' may not depend on '${dep}' (cmake/TfrtLayers.cmake)")
    endif()
  endforeach()
endfunction()

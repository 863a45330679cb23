// The ops of the tfrt_gpu dialect, by group.
#ifndef TFRT_DIALECTS_TFRT_GPU_TFRT_GPU_OPS
#define TFRT_DIALECTS_TFRT_GPU_TFRT_GPU_OPS

include "dialects/tfrt_gpu/blas_ops.td"
include "dialects/tfrt_gpu/ccl_ops.td"
include "dialects/tfrt_gpu/device_ops.td"
include "dialects/tfrt_gpu/dnn_ops.td"
include "dialects/tfrt_gpu/fft_ops.td"
include "dialects/tfrt_gpu/memory_ops.td"
include "dialects/tfrt_gpu/module_ops.td"
include "dialects/tfrt_gpu/solver_ops.td"
include "dialects/tfrt_gpu/streamify_op.td"

#endif

// Cholesky factors.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_translate -mlir-to-bef %s | tfrt_gpu_translate -bef-to-mlir | FileCheck %s
// The types of enumerations lose their signs in version 0 of the format.
// RUN: mlir_to_bef -v0-exact %s | bef_to_mlir | FileCheck %s

// CHECK-LABEL: func.func @cholesky(%arg0: !tfrt_gpu.context, %arg1: !tfrt_gpu.allocator, %arg2: !tfrt_gpu.stream, %arg3: !tfrt_gpu.buffer, %arg4: !tfrt_gpu.buffer, %arg5: !tfrt.chain) -> !tfrt.chain {
func.func @cholesky(%ctx: !tfrt_gpu.context, %al: !tfrt_gpu.allocator, %s: !tfrt_gpu.stream, %a: !tfrt_gpu.buffer, %info: !tfrt_gpu.buffer, %c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: %0 = tfrt_gpu.solver.create %arg0{{$}}
  %h = tfrt_gpu.solver.create %ctx
  // CHECK-NEXT: %1 = tfrt.constant.i32 5{{$}}
  %n = tfrt.constant.i32 5
  // CHECK-NEXT: %2 = tfrt.constant.i32 3{{$}}
  %k = tfrt.constant.i32 3
  // CHECK-NEXT: %3 = tfrt_gpu.solver.potrf.buffer_size %0, %arg2, CUBLAS_FILL_MODE_UPPER, %1, CUDA_R_64F, %1, %arg5{{$}}
  %size = tfrt_gpu.solver.potrf.buffer_size %h, %s, CUBLAS_FILL_MODE_UPPER, %n, CUDA_R_64F, %n, %c0
  // CHECK-NEXT: %4 = tfrt_gpu.mem.allocate %arg1, %arg2, %3, %arg5{{$}}
  %ws = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  // CHECK-NEXT: %5 = tfrt_gpu.solver.potrf %0, %arg2, CUBLAS_FILL_MODE_UPPER, %1, CUDA_R_64F, %arg3, %1, %4, %arg4, %arg5{{$}}
  %c1 = tfrt_gpu.solver.potrf %h, %s, CUBLAS_FILL_MODE_UPPER, %n, CUDA_R_64F, %a, %n, %ws, %info, %c0
  // CHECK-NEXT: %6 = tfrt_gpu.solver.potrf.batch %0, %arg2, CUBLAS_FILL_MODE_LOWER, %1, CUDA_R_32F, %arg3, %1, %arg4, %2, %5{{$}}
  %c2 = tfrt_gpu.solver.potrf.batch %h, %s, CUBLAS_FILL_MODE_LOWER, %n, CUDA_R_32F, %a, %n, %info, %k, %c1
  // CHECK-NEXT: tfrt.return %6 : !tfrt.chain{{$}}
  tfrt.return %c2 : !tfrt.chain
// CHECK-NEXT: }
}

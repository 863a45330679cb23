// Linear algebra.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_translate -mlir-to-bef %s | tfrt_gpu_translate -bef-to-mlir | FileCheck %s
// The types of enumerations lose their signs in version 0 of the format.
// RUN: mlir_to_bef -v0-exact %s | bef_to_mlir | FileCheck %s

// CHECK-LABEL: func.func @blas(%arg0: !tfrt_gpu.context, %arg1: !tfrt_gpu.stream, %arg2: !tfrt_gpu.buffer, %arg3: !tfrt_gpu.buffer, %arg4: !tfrt_gpu.buffer, %arg5: !tfrt.chain) -> !tfrt.chain {
func.func @blas(%ctx: !tfrt_gpu.context, %s: !tfrt_gpu.stream, %p: !tfrt_gpu.buffer, %q: !tfrt_gpu.buffer, %r: !tfrt_gpu.buffer, %c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: %0 = tfrt_gpu.blas.create %arg0{{$}}
  %h = tfrt_gpu.blas.create %ctx
  // CHECK-NEXT: %1 = tfrt.constant.i32 6{{$}}
  %n = tfrt.constant.i32 6
  // CHECK-NEXT: %2 = tfrt.constant.i32 1{{$}}
  %one = tfrt.constant.i32 1
  // CHECK-NEXT: %3 = tfrt.constant.i64 36{{$}}
  %far = tfrt.constant.i64 36
  // CHECK-NEXT: %4 = tfrt.constant.f32 2.000000e+00{{$}}
  %a = tfrt.constant.f32 2.0
  // CHECK-NEXT: %5 = tfrt.constant.f64 5.000000e-01{{$}}
  %z = tfrt.constant.f64 0.5
  // CHECK-NEXT: %6 = tfrt_gpu.blas.axpy %0, %arg1, %1, %4, CUDA_R_32F, %arg2, CUDA_R_32F, %2, %arg3, CUDA_R_32F, %2, CUDA_R_32F, %arg5{{$}}
  %c1 = tfrt_gpu.blas.axpy %h, %s, %n, %a, CUDA_R_32F, %p, CUDA_R_32F, %one, %q, CUDA_R_32F, %one, CUDA_R_32F, %c0
  // CHECK-NEXT: %7 = tfrt_gpu.blas.scal %0, %arg1, %1, %5, CUDA_R_64F, %arg4, CUDA_R_64F, %2, CUDA_R_64F, %6{{$}}
  %c2 = tfrt_gpu.blas.scal %h, %s, %n, %z, CUDA_R_64F, %r, CUDA_R_64F, %one, CUDA_R_64F, %c1
  // CHECK-NEXT: %8 = tfrt_gpu.blas.gemm.algo CUBLAS_GEMM_DEFAULT_TENSOR_OP{{$}}
  %best = tfrt_gpu.blas.gemm.algo CUBLAS_GEMM_DEFAULT_TENSOR_OP
  // CHECK-NEXT: %9 = tfrt_gpu.blas.gemm %0, %arg1, CUBLAS_OP_N, CUBLAS_OP_T, %1, %1, %1, %4, %arg2, CUDA_R_16F, %1, %arg3, CUDA_R_16F, %1, %4, %arg4, CUDA_R_32F, %1, CUBLAS_COMPUTE_32F, %8, %7{{$}}
  %c3 = tfrt_gpu.blas.gemm %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n, %n, %n, %a, %p, CUDA_R_16F, %n, %q, CUDA_R_16F, %n, %a, %r, CUDA_R_32F, %n, CUBLAS_COMPUTE_32F, %best, %c2
  // CHECK-NEXT: %10 = tfrt_gpu.blas.gemm.batch %0, %arg1, CUBLAS_OP_C, CUBLAS_OP_N, %1, %1, %1, %5, %arg2, CUDA_R_64F, %1, %3, %arg3, CUDA_R_64F, %1, %3, %5, %arg4, CUDA_R_64F, %1, %3, %2, CUBLAS_COMPUTE_64F, %8, %9{{$}}
  %c4 = tfrt_gpu.blas.gemm.batch %h, %s, CUBLAS_OP_C, CUBLAS_OP_N, %n, %n, %n, %z, %p, CUDA_R_64F, %n, %far, %q, CUDA_R_64F, %n, %far, %z, %r, CUDA_R_64F, %n, %far, %one, CUBLAS_COMPUTE_64F, %best, %c3
  // CHECK-NEXT: %11 = tfrt_gpu.blas.trsm.batch %0, %arg1, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, %1, %1, CUDA_R_64F, %5, %arg2, %1, %arg3, %1, %2, %10{{$}}
  %c5 = tfrt_gpu.blas.trsm.batch %h, %s, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, %n, %n, CUDA_R_64F, %z, %p, %n, %q, %n, %one, %c4
  // CHECK-NEXT: %12 = tfrt_gpu.blas.lt_matmul %0, %arg1, CUBLAS_OP_N, CUBLAS_OP_T, %1, %1, %1, %4, %arg2, CUDA_R_16F, %1, %arg3, CUDA_R_16F, %1, %4, %arg4, CUDA_R_32F, %1, CUBLAS_COMPUTE_32F, "none", %11{{$}}
  %c6 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n, %n, %n, %a, %p, CUDA_R_16F, %n, %q, CUDA_R_16F, %n, %a, %r, CUDA_R_32F, %n, CUBLAS_COMPUTE_32F, "none", %c5
  // CHECK-NEXT: %13 = tfrt_gpu.blas.lt_matmul %0, %arg1, CUBLAS_OP_T, CUBLAS_OP_N, %1, %1, %1, %4, %arg2, CUDA_R_32F, %1, %arg3, CUDA_R_32F, %1, %4, %arg4, CUDA_R_32F, %1, CUBLAS_COMPUTE_32F_FAST_TF32, "relu_bias", %12, bias(%arg3){{$}}
  %c7 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_T, CUBLAS_OP_N, %n, %n, %n, %a, %p, CUDA_R_32F, %n, %q, CUDA_R_32F, %n, %a, %r, CUDA_R_32F, %n, CUBLAS_COMPUTE_32F_FAST_TF32, "relu_bias", %c6, bias(%q)
  // CHECK-NEXT: tfrt.return %13 : !tfrt.chain{{$}}
  tfrt.return %c7 : !tfrt.chain
// CHECK-NEXT: }
}

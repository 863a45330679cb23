// Scalars of types that the custom form cannot have: printed in generic form, and so read back.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: mlir_to_bef %s | bef_to_mlir | FileCheck %s

// CHECK-LABEL: func.func @complex_product
func.func @complex_product(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: complex<f32>, %p: !tfrt_gpu.buffer, %g: !tfrt_gpu.blas.gemm.algo, %c: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: "tfrt_gpu.blas.gemm"(%arg0, %arg1, %arg2, %arg2, %arg2, %arg3, %arg4, %arg2, %arg4, %arg2, %arg3, %arg4, %arg2, %arg5, %arg6) <{computeType = 273 : si32, transA = 1 : si32, transB = 5 : si32, typeA = 17 : si32, typeB = 17 : si32, typeC = 17 : si32}> : (!tfrt_gpu.blas.handle, !tfrt_gpu.stream, i32, i32, i32, complex<f32>, !tfrt_gpu.buffer, i32, !tfrt_gpu.buffer, i32, complex<f32>, !tfrt_gpu.buffer, i32, !tfrt_gpu.blas.gemm.algo, !tfrt.chain) -> !tfrt.chain
  %0 = "tfrt_gpu.blas.gemm"(%h, %s, %n, %n, %n, %a, %p, %n, %p, %n, %a, %p, %n, %g, %c) <{computeType = 273 : si32, transA = 1 : si32, transB = 5 : si32, typeA = 17 : si32, typeB = 17 : si32, typeC = 17 : si32}> : (!tfrt_gpu.blas.handle, !tfrt_gpu.stream, i32, i32, i32, complex<f32>, !tfrt_gpu.buffer, i32, !tfrt_gpu.buffer, i32, complex<f32>, !tfrt_gpu.buffer, i32, !tfrt_gpu.blas.gemm.algo, !tfrt.chain) -> !tfrt.chain
  tfrt.return %0 : !tfrt.chain
}

// Types that follow from the enumeration: every kind of them.
// CHECK-LABEL: func.func @implied
func.func @implied(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %f16: f16, %f64: f64, %c32: complex<f32>, %si32: si32, %p: !tfrt_gpu.buffer, %g: !tfrt_gpu.blas.gemm.algo, %c: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: tfrt_gpu.blas.scal %arg0, %arg1, %arg2, %arg3, CUDA_R_16F, %arg7, CUDA_R_16F, %arg2, CUDA_R_16F, %arg9
  %0 = tfrt_gpu.blas.scal %h, %s, %n, %f16, CUDA_R_16F, %p, CUDA_R_16F, %n, CUDA_R_16F, %c
  // CHECK-NEXT: tfrt_gpu.blas.scal %arg0, %arg1, %arg2, %arg5, CUDA_C_32F,
  %1 = tfrt_gpu.blas.scal %h, %s, %n, %c32, CUDA_C_32F, %p, CUDA_C_32F, %n, CUDA_C_32F, %0
  // CHECK-NEXT: tfrt_gpu.blas.scal %arg0, %arg1, %arg2, %arg4, rocblas_datatype_f64_r,
  %2 = tfrt_gpu.blas.scal %h, %s, %n, %f64, rocblas_datatype_f64_r, %p, rocblas_datatype_f64_r, %n, rocblas_datatype_f64_r, %1
  // CHECK-NEXT: tfrt_gpu.blas.gemm {{.*}}, CUBLAS_COMPUTE_32I, %arg8, %2
  %3 = tfrt_gpu.blas.gemm %h, %s, CUBLAS_OP_N, CUBLAS_OP_HERMITAN, %n, %n, %n, %si32, %p, CUDA_R_8I, %n, %p, CUDA_R_8I, %n, %si32, %p, CUDA_R_32I, %n, CUBLAS_COMPUTE_32I, %g, %2
  // CHECK-NEXT: tfrt_gpu.blas.gemm {{.*}}, rocblas_datatype_f16_r, %arg8, %3
  %4 = tfrt_gpu.blas.gemm %h, %s, rocblas_operation_none, rocblas_operation_transpose, %n, %n, %n, %f16, %p, rocblas_datatype_f16_r, %n, %p, rocblas_datatype_f16_r, %n, %f16, %p, rocblas_datatype_f16_r, %n, rocblas_datatype_f16_r, %g, %3
  tfrt.return %4 : !tfrt.chain
}

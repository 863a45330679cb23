// Numbers without a name can be seen but not read, but for the generic form.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// RUN: not sh -c "tfrt_gpu_opt %s | tfrt_gpu_opt" 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK-LABEL: func.func @nameless
func.func @nameless() {
  // ERROR: error: custom op 'tfrt_gpu.blas.gemm.algo' Unknown cublasGemmAlgo_t: cublasGemmAlgo_t
  // CHECK-NEXT: tfrt_gpu.blas.gemm.algo cublasGemmAlgo_t(-2){{$}}
  %0 = "tfrt_gpu.blas.gemm.algo"() <{algo = -7 : si32}> : () -> !tfrt_gpu.blas.gemm.algo
  // CHECK-NEXT: tfrt_gpu.blas.gemm.algo rocblas_gemm_algo(7){{$}}
  %1 = "tfrt_gpu.blas.gemm.algo"() <{algo = 30 : si32}> : () -> !tfrt_gpu.blas.gemm.algo
  // Of no platform.
  // CHECK-NEXT: tfrt_gpu.blas.gemm.algo BlasGemmAlgo(3){{$}}
  %2 = "tfrt_gpu.blas.gemm.algo"() <{algo = 3 : si32}> : () -> !tfrt_gpu.blas.gemm.algo
  // CHECK-NEXT: tfrt_gpu.dnn.convolution_forward_algorithm DnnConvFwdAlgo(18446744073709551615){{$}}
  %3 = "tfrt_gpu.dnn.convolution_forward_algorithm"() <{algo = 18446744073709551615 : ui64}> : () -> !tfrt_gpu.dnn.convolution.algorithm
  // CHECK-NEXT: tfrt_gpu.dnn.convolution_forward_algorithm cudnnConvolutionFwdAlgo_t(9){{$}}
  %4 = "tfrt_gpu.dnn.convolution_forward_algorithm"() <{algo = 37 : ui64}> : () -> !tfrt_gpu.dnn.convolution.algorithm
  // CHECK-NEXT: tfrt_gpu.ccl.unique_id Platform(-1){{$}}
  %5 = "tfrt_gpu.ccl.unique_id"() <{platform = -1 : si32}> : () -> !tfrt_gpu.ccl.id
  tfrt.return
}

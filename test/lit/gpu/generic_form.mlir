// Enumerations in generic form: integers, with a sign or without. Both read; what the custom form makes has one.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @devices
func.func @devices(%n: i32) {
  // CHECK-NEXT: tfrt_gpu.device.get CUDA, %arg0{{$}}
  // GENERIC: "tfrt_gpu.device.get"(%arg0) <{platform = 1 : si32}> : (i32) -> !tfrt_gpu.device
  %0 = "tfrt_gpu.device.get"(%n) <{platform = 1 : si32}> : (i32) -> !tfrt_gpu.device
  // CHECK-NEXT: tfrt_gpu.device.get ROCm, %arg0{{$}}
  // GENERIC: <{platform = 2 : si32}>
  %1 = "tfrt_gpu.device.get"(%n) {platform = 2 : si32} : (i32) -> !tfrt_gpu.device
  // CHECK-NEXT: tfrt_gpu.device.get NONE, %arg0{{$}}
  // GENERIC: <{platform = 0 : si32}>
  %2 = "tfrt_gpu.device.get"(%n) {platform = 0 : i32} : (i32) -> !tfrt_gpu.device
  // Attributes of programs stay, in a dictionary of their own.
  // CHECK-NEXT: tfrt_gpu.device.get CUDA, %arg0 {note = "x"}
  // GENERIC: <{platform = 1 : si32}> {note = "x"}
  %3 = "tfrt_gpu.device.get"(%n) {note = "x", platform = 1 : si32} : (i32) -> !tfrt_gpu.device
  tfrt.return
}

// CHECK-LABEL: func.func @algorithms
func.func @algorithms() {
  // CHECK-NEXT: tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_GEMM
  // GENERIC: <{algo = 9 : ui64}>
  %0 = "tfrt_gpu.dnn.convolution_forward_algorithm"() <{algo = 9 : ui64}> : () -> !tfrt_gpu.dnn.convolution.algorithm
  // CHECK-NEXT: tfrt_gpu.dnn.convolution_forward_algorithm 5{{$}}
  // GENERIC: <{algo = 22 : ui64}>
  %1 = "tfrt_gpu.dnn.convolution_forward_algorithm"() <{algo = 22 : ui64}> : () -> !tfrt_gpu.dnn.convolution.algorithm
  // CHECK-NEXT: tfrt_gpu.dnn.convolution_backward_filter_algorithm 4611686018427387903{{$}}
  // GENERIC: <{algo = 18446744073709551614 : ui64}>
  %2 = tfrt_gpu.dnn.convolution_backward_filter_algorithm 4611686018427387903
  // CHECK-NEXT: tfrt_gpu.blas.gemm.algo CUBLAS_GEMM_DEFAULT{{$}}
  // GENERIC: <{algo = -3 : si32}>
  %3 = "tfrt_gpu.blas.gemm.algo"() <{algo = -3 : si32}> : () -> !tfrt_gpu.blas.gemm.algo
  tfrt.return
}

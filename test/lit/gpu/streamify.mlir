// The op of compile time.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s

// CHECK-LABEL: func.func @region(%arg0: !gpu.async.token) -> (f32, !gpu.async.token) {
func.func @region(%t: !gpu.async.token) -> (f32, !gpu.async.token) {
  // CHECK-NEXT: %0:2 = tfrt_gpu.streamify async [%arg0] attributes {hint} {
  %v, %u = tfrt_gpu.streamify async [%t] attributes {hint} {
  // CHECK-NEXT: ^bb0(%arg1: !tfrt.chain, %arg2: !tfrt_gpu.stream):{{$}}
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    // CHECK-NEXT: %1 = tfrt_gpu.stream.synchronize %arg2, %arg1{{$}}
    %c1 = tfrt_gpu.stream.synchronize %s, %c
    // CHECK-NEXT: %2 = tfrt.constant.f32 4.000000e+00{{$}}
    %x = tfrt.constant.f32 4.0
    // CHECK-NEXT: tfrt.return %1, %2 : !tfrt.chain, f32{{$}}
    tfrt.return %c1, %x : !tfrt.chain, f32
  // CHECK-NEXT: } : f32{{$}}
  } : f32
  // CHECK-NEXT: tfrt_gpu.streamify {
  tfrt_gpu.streamify {
  // CHECK-NEXT: ^bb0(%arg1: !tfrt.chain, %arg2: !tfrt_gpu.stream):{{$}}
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    // CHECK-NEXT: tfrt.return %arg1 : !tfrt.chain{{$}}
    tfrt.return %c : !tfrt.chain
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: tfrt.return %0#0, %0#1 : f32, !gpu.async.token{{$}}
  tfrt.return %v, %u : f32, !gpu.async.token
// CHECK-NEXT: }
}

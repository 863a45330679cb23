// Passes in a row.
// RUN: tfrt_gpu_opt %s -gpu-tfrt-streamify -cast-tfrt-streamify | FileCheck %s --check-prefixes=CHECK,TWO
// The pipeline does this, too, and then calls all functions of a context ahead.
// RUN: tfrt_gpu_opt %s -gpu-to-tfrt-gpu | FileCheck %s --check-prefixes=CHECK,ALL

// CHECK: module attributes {gpu.container_module} {
module attributes {gpu.container_module} {
  // CHECK-NEXT: func.func @table(%arg0: !tfrt_gpu.context) -> !tfrt_gpu.buffer {
  // CHECK:        tfrt.return
  // CHECK-NEXT: }
  memref.global @table : memref<2xf32> = dense<[0.5, 2.0]>
  // CHECK-NEXT: func.func @code(%arg0: !tfrt_gpu.context) -> !tfrt_gpu.module {
  // CHECK-NEXT:   %0 = tfrt_gpu.module.load %arg0 {data = "image\00"}
  // CHECK-NEXT:   tfrt.return %0 : !tfrt_gpu.module
  // CHECK-NEXT: }
  gpu.module @code attributes {binary = "image"} { gpu.func @k(%p: memref<2xf32>) kernel { gpu.return } }
  // CHECK-NEXT: func.func @run(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream) -> !tfrt.chain {
  // CHECK-NEXT:   %0 = tfrt_gpu.stream.get_context %arg1
  // CHECK-NEXT:   %1 = tfrt.once @table(%0) : (!tfrt_gpu.context) -> (!tfrt_gpu.buffer)
  // CHECK-NEXT:   %2 = tfrt.once @code(%0) : (!tfrt_gpu.context) -> (!tfrt_gpu.module)
  // CHECK-NEXT:   %3 = tfrt_gpu.module.get_function %2 {name = "k"}
  // CHECK-NEXT:   %4 = tfrt.constant.ui32 0
  // CHECK-NEXT:   %5 = tfrt.constant.ui64 64
  // CHECK-NEXT:   %6 = tfrt_gpu.function.launch %arg1, %3, blocks in (%5, %5, %5), threads in (%5, %5, %5), %4, %arg0, args(%1) : (!tfrt_gpu.buffer)
  // CHECK-NEXT:   tfrt.return %6 : !tfrt.chain
  // CHECK-NEXT: }
  // TWO-NEXT: }
  // ALL-NEXT: func.func @tfrt_gpu_preload_resources(%arg0: !tfrt_gpu.context) -> !tfrt.chain {
  // ALL-NEXT:   %0 = tfrt.once @table(%arg0) : (!tfrt_gpu.context) -> (!tfrt_gpu.buffer)
  // ALL-NEXT:   %1 = tfrt.once @code(%arg0) : (!tfrt_gpu.context) -> (!tfrt_gpu.module)
  // ALL-NEXT:   %2 = tfrt.merge.chains %0, %1 : !tfrt_gpu.buffer, !tfrt_gpu.module
  // ALL-NEXT:   tfrt.return %2 : !tfrt.chain
  func.func @run(%c: !tfrt.chain, %s: !tfrt_gpu.stream) -> !tfrt.chain {
    %n = arith.constant 64 : index
    %t0 = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
    %g = memref.get_global @table : memref<2xf32>
    %t1 = gpu.launch_func async [%t0] @code::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%g : memref<2xf32>)
    %c1, %s1 = builtin.unrealized_conversion_cast %t1 : !gpu.async.token to !tfrt.chain, !tfrt_gpu.stream
    tfrt.return %c1 : !tfrt.chain
  }
}

// Casts vanish, or become kernels.
// RUN: tfrt_gpu_opt %s -cast-tfrt-streamify | FileCheck %s

// CHECK-LABEL: func.func @mark(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream) -> (!tfrt.chain, !tfrt_gpu.event) {
func.func @mark(%c: !tfrt.chain, %s: !tfrt_gpu.stream) -> (!tfrt.chain, !tfrt_gpu.event) {
  // CHECK-NEXT: %0 = tfrt_gpu.stream.get_context %arg1
  // CHECK-NEXT: %1 = tfrt_gpu.event.create %0
  // CHECK-NEXT: %2 = tfrt_gpu.event.record %1, %arg1, %arg0
  // CHECK-NEXT: tfrt.return %2, %1 : !tfrt.chain, !tfrt_gpu.event
  %t = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  %c1, %e = builtin.unrealized_conversion_cast %t : !gpu.async.token to !tfrt.chain, !tfrt_gpu.event
  tfrt.return %c1, %e : !tfrt.chain, !tfrt_gpu.event
}

// The first context that the function has is taken if it comes before.
// CHECK-LABEL: func.func @contexts(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream, %arg2: !tfrt_gpu.stream) -> (!tfrt_gpu.event, !tfrt_gpu.event) {
func.func @contexts(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %r: !tfrt_gpu.stream) -> (!tfrt_gpu.event, !tfrt_gpu.event) {
  // CHECK-NEXT: %0 = tfrt_gpu.stream.get_context %arg1
  // CHECK-NEXT: %1 = tfrt_gpu.event.create %0
  // CHECK-NEXT: %2 = tfrt_gpu.event.record %1, %arg2, %arg0
  // CHECK-NEXT: %3 = tfrt_gpu.stream.get_context %arg2
  // CHECK-NEXT: %4 = tfrt_gpu.event.create %0
  // CHECK-NEXT: %5 = tfrt_gpu.event.record %4, %arg2, %arg0
  // CHECK-NEXT: tfrt.return %1, %4
  %t = builtin.unrealized_conversion_cast %c, %r : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  %c1, %e = builtin.unrealized_conversion_cast %t : !gpu.async.token to !tfrt.chain, !tfrt_gpu.event
  %x = tfrt_gpu.stream.get_context %r
  %c2, %f = builtin.unrealized_conversion_cast %t : !gpu.async.token to !tfrt.chain, !tfrt_gpu.event
  tfrt.return %e, %f : !tfrt_gpu.event, !tfrt_gpu.event
}

// CHECK-LABEL: func.func @numbers() -> (i32, i64, ui32, ui64, i64) {
func.func @numbers() -> (i32, i64, ui32, ui64, i64) {
  %n = arith.constant 7 : index
  %m = arith.constant -7 : index
  // CHECK-NEXT: %0 = tfrt.constant.i32 7
  %0 = builtin.unrealized_conversion_cast %n : index to i32
  // CHECK-NEXT: %1 = tfrt.constant.i64 7
  %1 = builtin.unrealized_conversion_cast %n : index to i64
  // CHECK-NEXT: %2 = tfrt.constant.ui32 7
  %2 = builtin.unrealized_conversion_cast %n : index to ui32
  // CHECK-NEXT: %3 = tfrt.constant.ui64 7
  %3 = builtin.unrealized_conversion_cast %n : index to ui64
  // CHECK-NEXT: %4 = tfrt.constant.i64 -7
  %4 = builtin.unrealized_conversion_cast %m : index to i64
  // CHECK-NEXT: tfrt.return %0, %1, %2, %3, %4
  tfrt.return %0, %1, %2, %3, %4 : i32, i64, ui32, ui64, i64
}

// There and back, also twice, and in a region; what nothing uses.
// CHECK-LABEL: func.func @folds(%arg0: !tfrt_gpu.buffer, %arg1: memref<4xi8>, %arg2: !tfrt.chain, %arg3: !tfrt_gpu.event) -> !tfrt_gpu.buffer {
func.func @folds(%b: !tfrt_gpu.buffer, %unused: memref<4xi8>, %c: !tfrt.chain, %e: !tfrt_gpu.event) -> !tfrt_gpu.buffer {
  %m = builtin.unrealized_conversion_cast %b : !tfrt_gpu.buffer to memref<4xi8>
  %b1 = builtin.unrealized_conversion_cast %m : memref<4xi8> to !tfrt_gpu.buffer
  %n = builtin.unrealized_conversion_cast %b1 : !tfrt_gpu.buffer to memref<f32>
  %b2 = builtin.unrealized_conversion_cast %n : memref<f32> to !tfrt_gpu.buffer
  %dead = builtin.unrealized_conversion_cast %unused : memref<4xi8> to !tfrt_gpu.buffer
  %dead1 = builtin.unrealized_conversion_cast %dead : !tfrt_gpu.buffer to memref<2xi8>
  %t = builtin.unrealized_conversion_cast %c, %e : !tfrt.chain, !tfrt_gpu.event to !gpu.async.token
  // CHECK-NEXT: %token = async.execute {
  // CHECK-NEXT:   %0 = tfrt_gpu.event.synchronize %arg3, %arg2
  // CHECK-NEXT:   async.yield
  // CHECK-NEXT: }
  %done = async.execute {
    %c1, %e1 = builtin.unrealized_conversion_cast %t : !gpu.async.token to !tfrt.chain, !tfrt_gpu.event
    %c2 = tfrt_gpu.event.synchronize %e1, %c1
    async.yield
  }
  // CHECK-NEXT: tfrt.return %arg0 : !tfrt_gpu.buffer
  tfrt.return %b2 : !tfrt_gpu.buffer
}

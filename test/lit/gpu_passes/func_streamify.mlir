// Functions that wait for a GPU get a chain and a stream; so do their calls.
// RUN: tfrt_gpu_opt %s -func-tfrt-streamify | FileCheck %s

// CHECK-LABEL: func.func @copy(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream, %arg2: memref<4xf32> {tfrt_gpu.in}, %arg3: memref<4xf32>) -> !tfrt.chain {
func.func @copy(%m: memref<4xf32> {tfrt_gpu.in}, %n: memref<4xf32>) {
  // CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg0, %arg1 : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  // CHECK-NEXT: %1 = gpu.wait async [%0]
  // CHECK-NEXT: %2 = gpu.wait async [%1]
  %t = gpu.wait async
  // CHECK-NEXT: %3 = gpu.memcpy async [%2] %arg2, %arg3 : memref<4xf32>, memref<4xf32>
  %u = gpu.memcpy async [%t] %m, %n : memref<4xf32>, memref<4xf32>
  // CHECK-NEXT: %4 = gpu.wait async [%3]
  // CHECK-NEXT: %5:2 = builtin.unrealized_conversion_cast %4 : !gpu.async.token to !tfrt.chain, !tfrt_gpu.stream
  // CHECK-NEXT: tfrt.return %5#0 : !tfrt.chain
  gpu.wait [%u]
  tfrt.return
}

// Several begins, one of them in a region; an op behind the end; a result.
// CHECK-LABEL: func.func @wide(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream, %arg2: f32) -> (!tfrt.chain, f32) {
func.func @wide(%x: f32) -> f32 {
  // CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg0, %arg1
  // CHECK-NEXT: %1 = gpu.wait async [%0]
  // CHECK-NEXT: %2 = gpu.wait async [%1]
  // CHECK-NEXT: %token, %bodyResults = async.execute
  // CHECK-NEXT:   %7 = gpu.wait async [%1]
  %t = gpu.wait async
  %done, %f = async.execute -> !async.value<!gpu.async.token> {
    %v = gpu.wait async
    async.yield %v : !gpu.async.token
  }
  // CHECK: %3 = async.await
  // CHECK-NEXT: %4 = tfrt.add.f32 %arg2, %arg2
  // CHECK-NEXT: %5 = gpu.wait async [%2, %3]
  // CHECK-NEXT: %6:2 = builtin.unrealized_conversion_cast %5
  // CHECK-NEXT: tfrt.return %6#0, %4 : !tfrt.chain, f32
  %u = async.await %f : !async.value<!gpu.async.token>
  gpu.wait [%t, %u]
  %y = tfrt.add.f32 %x, %x
  func.return %y : f32
}

// A wait of the host for nothing in particular waits for all.
// CHECK-LABEL: func.func @bare_wait(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream) -> !tfrt.chain {
// CHECK: %3 = gpu.wait async [%1]
func.func @bare_wait() {
  %t = gpu.wait async
  gpu.wait
  tfrt.return
}

// CHECK-LABEL: func.func @empty(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream, %arg2: i32) -> !tfrt.chain {
// CHECK-NEXT: tfrt.return %arg0 : !tfrt.chain
func.func @empty(%x: i32) {
  func.return
}

// Functions that stay as they are.

// CHECK-LABEL: func.func @no_end() {
func.func @no_end() {
  %t = gpu.wait async
  %u = gpu.wait async
  tfrt.return
}
// CHECK-LABEL: func.func @no_begin() {
func.func @no_begin() {
  gpu.wait
  tfrt.return
}
// CHECK-LABEL: func.func @two_ends() {
func.func @two_ends() {
  %t = gpu.wait async
  gpu.wait [%t]
  gpu.wait [%t]
  tfrt.return
}
// CHECK-LABEL: func.func @end_in_region() {
func.func @end_in_region() {
  %t = gpu.wait async
  %done = async.execute {
    gpu.wait [%t]
    async.yield
  }
  tfrt.return
}
// CHECK-LABEL: func.func @isolated_begin(%arg0: i32) {
func.func @isolated_begin(%x: i32) {
  tfrt_test.do.async %x : (i32) -> () {
    %t = gpu.wait async
    tfrt.return
  }
  %u = gpu.wait async
  gpu.wait [%u]
  tfrt.return
}
// CHECK-LABEL: func.func @result(%arg0: i32) -> i32 {
func.func @result(%x: i32) -> i32 {
  tfrt.return %x : i32
}
// CHECK-LABEL: func.func @blocks() {
func.func @blocks() {
  %t = gpu.wait async
  gpu.wait [%t]
  cf.br ^next
^next:
  tfrt.return
}
// CHECK-LABEL: gpu.module @code
// CHECK-NEXT: func.func @helper() {
gpu.module @code {
  func.func @helper() {
    func.return
  }
}
// CHECK-LABEL: func.func private @declared(i32)
func.func private @declared(%x: i32)

// Calls in bodies, in series.
// CHECK: tfrt_gpu.streamify {
// CHECK-NEXT: ^bb0(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream, %arg2: memref<4xf32>, %arg3: f32):
// CHECK-NEXT:   %0 = tfrt.call @copy(%arg0, %arg1, %arg2, %arg2) : (!tfrt.chain, !tfrt_gpu.stream, memref<4xf32>, memref<4xf32>) -> !tfrt.chain
// CHECK-NEXT:   %1:2 = tfrt.call @wide(%0, %arg1, %arg3) : (!tfrt.chain, !tfrt_gpu.stream, f32) -> (!tfrt.chain, f32)
// CHECK-NEXT:   tfrt.return %1#0 : !tfrt.chain
tfrt_gpu.streamify {
^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %m: memref<4xf32>, %x: f32):
  tfrt.call @copy(%m, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  %y = tfrt.call @wide(%x) : (f32) -> f32
  tfrt.return %c : !tfrt.chain
}

// A call before the op whose chain the body returns: the body returns both.
// CHECK-LABEL: func.func @early(%arg0: f32) -> f32 {
// CHECK:        %1:2 = tfrt.call @wide(%arg1, %arg2, %arg0)
// CHECK-NEXT:   %2 = tfrt_gpu.stream.synchronize %arg2, %arg1
// CHECK-NEXT:   %3 = tfrt.merge.chains %2, %1#0 : !tfrt.chain, !tfrt.chain
// CHECK-NEXT:   tfrt.return %3, %1#1 : !tfrt.chain, f32
func.func @early(%x: f32) -> f32 {
  %y = tfrt_gpu.streamify {
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    %y = tfrt.call @wide(%x) : (f32) -> f32
    %c1 = tfrt_gpu.stream.synchronize %s, %c
    tfrt.return %c1, %y : !tfrt.chain, f32
  } : f32
  tfrt.return %y : f32
}

// The body of a loop returns the stream, too: what a loop carries is what it takes.
// CHECK-LABEL: func.func @body(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream, %arg2: f32) -> (!tfrt.chain, !tfrt_gpu.stream, f32, i1) {
// CHECK: %[[END:.*]]:2 = builtin.unrealized_conversion_cast %{{.*}} : !gpu.async.token to !tfrt.chain, !tfrt_gpu.stream
// CHECK-NEXT: tfrt.return %[[END]]#0, %[[END]]#1, %arg2, %{{.*}} : !tfrt.chain, !tfrt_gpu.stream, f32, i1
func.func @body(%x: f32) -> (f32, i1) {
  %t = gpu.wait async
  %go = tfrt.constant.i1 false
  gpu.wait [%t]
  tfrt.return %x, %go : f32, i1
}
// CHECK-LABEL: func.func @loop
// CHECK: ^bb0(%arg2: !tfrt.chain, %arg3: !tfrt_gpu.stream):
// CHECK-NEXT:   %1:3 = tfrt.while %arg0 @body(%arg2, %arg3, %arg1) parallel_iterations(1) : (!tfrt.chain, !tfrt_gpu.stream, f32) -> (!tfrt.chain, !tfrt_gpu.stream, f32)
// CHECK-NEXT:   %2:2 = tfrt.call @wide(%1#0, %arg3, %1#2)
// CHECK-NEXT:   tfrt.return %2#0, %1#2 : !tfrt.chain, f32
func.func @loop(%go: i1, %x: f32) -> f32 {
  %r = tfrt_gpu.streamify {
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    %y = tfrt.while %go @body(%x) parallel_iterations(1) : (f32) -> (f32)
    %z = tfrt.call @wide(%y) : (f32) -> f32
    tfrt.return %c, %y : !tfrt.chain, f32
  } : f32
  tfrt.return %r : f32
}

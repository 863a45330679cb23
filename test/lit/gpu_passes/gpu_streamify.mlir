// Ops of the gpu dialect become kernels of streams.
// RUN: tfrt_gpu_opt %s -gpu-tfrt-streamify -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @memory
// CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg0, %arg1
func.func @memory(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %b: !tfrt_gpu.buffer, %x: f32) {
  %t0 = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  // 6 elements of 12 bits, which take 2 bytes each.
  // CHECK-NEXT: %1 = tfrt_gpu.stream.get_context %arg1
  // CHECK-NEXT: %2 = tfrt_gpu.allocator.create %1
  // CHECK-NEXT: %3 = tfrt.constant.i64 12
  // CHECK-NEXT: %4 = tfrt_gpu.mem.allocate %2, %arg1, %3, %arg0
  // CHECK-NEXT: %5 = builtin.unrealized_conversion_cast %4 : !tfrt_gpu.buffer to memref<2x3xi12>
  %m, %t1 = gpu.alloc async [%t0] () : memref<2x3xi12>
  // CHECK-NEXT: %6 = builtin.unrealized_conversion_cast %arg2 : !tfrt_gpu.buffer to memref<2x3xi12>
  %n = builtin.unrealized_conversion_cast %b : !tfrt_gpu.buffer to memref<2x3xi12>
  // CHECK-NEXT: %7 = tfrt_gpu.mem.copy %4, %arg2, %arg1, %arg0 : !tfrt_gpu.buffer, !tfrt_gpu.buffer
  // CHECK-NEXT: %8 = builtin.unrealized_conversion_cast %7, %arg1
  %t2 = gpu.memcpy async [%t1] %m, %n : memref<2x3xi12>, memref<2x3xi12>
  // CHECK-NEXT: %9 = tfrt_gpu.mem.deallocate %4, %arg1, %7
  // CHECK-NEXT: %10 = builtin.unrealized_conversion_cast %9, %arg1
  %t3 = gpu.dealloc async [%t2] %m : memref<2x3xi12>
  // CHECK-NEXT: %11 = builtin.unrealized_conversion_cast %arg2 : !tfrt_gpu.buffer to memref<f32>
  %f = builtin.unrealized_conversion_cast %b : !tfrt_gpu.buffer to memref<f32>
  // CHECK-NEXT: %12 = tfrt_gpu.mem.set %arg2, %arg3, %arg1, %9 : f32
  // CHECK-NEXT: %13 = builtin.unrealized_conversion_cast %12, %arg1
  %t4 = gpu.memset async [%t3] %f, %x : memref<f32>, f32
  // Nothing to copy: the next op follows the last one.
  // CHECK-NEXT: %14 = builtin.unrealized_conversion_cast %arg2 : !tfrt_gpu.buffer to memref<0xf32>
  // CHECK-NEXT: %15 = tfrt_gpu.mem.set %arg2, %arg3, %arg1, %12 : f32
  %e = builtin.unrealized_conversion_cast %b : !tfrt_gpu.buffer to memref<0xf32>
  %t5 = gpu.memcpy async [%t4] %e, %e : memref<0xf32>, memref<0xf32>
  %t6 = gpu.memset async [%t5] %f, %x : memref<f32>, f32
  tfrt.return
}

// Arguments that are memrefs stay casts: no pass changes them.
// CHECK-LABEL: func.func @arguments
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast %arg2 : memref<4xf32> to !tfrt_gpu.buffer
// CHECK-NEXT: %[[B:.*]] = builtin.unrealized_conversion_cast %arg3 : memref<?xf32> to !tfrt_gpu.buffer
// CHECK-NEXT: tfrt_gpu.mem.copy %[[A]], %[[B]], %arg1, %arg0
func.func @arguments(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %a: memref<4xf32>, %b: memref<?xf32>) {
  %t0 = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  %t1 = gpu.memcpy async [%t0] %a, %b : memref<4xf32>, memref<?xf32>
  tfrt.return
}

// Work that depends on an event, too.
// CHECK-LABEL: func.func @dependencies
// CHECK: %[[C0:.*]] = tfrt.merge.chains %arg0, %arg3 : !tfrt.chain, !tfrt.chain
// CHECK-NEXT: %[[C1:.*]] = tfrt_gpu.stream.wait %arg1, %arg4, %[[C0]]
// CHECK-NEXT: tfrt_gpu.mem.deallocate %arg2, %arg1, %[[C1]]
func.func @dependencies(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %b: !tfrt_gpu.buffer, %d: !tfrt.chain, %e: !tfrt_gpu.event) {
  %t0 = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  %t1 = builtin.unrealized_conversion_cast %d, %e : !tfrt.chain, !tfrt_gpu.event to !gpu.async.token
  %m = builtin.unrealized_conversion_cast %b : !tfrt_gpu.buffer to memref<f32>
  %t2 = gpu.dealloc async [%t0, %t1] %m : memref<f32>
  tfrt.return
}

// Bodies, in place: what they return, and loads, which wait.
// CHECK-LABEL: func.func @body
// CHECK-NEXT: builtin.unrealized_conversion_cast %arg0, %arg1
// CHECK-NEXT: builtin.unrealized_conversion_cast %arg2 : !tfrt_gpu.buffer to memref<i32>
// CHECK-NEXT: %[[C1:.*]] = tfrt_gpu.stream.synchronize %arg1, %arg0
// CHECK-NEXT: %[[X:.*]] = tfrt_gpu.stream.get_context %arg1
// CHECK-NEXT: %[[N:.*]] = tfrt.constant.i64 4
// CHECK-NEXT: %[[H:.*]] = tfrt_gpu.mem.allocate_host %[[X]], %[[N]], %[[C1]]
// CHECK-NEXT: %[[C2:.*]] = tfrt_gpu.mem.copy %[[H]], %arg2, %arg1, %[[C1]] : !tfrt_gpu.buffer, !tfrt_gpu.buffer
// CHECK-NEXT: %[[C3:.*]] = tfrt_gpu.stream.synchronize %arg1, %[[C2]]
// CHECK-NEXT: %[[V:.*]] = tfrt_gpu.mem.load %[[H]], %[[C3]] : i32
// CHECK-NEXT: %[[X1:.*]] = tfrt_gpu.stream.get_context %arg1
// CHECK-NEXT: %[[N1:.*]] = tfrt.constant.i64 4
// CHECK-NEXT: %[[H1:.*]] = tfrt_gpu.mem.allocate_host %[[X1]], %[[N1]], %[[C3]]
// CHECK:      %[[C5:.*]] = tfrt_gpu.stream.synchronize %arg1, %{{.*}}
// CHECK-NEXT: %[[V1:.*]] = tfrt_gpu.mem.load %[[H1]], %[[C5]] : i32
// CHECK-NEXT: builtin.unrealized_conversion_cast %[[C5]], %arg1 : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
// CHECK-NEXT: tfrt.return %[[V]], %[[V1]] : i32, i32
func.func @body(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %b: !tfrt_gpu.buffer) -> (i32, i32) {
  %t0 = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  %m = builtin.unrealized_conversion_cast %b : !tfrt_gpu.buffer to memref<i32>
  %v:2, %t1 = tfrt_gpu.streamify async [%t0] {
  ^bb0(%c0: !tfrt.chain, %s0: !tfrt_gpu.stream):
    %c1 = tfrt_gpu.stream.synchronize %s0, %c0
    %x = memref.load %m[] : memref<i32>
    %y = memref.load %m[] : memref<i32>
    tfrt.return %c1, %x, %y : !tfrt.chain, i32, i32
  } : i32, i32
  tfrt.return %v#0, %v#1 : i32, i32
}

// Waits: for the own stream, with an event, without a stream, with one of the block; two events.
// CHECK-LABEL: func.func @waits
// CHECK-NEXT: %[[CTX:.*]] = tfrt_gpu.stream.get_context %arg1
// CHECK-NEXT: builtin.unrealized_conversion_cast %arg0, %arg1
// CHECK-NEXT: builtin.unrealized_conversion_cast %arg2, %arg3
// CHECK-NEXT: %[[C0:.*]] = tfrt.merge.chains %arg0, %arg2 : !tfrt.chain, !tfrt.chain
// CHECK-NEXT: %[[C1:.*]] = tfrt_gpu.stream.wait %arg1, %arg3, %[[C0]]
// CHECK-NEXT: builtin.unrealized_conversion_cast %[[C1]], %arg1
// CHECK-NEXT: %[[C2:.*]] = tfrt_gpu.stream.wait %arg1, %arg3, %arg2
// CHECK-NEXT: builtin.unrealized_conversion_cast %[[C2]], %arg1
// CHECK-NEXT: async.execute
// CHECK-NEXT:   %[[NEW:.*]] = tfrt_gpu.stream.create %[[CTX]]
// CHECK-NEXT:   %[[C3:.*]] = tfrt.merge.chains %arg2, %arg2
// CHECK-NEXT:   %[[C4:.*]] = tfrt_gpu.stream.wait %[[NEW]], %arg3, %[[C3]]
// CHECK-NEXT:   %[[C5:.*]] = tfrt_gpu.stream.wait %[[NEW]], %arg3, %[[C4]]
// CHECK-NEXT:   builtin.unrealized_conversion_cast %[[C5]], %[[NEW]]
// CHECK-NEXT:   async.yield
func.func @waits(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %d: !tfrt.chain, %e: !tfrt_gpu.event) {
  %t0 = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  %t1 = builtin.unrealized_conversion_cast %d, %e : !tfrt.chain, !tfrt_gpu.event to !gpu.async.token
  %t2 = gpu.wait async [%t0]
  %t3 = gpu.wait async [%t1, %t2]
  %t4 = gpu.wait async [%t1]
  %done = async.execute {
    %t5 = gpu.wait async [%t1, %t1]
    async.yield
  }
  tfrt.return
}

// Others that wait for a wait: a task and a terminator get events, ops of the block the stream.
// CHECK-LABEL: func.func @elsewhere
// CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg0, %arg1
// CHECK-NEXT: %1:2 = builtin.unrealized_conversion_cast %0 : !gpu.async.token to !tfrt.chain, !tfrt_gpu.event
// CHECK-NEXT: %2 = builtin.unrealized_conversion_cast %1#0, %arg1 : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
// CHECK-NEXT: %3 = builtin.unrealized_conversion_cast %1#0, %1#1 : !tfrt.chain, !tfrt_gpu.event to !gpu.async.token
// CHECK-NEXT: %4 = builtin.unrealized_conversion_cast %arg2
// CHECK-NEXT: %5 = tfrt_gpu.mem.deallocate %arg2, %arg1, %1#0
// CHECK:      async.execute
// CHECK-NEXT:   "tfrt_test.use"(%3)
// CHECK:      tfrt.return %3
func.func @elsewhere(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %b: !tfrt_gpu.buffer) -> !gpu.async.token {
  %t0 = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  %t1 = gpu.wait async [%t0]
  %m = builtin.unrealized_conversion_cast %b : !tfrt_gpu.buffer to memref<f32>
  %t2 = gpu.dealloc async [%t1] %m : memref<f32>
  %done = async.execute {
    "tfrt_test.use"(%t1) : (!gpu.async.token) -> ()
    async.yield
  }
  tfrt.return %t1 : !gpu.async.token
}

// -----

// Constants and device code.
// CHECK: module attributes {gpu.container_module} {
module attributes {gpu.container_module} {
  // CHECK-NEXT: func.func @table(%arg0: !tfrt_gpu.context) -> !tfrt_gpu.buffer {
  // CHECK-NEXT:   %0 = tfrt_gpu.allocator.create %arg0
  // CHECK-NEXT:   %1 = tfrt_gpu.stream.create %arg0
  // CHECK-NEXT:   %2 = tfrt.constant.i64 8
  // CHECK-NEXT:   %3 = tfrt.new.chain
  // CHECK-NEXT:   %4 = tfrt_gpu.mem.allocate %0, %1, %2, %3
  // CHECK-NEXT:   %5 = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  // CHECK-NEXT:   %6 = tfrt_dht.set_tensor_with_constant_values.f32 %5, %3 [5.000000e-01 : f32, 2.000000e+00 : f32]
  // CHECK-NEXT:   %7:2 = tfrt_dht.get_buffer %5, %6
  // CHECK-NEXT:   %8 = tfrt_gpu.mem.copy %4, %7#0, %1, %6 : !tfrt_gpu.buffer, !ht.host_buffer
  // CHECK-NEXT:   %9 = tfrt_gpu.stream.synchronize %1, %8
  // CHECK-NEXT:   %10 = tfrt_gpu.alias %4, %9 : !tfrt_gpu.buffer
  // CHECK-NEXT:   tfrt.return %10 : !tfrt_gpu.buffer
  memref.global @table : memref<2xf32> = dense<[0.5, 2.0]>
  // CHECK-LABEL: func.func @code(%arg0: !tfrt_gpu.context) -> !tfrt_gpu.module {
  // CHECK-NEXT:   %0 = tfrt_gpu.module.load %arg0 {data = "image\00"}
  // CHECK-NEXT:   tfrt.return %0 : !tfrt_gpu.module
  gpu.module @code attributes {binary = "image"} { gpu.func @k(%p: memref<2xf32>) kernel { gpu.return } gpu.func @k2(%p: memref<2xf32>, %x: f32) kernel { gpu.return } }
  // No code.
  // CHECK-NOT: @empty
  gpu.module @empty attributes {binary = ""} {}

  // Sizes and the argument are made once; a constant that is used elsewhere remains.
  // CHECK-LABEL: func.func @run(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream) -> (!tfrt.chain, index) {
  // CHECK-NEXT:   %0 = tfrt_gpu.stream.get_context %arg1
  // CHECK-NEXT:   %c2 = arith.constant 2 : index
  // CHECK-NEXT:   %1 = builtin.unrealized_conversion_cast %arg0, %arg1
  // CHECK-NEXT:   %2 = tfrt.once @table(%0) : (!tfrt_gpu.context) -> (!tfrt_gpu.buffer)
  // CHECK-NEXT:   %3 = builtin.unrealized_conversion_cast %2 : !tfrt_gpu.buffer to memref<2xf32>
  // CHECK-NEXT:   %4 = tfrt.once @code(%0) : (!tfrt_gpu.context) -> (!tfrt_gpu.module)
  // CHECK-NEXT:   %5 = tfrt_gpu.module.get_function %4 {name = "k"}
  // CHECK-NEXT:   %6 = tfrt.constant.ui32 96
  // CHECK-NEXT:   %7 = tfrt.constant.ui64 64
  // CHECK-NEXT:   %8 = tfrt.constant.ui64 2
  // CHECK-NEXT:   %9 = tfrt_gpu.function.launch %arg1, %5, blocks in (%7, %8, %7), threads in (%8, %7, %7), %6, %arg0, args(%2) : (!tfrt_gpu.buffer)
  // CHECK-NEXT:   %10 = builtin.unrealized_conversion_cast %9, %arg1
  func.func @run(%c: !tfrt.chain, %s: !tfrt_gpu.stream) -> (!tfrt.chain, index) {
    %n = arith.constant 64 : index
    %m = arith.constant 2 : index
    %shared = arith.constant 96 : i32
    %t0 = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
    %g = memref.get_global @table : memref<2xf32>
    %t1 = gpu.launch_func async [%t0] @code::@k blocks in (%n, %m, %n) threads in (%m, %n, %n) dynamic_shared_memory_size %shared args(%g : memref<2xf32>)
    %c1, %s1 = builtin.unrealized_conversion_cast %t1 : !gpu.async.token to !tfrt.chain, !tfrt_gpu.stream
    tfrt.return %c1, %m : !tfrt.chain, index
  }
  // A number that is not known here stays a cast; none is given.
  // CHECK-LABEL: func.func @unknown
  // CHECK: %[[F:.*]] = tfrt_gpu.module.get_function
  // CHECK-NEXT: %[[BYTES:.*]] = tfrt.constant.ui32 0
  // CHECK-NEXT: %[[N:.*]] = builtin.unrealized_conversion_cast %arg2 : index to ui64
  // CHECK-NEXT: tfrt_gpu.function.launch %arg1, %[[F]], blocks in (%[[N]], %[[N]], %[[N]]), threads in (%[[N]], %[[N]], %[[N]]), %[[BYTES]], %arg0, args(%arg3, %arg4) : (!tfrt_gpu.buffer, f32)
  func.func @unknown(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %n: index, %b: !tfrt_gpu.buffer, %x: f32) {
    %t0 = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
    %m = builtin.unrealized_conversion_cast %b : !tfrt_gpu.buffer to memref<2xf32>
    %t1 = gpu.launch_func async [%t0] @code::@k2 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%m : memref<2xf32>, %x : f32)
    tfrt.return
  }
}

// -----

// Variables of modules, which are set when the module is loaded; all element types.
module {
  // CHECK-LABEL: func.func @code(%arg0: !tfrt_gpu.context) -> !tfrt_gpu.module {
  // CHECK-NEXT:   %0 = tfrt_gpu.module.load %arg0 {data = "image\00"}
  // CHECK-NEXT:   %1 = tfrt.new.chain
  // CHECK-NEXT:   %2 = tfrt_gpu.stream.create %arg0
  // CHECK-NEXT:   %3 = tfrt_gpu.module.get_global %0 {name = "half"}
  // CHECK-NEXT:   %4 = tfrt_dht.create_uninitialized_tensor.f32.0 []
  // CHECK-NEXT:   %5 = tfrt_dht.set_tensor_with_constant_values.f32 %4, %1 [5.000000e-01 : f32]
  // CHECK-NEXT:   %6:2 = tfrt_dht.get_buffer %4, %5
  // CHECK-NEXT:   %7 = tfrt_gpu.mem.copy %3, %6#0, %2, %5
  // CHECK-NEXT:   %8 = tfrt_gpu.module.get_global %0 {name = "flags"}
  // CHECK-NEXT:   %9 = tfrt_dht.create_uninitialized_tensor.bool.2 [1, 2]
  // CHECK-NEXT:   %10 = tfrt_dht.set_tensor_with_constant_values.bool %9, %7 [true, false]
  // CHECK-NEXT:   %11:2 = tfrt_dht.get_buffer %9, %10
  // CHECK-NEXT:   %12 = tfrt_gpu.mem.copy %8, %11#0, %2, %10
  // CHECK-NEXT:   %13 = tfrt_gpu.stream.synchronize %2, %12
  // CHECK-NEXT:   %14 = tfrt_gpu.alias %0, %13 : !tfrt_gpu.module
  // CHECK-NEXT:   tfrt.return %14 : !tfrt_gpu.module
  gpu.module @code attributes {binary = "image", constants = [@half, @flags]} {}
  // CHECK-LABEL: func.func private @half(%arg0: !tfrt_gpu.context) -> !tfrt_gpu.buffer {
  // CHECK-NEXT:   %0 = tfrt.once @code(%arg0) : (!tfrt_gpu.context) -> (!tfrt_gpu.module)
  // CHECK-NEXT:   %1 = tfrt_gpu.module.get_global %0 {name = "half"}
  // CHECK-NEXT:   tfrt.return %1 : !tfrt_gpu.buffer
  memref.global "private" constant @half : memref<f32> = dense<0.5> {gpu_module = @code}
  // CHECK-LABEL: func.func @flags(
  memref.global @flags : memref<1x2xi1> = dense<[[true, false]]> {gpu_module = @code}
  // CHECK-LABEL: func.func @splat(
  // CHECK: tfrt.constant.i64 3
  // CHECK: set_tensor_with_constant_values.ui8 %{{.*}}, %{{.*}} [7 : ui8, 7 : ui8, 7 : ui8]
  memref.global @splat : memref<3xui8> = dense<7>
  // CHECK-LABEL: func.func @double(
  // CHECK: %[[T:.*]] = "tfrt_dht.create_uninitialized_tensor.f64.1"() {shape = [1]} : () -> !tfrt_tensor.tensor
  // CHECK: "tfrt_dht.set_tensor_with_constant_values.f64"(%[[T]], %{{.*}}) {values = [1.000000e+00]}
  memref.global @double : memref<1xf64> = dense<1.0>
  // CHECK-LABEL: func.func @complex(
  // CHECK: tfrt.constant.i64 16
  // CHECK: tfrt_dht.create_uninitialized_tensor.complex64.1 [2]
  // CHECK: set_tensor_with_constant_values.complex64 %{{.*}}, %{{.*}} [1.000000e+00 : f32, 2.000000e+00 : f32, 3.000000e+00 : f32, 4.000000e+00 : f32]
  memref.global @complex : memref<2xcomplex<f32>> = dense<[(1.0, 2.0), (3.0, 4.0)]>
  // CHECK-LABEL: func.func @complex_double(
  // CHECK: tfrt_dht.create_uninitialized_tensor.complex128.0 []
  memref.global @complex_double : memref<complex<f64>> = dense<(1.0, 2.0)>
  // CHECK-LABEL: func.func @brain(
  // CHECK: "tfrt_dht.create_uninitialized_tensor.bf16.0"()
  memref.global @brain : memref<bf16> = dense<1.0>
  // Memory without an initial value.
  // CHECK-LABEL: func.func @scratch(
  // CHECK: %[[B:.*]] = tfrt_gpu.mem.allocate
  // CHECK-NEXT: %[[C:.*]] = tfrt_gpu.stream.synchronize
  // CHECK-NEXT: tfrt_gpu.alias %[[B]], %[[C]]
  memref.global @scratch : memref<9xf64> = uninitialized
}

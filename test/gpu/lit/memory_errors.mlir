// What the kernels of memory refuse.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @open() -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator) {
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  tfrt.return %ctx, %s, %al : !tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator
}

// CHECK-LABEL: 'allocate'
func.func @allocate() -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %minus = tfrt.constant.i64 -1
  %much = tfrt.constant.i64 17592186044416
  // expected-error @+1 {{buffer size (-1) is negative}}
  %a = tfrt_gpu.mem.allocate %al, %s, %minus, %c0
  // expected-error @+1 {{buffer size (-1) is negative}}
  %b = tfrt_gpu.mem.allocate_host %ctx, %minus, %c0
  // expected-error-re @+1 {{Out of memory trying to allocate 16.00TiB ({{[0-9.]+[KMGTi]*B}} of {{[0-9.]+[KMGTi]*B}} available) on GPU 0 (CUDA).}}
  %c = tfrt_gpu.mem.allocate %al, %s, %much, %c0
  tfrt.return %a, %b, %c : !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer
}

// CHECK-LABEL: 'copy'
func.func @copy() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %eight = tfrt.constant.i64 8
  %four = tfrt.constant.i64 4
  %a = tfrt_gpu.mem.allocate %al, %s, %eight, %c0
  %b = tfrt_gpu.mem.allocate %al, %s, %four, %c0
  // expected-error @+1 {{Buffer sizes don't match: 8 (dst size) vs 4 (src size)}}
  %c1 = tfrt_gpu.mem.copy %a, %b, %s, %c0 : !tfrt_gpu.buffer, !tfrt_gpu.buffer
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: 'rows'
func.func @rows() -> (!tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 100
  %a = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %none = tfrt.constant.ui64 0
  %three = tfrt.constant.ui64 3
  %eight = tfrt.constant.ui64 8
  %sixteen = tfrt.constant.ui64 16
  %wide = tfrt.constant.ui64 48
  // expected-error @+1 {{a copy of rows of 16 bytes that begin 8 bytes apart}}
  %c1 = tfrt_gpu.mem.copy_2d %a, %eight, %b, %sixteen, %sixteen, %three, %s, %c0
  // expected-error @+1 {{a copy of 3 rows of 16 bytes, 48 bytes apart, in 100 bytes}}
  %c2 = tfrt_gpu.mem.copy_2d %a, %sixteen, %b, %wide, %sixteen, %three, %s, %c0
  // expected-error @+1 {{a copy of 3 rows that share bytes with their source}}
  %c3 = tfrt_gpu.mem.copy_2d %a, %sixteen, %a, %eight, %eight, %three, %s, %c0
  %empty = tfrt_gpu.mem.view %a, %eight, %none
  // expected-error @+1 {{a copy of 3 rows of 8 bytes to an empty buffer}}
  %c4 = tfrt_gpu.mem.copy_2d %empty, %eight, %a, %eight, %eight, %three, %s, %c0
  // expected-error @+1 {{a copy of 3 rows of 8 bytes from an empty buffer}}
  %c5 = tfrt_gpu.mem.copy_2d %a, %eight, %empty, %eight, %eight, %three, %s, %c0
  // There is nothing to copy.
  %c6 = tfrt_gpu.mem.copy_2d %a, %none, %empty, %none, %none, %three, %s, %c0
  %far = tfrt.constant.ui64 9223372036854775808
  // expected-error @+1 {{a copy of 3 rows of 8 bytes, 9223372036854775808 bytes apart, in 100 bytes}}
  %c7 = tfrt_gpu.mem.copy_2d %a, %far, %b, %eight, %eight, %three, %s, %c0
  tfrt.return %c1, %c2, %c3, %c4, %c5, %c6, %c7 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
}

// A copy between the memories of two contexts.
// CHECK-LABEL: 'rows_of_two_contexts'
func.func @rows_of_two_contexts() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %own = tfrt_gpu.context.create %dev
  %t = tfrt_gpu.stream.create %own
  %al2 = tfrt_gpu.allocator.create %own
  %size = tfrt.constant.i64 64
  %a = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %b = tfrt_gpu.mem.allocate %al2, %t, %size, %c0
  %two = tfrt.constant.ui64 2
  %eight = tfrt.constant.ui64 8
  %sixteen = tfrt.constant.ui64 16
  // expected-error @+1 {{a copy of rows from gpu:0 to gpu:0: copy them within one of them first}}
  %c1 = tfrt_gpu.mem.copy_2d %b, %sixteen, %a, %sixteen, %eight, %two, %s, %c0
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: 'copy_to_constant'
func.func @copy_to_constant() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 16
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %h = "tfrt_test.const_dense_attr"() {value = dense<[1, 2, 3, 4]> : tensor<4xi32>} : () -> !tfrt_tensor.tensor
  %hb, %c1 = tfrt_dht.get_buffer %h, %c0
  // expected-error @+1 {{the destination is a constant, which cannot be written}}
  %c2 = tfrt_gpu.mem.copy %hb, %b, %s, %c1 : !ht.host_buffer, !tfrt_gpu.buffer
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: 'view'
func.func @view() -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 8
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %four = tfrt.constant.ui64 4
  %five = tfrt.constant.ui64 5
  %most = tfrt.constant.ui64 18446744073709551615
  // expected-error @+1 {{buffer size (8) is smaller than offset (4) plus size (5)}}
  %v = tfrt_gpu.mem.view %b, %four, %five
  // expected-error @+1 {{buffer size (8) is smaller than offset (5) plus size (18446744073709551615)}}
  %w = tfrt_gpu.mem.view %b, %five, %most
  tfrt.return %v, %w : !tfrt_gpu.buffer, !tfrt_gpu.buffer
}

// CHECK-LABEL: 'set'
func.func @set() -> (!tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 8
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  // expected-error @+1 {{Expected 32 bit value.}}
  %c1 = tfrt_gpu.mem.set %b, %size, %s, %c0 : i64
  %one = tfrt.constant.ui64 1
  %odd = tfrt_gpu.mem.view %b, %one, %one
  %v = tfrt.constant.i32 0
  // expected-error @+1 {{is not a multiple of 4}}
  %c2 = tfrt_gpu.mem.set %odd, %v, %s, %c0 : i32
  tfrt.return %c1, %c2 : !tfrt.chain, !tfrt.chain
}

// CHECK-LABEL: 'load'
func.func @load() -> (i32, i32) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %four = tfrt.constant.i64 4
  %two = tfrt.constant.i64 2
  %device = tfrt_gpu.mem.allocate %al, %s, %four, %c0
  // expected-error @+1 {{the buffer is device memory, which the host cannot read}}
  %a = tfrt_gpu.mem.load %device, %c0 : i32
  %short = tfrt_gpu.mem.allocate_host %ctx, %two, %c0
  // expected-error @+1 {{buffer size (2) is smaller than element size (4)}}
  %b = tfrt_gpu.mem.load %short, %c0 : i32
  tfrt.return %a, %b : i32, i32
}

// The vendor refuses to register pages twice.
// CHECK-LABEL: 'register'
func.func @register() -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %h = tfrt_dht.create_uninitialized_tensor.f32.1 [16]
  %hb, %c1 = tfrt_dht.get_buffer %h, %c0
  %a = tfrt_gpu.mem.register %ctx, %hb
  %c2 = tfrt.merge.chains %a, %c1 : !tfrt_gpu.buffer, !tfrt.chain
  %again = tfrt_gpu.alias %hb, %c2 : !ht.host_buffer
  // expected-error @+1 {{CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED}}
  %b = tfrt_gpu.mem.register %ctx, %again
  tfrt.return %a, %b : !tfrt_gpu.buffer, !tfrt_gpu.buffer
}

// The file's constants stay what they are, and need not outlive it.
// CHECK-LABEL: 'register_constant'
func.func @register_constant() -> !tfrt_gpu.buffer {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %h = "tfrt_test.const_dense_attr"() {value = dense<[1, 2, 3, 4]> : tensor<4xi32>} : () -> !tfrt_tensor.tensor
  %hb, %c1 = tfrt_dht.get_buffer %h, %c0
  // expected-error @+1 {{the memory is a constant, which cannot be registered; copy it}}
  %a = tfrt_gpu.mem.register %ctx, %hb
  tfrt.return %a : !tfrt_gpu.buffer
}

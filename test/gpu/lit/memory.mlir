// Memory: made, written, copied in every direction, looked at, given up.
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

// CHECK-LABEL: 'round'
// CHECK-NEXT: values = [1, -2, 3]
// CHECK: 'round' returned !tfrt.chain value
func.func @round() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 12
  %device = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %other = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %pinned = tfrt_gpu.mem.allocate_host %ctx, %size, %c0
  %from = tfrt_dht.create_uninitialized_tensor.i32.1 [3]
  %c1 = tfrt_dht.set_tensor_with_constant_values.i32 %from, %c0 [1 : i32, -2 : i32, 3 : i32]
  %from_buffer, %c2 = tfrt_dht.get_buffer %from, %c1
  %to = tfrt_dht.create_uninitialized_tensor.i32.1 [3]
  %to_buffer, %c3 = tfrt_dht.get_buffer %to, %c2
  %c4 = tfrt_gpu.mem.copy %device, %from_buffer, %s, %c3 : !tfrt_gpu.buffer, !ht.host_buffer
  // The copy has read its source.
  %c5 = tfrt_dht.fill_tensor_with_constant.i32 %from, %c4 99 : i32
  %c6 = tfrt_gpu.mem.copy %other, %device, %s, %c5 : !tfrt_gpu.buffer, !tfrt_gpu.buffer
  %c7 = tfrt_gpu.mem.copy %pinned, %other, %s, %c6 : !tfrt_gpu.buffer, !tfrt_gpu.buffer
  // The copy is over when its chain is ready.
  %c8 = tfrt_gpu.mem.copy %to_buffer, %pinned, %s, %c7 : !ht.host_buffer, !tfrt_gpu.buffer
  %c9 = tfrt_dht.print_tensor %to, %c8
  tfrt.return %c9 : !tfrt.chain
}

// CHECK-LABEL: 'host_to_host'
// CHECK-NEXT: values = [7, 7]
func.func @host_to_host() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %from = tfrt_dht.create_uninitialized_tensor.i32.1 [2]
  %c1 = tfrt_dht.fill_tensor_with_constant.i32 %from, %c0 7 : i32
  %to = tfrt_dht.create_uninitialized_tensor.i32.1 [2]
  %from_buffer, %c2 = tfrt_dht.get_buffer %from, %c1
  %to_buffer, %c3 = tfrt_dht.get_buffer %to, %c2
  %c4 = tfrt_gpu.mem.copy %to_buffer, %from_buffer, %s, %c3 : !ht.host_buffer, !ht.host_buffer
  %c5 = tfrt_dht.print_tensor %to, %c4
  tfrt.return %c5 : !tfrt.chain
}

// A pattern of four bytes; the tail gets its first ones. The kinds of values that have 32 bits.
// CHECK-LABEL: 'fill'
// CHECK-NEXT: values = [4, 3, 2, 1, 4, 3, 2]
// CHECK-NEXT: values = [-1, -1]
// CHECK-NEXT: values = [1.500000e+00, 1.500000e+00]
func.func @fill() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %seven = tfrt.constant.i64 7
  %eight = tfrt.constant.i64 8
  %bytes = tfrt_gpu.mem.allocate %al, %s, %seven, %c0
  %words = tfrt_gpu.mem.allocate %al, %s, %eight, %c0
  %to_bytes = tfrt_dht.create_uninitialized_tensor.ui8.1 [7]
  %to_ints = tfrt_dht.create_uninitialized_tensor.i32.1 [2]
  %to_floats = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  %to_bytes_buffer, %d1 = tfrt_dht.get_buffer %to_bytes, %c0
  %to_ints_buffer, %d2 = tfrt_dht.get_buffer %to_ints, %c0
  %to_floats_buffer, %d3 = tfrt_dht.get_buffer %to_floats, %c0

  %u = tfrt.constant.ui32 16909060
  %c1 = tfrt_gpu.mem.set %bytes, %u, %s, %d1 : ui32
  %c2 = tfrt_gpu.mem.copy %to_bytes_buffer, %bytes, %s, %c1 : !ht.host_buffer, !tfrt_gpu.buffer
  %c3 = tfrt_dht.print_tensor %to_bytes, %c2
  %i = tfrt.constant.i32 -1
  %c4 = tfrt_gpu.mem.set %words, %i, %s, %c3 : i32
  %c5 = tfrt_gpu.mem.copy %to_ints_buffer, %words, %s, %c4 : !ht.host_buffer, !tfrt_gpu.buffer
  %c6 = tfrt_dht.print_tensor %to_ints, %c5
  %f = tfrt.constant.f32 1.5
  %c7 = tfrt_gpu.mem.set %words, %f, %s, %c6 : f32
  %c8 = tfrt_gpu.mem.copy %to_floats_buffer, %words, %s, %c7 : !ht.host_buffer, !tfrt_gpu.buffer
  %c9 = tfrt_dht.print_tensor %to_floats, %c8
  tfrt.return %c9 : !tfrt.chain
}

// No newline behind metadata.
// CHECK-LABEL: 'metadata'
// CHECK-NEXT: {{^}}GpuBuffer<pointer=0x{{[1-9a-f][0-9a-f]+}} (CUDA), size=64>GpuBuffer<pointer=0x{{[0-9a-f]+}}10 (CUDA), size=8>GpuBuffer<pointer=0x0 (NONE), size=0>GpuBuffer<pointer=0x0 (NONE), size=0>GpuBuffer<pointer=0x0 (NONE), size=0>'metadata' returned !tfrt_gpu.buffer value
func.func @metadata() -> !tfrt_gpu.buffer {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 64
  %nothing = tfrt.constant.i64 0
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %empty = tfrt_gpu.mem.allocate %al, %s, %nothing, %c0
  %offset = tfrt.constant.ui64 16
  %eight = tfrt.constant.ui64 8
  %zero = tfrt.constant.ui64 0
  %part = tfrt_gpu.mem.view %b, %offset, %eight
  %none = tfrt_gpu.mem.view %b, %offset, %zero
  %c1 = tfrt_gpu.mem.print_metadata %b, %c0
  %c2 = tfrt_gpu.mem.print_metadata %part, %c1
  %c3 = tfrt_gpu.mem.print_metadata %none, %c2
  %c4 = tfrt_gpu.mem.print_metadata %empty, %c3
  // The value stays, and a second time does nothing.
  %c5 = tfrt_gpu.mem.deallocate %b, %s, %c4
  %c6 = tfrt_gpu.mem.print_metadata %b, %c5
  %c7 = tfrt_gpu.mem.deallocate %b, %s, %c6
  %late = tfrt_gpu.alias %part, %c7 : !tfrt_gpu.buffer
  tfrt.return %late : !tfrt_gpu.buffer
}

// Empty buffers can be used.
// CHECK-LABEL: 'empty'
// CHECK-NEXT: 'empty' returned !tfrt.chain value
func.func @empty() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %zero = tfrt.constant.i64 0
  %a = tfrt_gpu.mem.allocate %al, %s, %zero, %c0
  %b = tfrt_gpu.mem.allocate_host %ctx, %zero, %c0
  %h = tfrt_dht.create_uninitialized_tensor.f32.1 [0]
  %hb, %c1 = tfrt_dht.get_buffer %h, %c0
  %r = tfrt_gpu.mem.register %ctx, %hb
  %v = tfrt.constant.i32 1
  %c2 = tfrt_gpu.mem.set %a, %v, %s, %c1 : i32
  %c3 = tfrt_gpu.mem.copy %a, %b, %s, %c2 : !tfrt_gpu.buffer, !tfrt_gpu.buffer
  %c4 = tfrt_gpu.mem.copy %hb, %r, %s, %c3 : !ht.host_buffer, !tfrt_gpu.buffer
  %c5 = tfrt_gpu.mem.deallocate %a, %s, %c4
  tfrt.return %c5 : !tfrt.chain
}

// Elements that the host reads: of page-locked memory, and of registered memory.
// CHECK-LABEL: 'load'
// CHECK-NEXT: 'load' returned 258,1,-5
func.func @load() -> (i32, i1, i32) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %four = tfrt.constant.i64 4
  %pinned = tfrt_gpu.mem.allocate_host %ctx, %four, %c0
  %v = tfrt.constant.i32 258
  %c1 = tfrt_gpu.mem.set %pinned, %v, %s, %c0 : i32
  %c2 = tfrt_gpu.stream.synchronize %s, %c1
  %i = tfrt_gpu.mem.load %pinned, %c2 : i32
  // The first byte, which is not 0.
  %b = tfrt_gpu.mem.load %pinned, %c2 : i1

  %h = tfrt_dht.create_uninitialized_tensor.i32.1 [1]
  %hb, %c3 = tfrt_dht.get_buffer %h, %c0
  %r = tfrt_gpu.mem.register %ctx, %hb
  %w = tfrt.constant.i32 -5
  %c4 = tfrt_gpu.mem.set %r, %w, %s, %c3 : i32
  %c5 = tfrt_gpu.stream.synchronize %s, %c4
  %j = tfrt_gpu.mem.load %r, %c5 : i32
  tfrt.return %i, %b, %j : i32, i1, i32
}

// A command is still on its way to memory that goes with the result: that is waited for, too.
// CHECK-LABEL: 'registered_result'
// CHECK-NEXT: 'registered_result' returned !tfrt_gpu.buffer value
func.func @registered_result() -> !tfrt_gpu.buffer {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %h = tfrt_dht.create_uninitialized_tensor.i32.1 [100000]
  %hb, %c1 = tfrt_dht.get_buffer %h, %c0
  %r = tfrt_gpu.mem.register %ctx, %hb
  %v = tfrt.constant.i32 77
  %c2 = tfrt_gpu.mem.set %r, %v, %s, %c1 : i32
  %late = tfrt_gpu.alias %r, %c2 : !tfrt_gpu.buffer
  tfrt.return %late : !tfrt_gpu.buffer
}

// A block that one stream has written is given up on another, which does not wait for that: it is
// not handed out there before the write is over, or the driver would report who writes next.
// CHECK-LABEL: 'given_up_elsewhere'
// CHECK-NEXT: 'given_up_elsewhere' returned !tfrt.chain value
func.func @given_up_elsewhere() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %t = tfrt_gpu.stream.create %ctx
  %size = tfrt.constant.i64 4096
  %one = tfrt.constant.i32 1
  %two = tfrt.constant.i32 2
  %m1 = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %c1 = tfrt_gpu.mem.set %m1, %one, %s, %c0 : i32
  %c2 = tfrt_gpu.mem.deallocate %m1, %s, %c1
  %m2 = tfrt_gpu.mem.allocate %al, %s, %size, %c2
  %c3 = tfrt_gpu.mem.deallocate %m2, %t, %c2
  %m3 = tfrt_gpu.mem.allocate %al, %t, %size, %c3
  %c4 = tfrt_gpu.mem.set %m3, %two, %t, %c3 : i32
  %c5 = tfrt_gpu.stream.synchronize %t, %c4
  %c6 = tfrt_gpu.stream.synchronize %s, %c5
  tfrt.return %c6 : !tfrt.chain
}

// The middle columns of a matrix, to every other place of page-locked memory; and rows that lie one after the other.
// CHECK-LABEL: 'rows'
// CHECK-NEXT: values = [2, 3, 0, 0, 6, 7, 0, 0]
// CHECK-NEXT: values = [2, 3, 6, 7]
func.func @rows() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %from = tfrt_dht.create_uninitialized_tensor.i32.2 [2, 4]
  %c1 = tfrt_dht.set_tensor_with_constant_values.i32 %from, %c0 [1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32, 8 : i32]
  %from_buffer, %c2 = tfrt_dht.get_buffer %from, %c1
  %size = tfrt.constant.i64 32
  %device = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %pinned = tfrt_gpu.mem.allocate_host %ctx, %size, %c0
  %c3 = tfrt_gpu.mem.copy %device, %from_buffer, %s, %c2 : !tfrt_gpu.buffer, !ht.host_buffer
  %zero = tfrt.constant.i32 0
  %c4 = tfrt_gpu.mem.set %pinned, %zero, %s, %c3 : i32
  %four = tfrt.constant.ui64 4
  %eight = tfrt.constant.ui64 8
  %sixteen = tfrt.constant.ui64 16
  %rest = tfrt.constant.ui64 28
  %two = tfrt.constant.ui64 2
  %middle = tfrt_gpu.mem.view %device, %four, %rest
  %c5 = tfrt_gpu.mem.copy_2d %pinned, %sixteen, %middle, %sixteen, %eight, %two, %s, %c4
  %half = tfrt.constant.i64 16
  %packed = tfrt_gpu.mem.allocate_host %ctx, %half, %c0
  %c6 = tfrt_gpu.mem.copy_2d %packed, %eight, %pinned, %sixteen, %eight, %two, %s, %c5
  %to = tfrt_dht.create_uninitialized_tensor.i32.1 [8]
  %to_buffer, %d1 = tfrt_dht.get_buffer %to, %c0
  %c7 = tfrt_gpu.mem.copy %to_buffer, %pinned, %s, %c6 : !ht.host_buffer, !tfrt_gpu.buffer
  %c8 = tfrt_dht.print_tensor %to, %c7
  %short = tfrt_dht.create_uninitialized_tensor.i32.1 [4]
  %short_buffer, %d2 = tfrt_dht.get_buffer %short, %c8
  %c9 = tfrt_gpu.mem.copy %short_buffer, %packed, %s, %d2 : !ht.host_buffer, !tfrt_gpu.buffer
  %c10 = tfrt_dht.print_tensor %short, %c9
  tfrt.return %c10 : !tfrt.chain
}

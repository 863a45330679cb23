// Plans of cuDNN. The results were computed by hand.
// For the test double alone: engines have the numbers that it gives them.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @open() -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle) {
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  %h = tfrt_gpu.dnn.create %ctx
  tfrt.return %ctx, %s, %al, %h : !tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle
}

func.func @upload(%tensor: !t.tensor, %size: i64, %s: !tfrt_gpu.stream, %al: !tfrt_gpu.allocator, %c0: !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain) {
  %buffer = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %host, %c1 = tfrt_dht.get_buffer %tensor, %c0
  %c2 = tfrt_gpu.mem.copy %buffer, %host, %s, %c1 : !tfrt_gpu.buffer, !ht.host_buffer
  tfrt.return %buffer, %c2 : !tfrt_gpu.buffer, !tfrt.chain
}

func.func @print(%buffer: !tfrt_gpu.buffer, %tensor: !t.tensor, %s: !tfrt_gpu.stream, %c0: !tfrt.chain) -> !tfrt.chain {
  %host, %c1 = tfrt_dht.get_buffer %tensor, %c0
  %c2 = tfrt_gpu.mem.copy %host, %buffer, %s, %c1 : !ht.host_buffer, !tfrt_gpu.buffer
  %c3 = tfrt_dht.print_tensor %tensor, %c2
  tfrt.return %c3 : !tfrt.chain
}

// An image of 1 to 9, a filter of 1 to 4, and four numbers.
func.func @data(%s: !tfrt_gpu.stream, %al: !tfrt_gpu.allocator, %c0: !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain) {
  %x_size = tfrt.constant.i64 36
  %w_size = tfrt.constant.i64 16
  %x = tfrt_dht.create_uninitialized_tensor.f32.4 [1 : i64, 1 : i64, 3 : i64, 3 : i64]
  %c1 = tfrt_dht.set_tensor_with_constant_values.f32 %x, %c0 [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32, 7.0 : f32, 8.0 : f32, 9.0 : f32]
  %w = tfrt_dht.create_uninitialized_tensor.f32.4 [1 : i64, 1 : i64, 2 : i64, 2 : i64]
  %c2 = tfrt_dht.set_tensor_with_constant_values.f32 %w, %c1 [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32]
  %x_buffer, %c3 = tfrt.call @upload(%x, %x_size, %s, %al, %c2) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %w_buffer, %c4 = tfrt.call @upload(%w, %w_size, %s, %al, %c3) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %y_buffer, %c5 = tfrt.call @upload(%w, %w_size, %s, %al, %c4) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  tfrt.return %x_buffer, %w_buffer, %y_buffer, %c5 : !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain
}

// The engine that needs nothing, and one that needs a workspace and has a setting; it has none of the second name.
// CHECK-LABEL: 'convolution'
// CHECK-NEXT: values = [4.000000e+00, 1.800000e+01, 3.600000e+01, 7.700000e+01]
// CHECK-NEXT: values = [4.000000e+00, 1.800000e+01, 3.600000e+01, 7.700000e+01]
func.func @convolution() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %x, %w, %y, %c1 = tfrt.call @data(%s, %al, %c0) : (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %to = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %plain = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, 0, [], []
  %none = tfrt.constant.i64 0
  %nothing = tfrt_gpu.mem.allocate %al, %s, %none, %c0
  %c2 = tfrt_gpu.dnn.run_convolution %h, %s, %plain, %x, %y, %w, %nothing, %c1
  %c3 = tfrt.call @print(%y, %to, %s, %c2) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  %other = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, 1, [2, 77], [1, 5]
  %some = tfrt.constant.i64 16
  %workspace = tfrt_gpu.mem.allocate %al, %s, %some, %c0
  %c4 = tfrt_gpu.dnn.run_convolution %h, %s, %other, %x, %y, %w, %workspace, %c3
  %c5 = tfrt.call @print(%y, %to, %s, %c4) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c5 : !tfrt.chain
}

// CHECK-LABEL: 'gradients'
// CHECK-NEXT: values = [4.000000e+00, 6.000000e+00, 8.000000e+00, 6.000000e+00, 4.000000e+00, 8.000000e+00, 1.200000e+01, 1.200000e+01, 1.600000e+01]
// CHECK-NEXT: values = [2.000000e+01, 3.600000e+01, 3.600000e+01, 6.400000e+01]
func.func @gradients() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %x, %w, %y, %c1 = tfrt.call @data(%s, %al, %c0) : (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %data = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 12, 0, [], []
  %filter = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 11, 0, [], []
  %none = tfrt.constant.i64 0
  %nothing = tfrt_gpu.mem.allocate %al, %s, %none, %c0
  %x_size = tfrt.constant.i64 36
  %w_size = tfrt.constant.i64 16
  %dx = tfrt_gpu.mem.allocate %al, %s, %x_size, %c0
  %dw = tfrt_gpu.mem.allocate %al, %s, %w_size, %c0
  %c2 = tfrt_gpu.dnn.run_convolution %h, %s, %data, %dx, %y, %w, %nothing, %c1
  %c3 = tfrt_gpu.dnn.run_convolution %h, %s, %filter, %x, %y, %dw, %nothing, %c2
  %nine = tfrt_dht.create_uninitialized_tensor.f32.1 [9 : i64]
  %c4 = tfrt.call @print(%dx, %nine, %s, %c3) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  %four = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c5 = tfrt.call @print(%dw, %four, %s, %c4) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c5 : !tfrt.chain
}

// relu(2 conv + 3 z - 1), and the same without the activation.
// CHECK-LABEL: 'fused'
// CHECK-NEXT: values = [0.000000e+00, 3.500000e+01, 0.000000e+00, 1.560000e+02]
// CHECK-NEXT: values = [-2.300000e+01, 3.500000e+01, -7.900000e+01, 1.560000e+02]
func.func @fused() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %x, %w, %y, %c1 = tfrt.call @data(%s, %al, %c0) : (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %z_host = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c2 = tfrt_dht.set_tensor_with_constant_values.f32 %z_host, %c1 [-10.0 : f32, 0.0 : f32, -50.0 : f32, 1.0 : f32]
  %z_size = tfrt.constant.i64 16
  %z, %c3 = tfrt.call @upload(%z_host, %z_size, %s, %al, %c2) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %bias_host = tfrt_dht.create_uninitialized_tensor.f32.1 [1 : i64]
  %c4 = tfrt_dht.set_tensor_with_constant_values.f32 %bias_host, %c3 [-1.0 : f32]
  %bias_size = tfrt.constant.i64 4
  %bias, %c5 = tfrt.call @upload(%bias_host, %bias_size, %s, %al, %c4) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %two = tfrt.constant.f64 2.0
  %three = tfrt.constant.f64 3.0
  %relu = tfrt_gpu.dnn.build_fused_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, %two, %three, 1, 0, [], []
  %none = tfrt.constant.i64 0
  %nothing = tfrt_gpu.mem.allocate %al, %s, %none, %c0
  %c6 = tfrt_gpu.dnn.run_fused_convolution %h, %s, %relu, %x, %y, %w, %z, %bias, %nothing, %c5
  %to = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c7 = tfrt.call @print(%y, %to, %s, %c6) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  %plain = tfrt_gpu.dnn.build_fused_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, %two, %three, 5, 0, [], []
  %c8 = tfrt_gpu.dnn.run_fused_convolution %h, %s, %plain, %x, %y, %w, %z, %bias, %nothing, %c7
  %c9 = tfrt.call @print(%y, %to, %s, %c8) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c9 : !tfrt.chain
}

// relu(conv - 20), and averages of which the padding counts.
// CHECK-LABEL: 'graphs'
// CHECK-NEXT: values = [0.000000e+00, 0.000000e+00, 1.600000e+01, 5.700000e+01]
// CHECK-NEXT: values = [2.500000e-01, 1.250000e+00, 2.750000e+00, 7.000000e+00]
func.func @graphs() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %x, %w, %y, %c1 = tfrt.call @data(%s, %al, %c0) : (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %bias_host = tfrt_dht.create_uninitialized_tensor.f32.1 [1 : i64]
  %c2 = tfrt_dht.set_tensor_with_constant_values.f32 %bias_host, %c1 [-20.0 : f32]
  %bias_size = tfrt.constant.i64 4
  %bias, %c3 = tfrt.call @upload(%bias_host, %bias_size, %s, %al, %c2) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  // x, w, bias and y.
  %conv = tfrt_gpu.dnn.graph.build %h, "conv+bias+relu", CUDNN_DATA_FLOAT, [1, 1, 3, 3, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 2, 2], [9, 9, 3, 1, 4, 4, 2, 1, 1, 1, 1, 1, 4, 4, 2, 1], [1, 1, 1, 1, 2, 2, 1, 1], 0.000000e+00, false
  %c4 = tfrt_gpu.dnn.graph.run %h, %s, %conv, %c3, buffers(%x, %w, %bias, %y)
  %to = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c5 = tfrt.call @print(%y, %to, %s, %c4) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  %pool = tfrt_gpu.dnn.graph.build %h, "average_pool", CUDNN_DATA_FLOAT, [1, 1, 3, 3, 1, 1, 2, 2], [9, 9, 3, 1, 4, 4, 2, 1], [1, 1, 1, 1, 2, 2, 2, 2], 0.000000e+00, false
  %c6 = tfrt_gpu.dnn.graph.run %h, %s, %pool, %c5, buffers(%x, %y)
  %c7 = tfrt.call @print(%y, %to, %s, %c6) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c7 : !tfrt.chain
}

// Factors of 32 bits are rounded to TF32 only where a program allows that: 1 + 2^-12 becomes 1.
// CHECK-LABEL: 'rounding'
// CHECK-NEXT: values = [1.000244e+00]
// CHECK-NEXT: values = [1.000000e+00]
func.func @rounding() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %size = tfrt.constant.i64 4
  %x_host = tfrt_dht.create_uninitialized_tensor.f32.1 [1 : i64]
  %c1 = tfrt_dht.set_tensor_with_constant_values.f32 %x_host, %c0 [1.000244140625 : f32]
  %x, %c2 = tfrt.call @upload(%x_host, %size, %s, %al, %c1) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %w_host = tfrt_dht.create_uninitialized_tensor.f32.1 [1 : i64]
  %c3 = tfrt_dht.set_tensor_with_constant_values.f32 %w_host, %c2 [1.0 : f32]
  %w, %c4 = tfrt.call @upload(%w_host, %size, %s, %al, %c3) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %y = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %exact = tfrt_gpu.dnn.graph.build %h, "conv", CUDNN_DATA_FLOAT, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1], 0.000000e+00, false
  %c5 = tfrt_gpu.dnn.graph.run %h, %s, %exact, %c4, buffers(%x, %w, %y)
  %to = tfrt_dht.create_uninitialized_tensor.f32.1 [1 : i64]
  %c6 = tfrt.call @print(%y, %to, %s, %c5) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  %rounded = tfrt_gpu.dnn.graph.build %h, "conv", CUDNN_DATA_FLOAT, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1], 0.000000e+00, true
  %c7 = tfrt_gpu.dnn.graph.run %h, %s, %rounded, %c6, buffers(%x, %w, %y)
  %c8 = tfrt.call @print(%y, %to, %s, %c7) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c8 : !tfrt.chain
}

// These are refused.
// CHECK-LABEL: 'refused'
func.func @refused() -> (!tfrt_gpu.dnn.convolution.plan, !tfrt_gpu.dnn.convolution.plan, !tfrt_gpu.dnn.convolution.plan, !tfrt_gpu.dnn.convolution.plan, !tfrt_gpu.dnn.convolution.plan, !tfrt_gpu.dnn.convolution.plan) {
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %one = tfrt.constant.f64 1.0
  // expected-error @+1 {{Mismatched number of tuning knob types and choices.}}
  %0 = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, 0, [2], []
  // expected-error @+1 {{cuDNN frontend doesn't support int8x32 at the moment.}}
  %1 = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_INT8x32, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, 0, [], []
  // expected-error @+1 {{backend type 9 is not 10, 11 or 12}}
  %2 = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 9, 0, [], []
  // expected-error @+1 {{conv_dim is 3, but there are 2 strides}}
  %3 = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 3, [1, 1], [1, 1], [2, 2], 10, 0, [], []
  // expected-error @+1 {{CUDNN_STATUS_NOT_SUPPORTED}}
  %4 = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, 77, [], []
  // expected-error @+1 {{Unimplemented activation mode}}
  %5 = tfrt_gpu.dnn.build_fused_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, %one, %one, 2, 0, [], []
  tfrt.return %0, %1, %2, %3, %4, %5 : !tfrt_gpu.dnn.convolution.plan, !tfrt_gpu.dnn.convolution.plan, !tfrt_gpu.dnn.convolution.plan, !tfrt_gpu.dnn.convolution.plan, !tfrt_gpu.dnn.convolution.plan, !tfrt_gpu.dnn.convolution.plan
}

// CHECK-LABEL: 'refused_graphs'
func.func @refused_graphs() -> (!tfrt_gpu.dnn.plan, !tfrt_gpu.dnn.plan, !tfrt_gpu.dnn.plan, !tfrt_gpu.dnn.plan) {
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  // expected-error @+1 {{there is no form 'conv+relu+bias'}}
  %0 = tfrt_gpu.dnn.graph.build %h, "conv+relu+bias", CUDNN_DATA_FLOAT, [1], [1], [], 0.000000e+00, false
  // expected-error @+1 {{4 dimensions and 4 strides are not those of 3 tensors}}
  %1 = tfrt_gpu.dnn.graph.build %h, "conv", CUDNN_DATA_FLOAT, [1, 1, 1, 1], [1, 1, 1, 1], [], 0.000000e+00, false
  // expected-error @+1 {{a window of 1 numbers; 8 are four for each of 2 dimensions}}
  %2 = tfrt_gpu.dnn.graph.build %h, "max_pool", CUDNN_DATA_FLOAT, [1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1], [1], 0.000000e+00, false
  // expected-error @+1 {{matmul f32 is not among the graphs that cuDNN is known to accept}}
  %3 = tfrt_gpu.dnn.graph.build %h, "matmul", CUDNN_DATA_FLOAT, [1, 2, 2, 1, 2, 2, 1, 2, 2], [4, 2, 1, 4, 2, 1, 4, 2, 1], [], 0.000000e+00, false
  tfrt.return %0, %1, %2, %3 : !tfrt_gpu.dnn.plan, !tfrt_gpu.dnn.plan, !tfrt_gpu.dnn.plan, !tfrt_gpu.dnn.plan
}

// CHECK-LABEL: 'refused_runs'
func.func @refused_runs() -> (!tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %x, %w, %y, %c1 = tfrt.call @data(%s, %al, %c0) : (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %other = tfrt_gpu.context.create %dev
  %of_other = tfrt_gpu.stream.create %other
  %handle = tfrt_gpu.dnn.create %other
  %plan = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, 1, [], []
  %graph = tfrt_gpu.dnn.graph.build %h, "average_pool", CUDNN_DATA_FLOAT, [1, 1, 3, 3, 1, 1, 2, 2], [9, 9, 3, 1, 4, 4, 2, 1], [1, 1, 1, 1, 2, 2, 2, 2], 0.000000e+00, false
  %none = tfrt.constant.i64 0
  %nothing = tfrt_gpu.mem.allocate %al, %s, %none, %c0
  // expected-error @+1 {{workspace size (0) is smaller than the plan needs (16)}}
  %c2 = tfrt_gpu.dnn.run_convolution %h, %s, %plan, %x, %y, %w, %nothing, %c1
  // expected-error @+1 {{buffer size (16) of input is smaller than its tensor (36)}}
  %c3 = tfrt_gpu.dnn.run_convolution %h, %s, %plan, %w, %y, %w, %nothing, %c1
  // expected-error @+1 {{handle and plan are of different contexts}}
  %c4 = tfrt_gpu.dnn.run_convolution %handle, %s, %plan, %x, %y, %w, %nothing, %c1
  // expected-error @+1 {{stream and plan are of different contexts}}
  %c7 = tfrt_gpu.dnn.run_convolution %h, %of_other, %plan, %x, %y, %w, %nothing, %c1
  // expected-error @+1 {{a plan of 3 tensors gets 5 buffers}}
  %c5 = tfrt_gpu.dnn.run_fused_convolution %h, %s, %plan, %x, %y, %w, %y, %y, %nothing, %c1
  // expected-error @+1 {{a plan of 2 tensors gets 1 buffers}}
  %c6 = tfrt_gpu.dnn.graph.run %h, %s, %graph, %c1, buffers(%x)
  tfrt.return %c2, %c3, %c4, %c5, %c6, %c7 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
}

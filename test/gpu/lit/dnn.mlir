// Pooling and convolutions of cuDNN. The results were computed by hand.
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

func.func @descriptors() -> (!tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.filter.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.convolution.descriptor) {
  %x = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32, 3 : i32, 3 : i32], [9 : i32, 9 : i32, 3 : i32, 1 : i32]
  %w = tfrt_gpu.dnn.create_filter_descriptor CUDNN_DATA_FLOAT, 0, [1 : i32, 1 : i32, 2 : i32, 2 : i32]
  %y = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32, 2 : i32, 2 : i32], [4 : i32, 4 : i32, 2 : i32, 1 : i32]
  %conv = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CROSS_CORRELATION, CUDNN_FMA_MATH, [1 : i32, 1 : i32], [2 : i32, 2 : i32], [1 : i32, 1 : i32]
  tfrt.return %x, %w, %y, %conv : !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.filter.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.convolution.descriptor
}

// CHECK-LABEL: 'forward'
// CHECK-NEXT: values = [4.000000e+00, 1.800000e+01, 3.600000e+01, 7.700000e+01]
// CHECK-NEXT: values = [1.000000e+00, 7.000000e+00, 1.900000e+01, 6.300000e+01]
func.func @forward() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %x, %w, %y, %c1 = tfrt.call @data(%s, %al, %c0) : (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %xd, %wd, %yd, %conv = tfrt.call @descriptors() : () -> (!tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.filter.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.convolution.descriptor)
  %none = tfrt.constant.i64 0
  %workspace = tfrt_gpu.mem.allocate %al, %s, %none, %c0
  %algo = tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM
  %c2 = tfrt_gpu.dnn.convolution_forward %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %wd, %w, %conv, %algo, %workspace, %yd, %y, %c1
  %to = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c3 = tfrt.call @print(%y, %to, %s, %c2) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  // With the filter turned around, by an algorithm that needs a workspace: 2 * 2 * 2 * 2 numbers.
  %turned = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CONVOLUTION, CUDNN_FMA_MATH, [1 : i32, 1 : i32], [2 : i32, 2 : i32], [1 : i32, 1 : i32]
  %gemm = tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_GEMM
  %some = tfrt.constant.i64 64
  %more = tfrt_gpu.mem.allocate %al, %s, %some, %c0
  %c4 = tfrt_gpu.dnn.convolution_forward %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %wd, %w, %turned, %gemm, %more, %yd, %y, %c3
  // The workspace may be dropped at once.
  %c5 = tfrt_gpu.mem.deallocate %more, %s, %c4
  %c6 = tfrt.call @print(%y, %to, %s, %c5) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c6 : !tfrt.chain
}

// CHECK-LABEL: 'backward'
// CHECK-NEXT: values = [4.000000e+00, 6.000000e+00, 8.000000e+00, 6.000000e+00, 4.000000e+00, 8.000000e+00, 1.200000e+01, 1.200000e+01, 1.600000e+01]
// CHECK-NEXT: values = [2.000000e+01, 3.600000e+01, 3.600000e+01, 6.400000e+01]
func.func @backward() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %x, %w, %dy, %c1 = tfrt.call @data(%s, %al, %c0) : (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %xd, %wd, %yd, %conv = tfrt.call @descriptors() : () -> (!tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.filter.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.convolution.descriptor)
  %none = tfrt.constant.i64 0
  %workspace = tfrt_gpu.mem.allocate %al, %s, %none, %c0
  %x_size = tfrt.constant.i64 36
  %w_size = tfrt.constant.i64 16
  %dx = tfrt_gpu.mem.allocate %al, %s, %x_size, %c0
  %dw = tfrt_gpu.mem.allocate %al, %s, %w_size, %c0
  %data = tfrt_gpu.dnn.convolution_backward_data_algorithm CUDNN_CONVOLUTION_BWD_DATA_ALGO_1
  %c2 = tfrt_gpu.dnn.convolution_backward_data %h, %s, CUDNN_DATA_FLOAT, %wd, %w, %yd, %dy, %conv, %data, %workspace, %xd, %dx, %c1
  %filter = tfrt_gpu.dnn.convolution_backward_filter_algorithm CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0
  %c3 = tfrt_gpu.dnn.convolution_backward_filter %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %yd, %dy, %conv, %filter, %workspace, %wd, %dw, %c2
  %nine = tfrt_dht.create_uninitialized_tensor.f32.1 [9 : i64]
  %c4 = tfrt.call @print(%dx, %nine, %s, %c3) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  %four = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c5 = tfrt.call @print(%dw, %four, %s, %c4) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c5 : !tfrt.chain
}

// relu(2 conv + 3 z - 1)
// CHECK-LABEL: 'fused'
// CHECK-NEXT: values = [0.000000e+00, 3.500000e+01, 0.000000e+00, 1.560000e+02]
func.func @fused() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %x, %w, %y, %c1 = tfrt.call @data(%s, %al, %c0) : (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %xd, %wd, %yd, %conv = tfrt.call @descriptors() : () -> (!tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.filter.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.convolution.descriptor)
  %z_host = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c2 = tfrt_dht.set_tensor_with_constant_values.f32 %z_host, %c1 [-10.0 : f32, 0.0 : f32, -50.0 : f32, 1.0 : f32]
  %z_size = tfrt.constant.i64 16
  %z, %c3 = tfrt.call @upload(%z_host, %z_size, %s, %al, %c2) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %bias_host = tfrt_dht.create_uninitialized_tensor.f32.1 [1 : i64]
  %c4 = tfrt_dht.set_tensor_with_constant_values.f32 %bias_host, %c3 [-1.0 : f32]
  %bias_size = tfrt.constant.i64 4
  %bias, %c5 = tfrt.call @upload(%bias_host, %bias_size, %s, %al, %c4) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %biasd = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32, 1 : i32, 1 : i32], [1 : i32, 1 : i32, 1 : i32, 1 : i32]
  %nothing = tfrt.constant.f64 0.0
  %act = tfrt_gpu.dnn.create_activation_descriptor %nothing, CUDNN_ACTIVATION_RELU, false
  %none = tfrt.constant.i64 0
  %workspace = tfrt_gpu.mem.allocate %al, %s, %none, %c0
  %algo = tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM
  %two = tfrt.constant.f32 2.0
  %three = tfrt.constant.f32 3.0
  %c6 = tfrt_gpu.dnn.convolution_bias_activation_forward %h, %s, CUDNN_DATA_FLOAT, %two, %xd, %x, %wd, %w, %conv, %algo, %workspace, %three, %yd, %z, %biasd, %bias, %act, %yd, %y, %c5
  %to = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c7 = tfrt.call @print(%y, %to, %s, %c6) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c7 : !tfrt.chain
}

// The largest; and with y = 2 pool(x) + y, where y is 1 to 4.
// CHECK-LABEL: 'pool_largest'
// CHECK-NEXT: values = [1.000000e+00, 3.000000e+00, 7.000000e+00, 9.000000e+00]
// CHECK-NEXT: values = [3.000000e+00, 9.000000e+00, 2.100000e+01, 2.700000e+01]
// The gradient of the latter.
// CHECK-NEXT: values = [3.000000e+00, 0.000000e+00, 9.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 2.100000e+01, 0.000000e+00, 2.700000e+01]
func.func @pool_largest() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %x, %w, %y, %c1 = tfrt.call @data(%s, %al, %c0) : (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %xd, %wd, %yd, %conv = tfrt.call @descriptors() : () -> (!tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.filter.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.convolution.descriptor)
  %mode = tfrt.constant.ui32 0
  %nan = tfrt.constant.ui32 1
  %pool = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %mode, %nan, [2 : i32, 2 : i32], [1 : i32, 1 : i32], [2 : i32, 2 : i32]
  %zero = tfrt.constant.f32 0.0
  %one = tfrt.constant.f32 1.0
  %two = tfrt.constant.f32 2.0
  %c2 = tfrt_gpu.dnn.pooling_forward %h, %s, %pool, %one, %xd, %x, %zero, %yd, %y, %c1
  %to = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c3 = tfrt.call @print(%y, %to, %s, %c2) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  %c4 = tfrt_gpu.dnn.pooling_forward %h, %s, %pool, %two, %xd, %x, %one, %yd, %y, %c3
  %c5 = tfrt.call @print(%y, %to, %s, %c4) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  %x_size = tfrt.constant.i64 36
  %dx = tfrt_gpu.mem.allocate %al, %s, %x_size, %c0
  %c6 = tfrt_gpu.dnn.pooling_backward %h, %s, %pool, %one, %yd, %y, %yd, %y, %xd, %x, %zero, %xd, %dx, %c5
  %nine = tfrt_dht.create_uninitialized_tensor.f32.1 [9 : i64]
  %c7 = tfrt.call @print(%dx, %nine, %s, %c6) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c7 : !tfrt.chain
}

// With the padding counted, and without; the gradient of the latter.
// CHECK-LABEL: 'pool_averages'
// CHECK-NEXT: values = [2.500000e-01, 1.250000e+00, 2.750000e+00, 7.000000e+00]
// CHECK-NEXT: values = [1.000000e+00, 2.500000e+00, 5.500000e+00, 7.000000e+00]
// CHECK-NEXT: values = [1.000000e+00, 1.000000e+00, 1.000000e+00, 1.500000e+00, 1.000000e+00, 1.000000e+00, 1.500000e+00, 1.000000e+00, 1.000000e+00]
func.func @pool_averages() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %x, %dy, %y, %c1 = tfrt.call @data(%s, %al, %c0) : (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %xd, %wd, %yd, %conv = tfrt.call @descriptors() : () -> (!tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.filter.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.convolution.descriptor)
  %counted = tfrt.constant.ui32 1
  %not_counted = tfrt.constant.ui32 2
  %nan = tfrt.constant.ui32 0
  %with = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %counted, %nan, [2 : i32, 2 : i32], [1 : i32, 1 : i32], [2 : i32, 2 : i32]
  %without = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %not_counted, %nan, [2 : i32, 2 : i32], [1 : i32, 1 : i32], [2 : i32, 2 : i32]
  %zero = tfrt.constant.f32 0.0
  %one = tfrt.constant.f32 1.0
  %c2 = tfrt_gpu.dnn.pooling_forward %h, %s, %with, %one, %xd, %x, %zero, %yd, %y, %c1
  %to = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c3 = tfrt.call @print(%y, %to, %s, %c2) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  %c4 = tfrt_gpu.dnn.pooling_forward %h, %s, %without, %one, %xd, %x, %zero, %yd, %y, %c3
  %c5 = tfrt.call @print(%y, %to, %s, %c4) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  %x_size = tfrt.constant.i64 36
  %dx = tfrt_gpu.mem.allocate %al, %s, %x_size, %c0
  %c6 = tfrt_gpu.dnn.pooling_backward %h, %s, %without, %one, %yd, %y, %yd, %dy, %xd, %x, %zero, %xd, %dx, %c5
  %nine = tfrt_dht.create_uninitialized_tensor.f32.1 [9 : i64]
  %c7 = tfrt.call @print(%dx, %nine, %s, %c6) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c7 : !tfrt.chain
}

// Four numbers of 8 bits side by side, summed in 32 bits.
// CHECK-LABEL: 'vectors'
// CHECK-NEXT: values = [6.000000e+00, 2.000000e+00, -4.000000e+00, 7.620000e+02]
func.func @vectors() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  // 1, -2, 3, 4 as the bytes of one number; the filters are 1 1 1 1, 2 0 0 0, 0 0 0 -1 and 127 127 127 127.
  %x_host = tfrt_dht.create_uninitialized_tensor.i32.1 [1 : i64]
  %c1 = tfrt_dht.set_tensor_with_constant_values.i32 %x_host, %c0 [67370497 : i32]
  %w_host = tfrt_dht.create_uninitialized_tensor.i32.1 [4 : i64]
  %c2 = tfrt_dht.set_tensor_with_constant_values.i32 %w_host, %c1 [16843009 : i32, 2 : i32, -16777216 : i32, 2139062143 : i32]
  %x_size = tfrt.constant.i64 4
  %w_size = tfrt.constant.i64 16
  %x, %c3 = tfrt.call @upload(%x_host, %x_size, %s, %al, %c2) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %w, %c4 = tfrt.call @upload(%w_host, %w_size, %s, %al, %c3) : (!t.tensor, i64, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %y = tfrt_gpu.mem.allocate %al, %s, %w_size, %c0
  %none = tfrt.constant.i64 0
  %workspace = tfrt_gpu.mem.allocate %al, %s, %none, %c0
  %xd = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_INT8x4, [1 : i32, 1 : i32, 1 : i32, 1 : i32], [1 : i32, 1 : i32, 1 : i32, 1 : i32]
  %wd = tfrt_gpu.dnn.create_filter_descriptor CUDNN_DATA_INT8x4, 2, [4 : i32, 4 : i32, 1 : i32, 1 : i32]
  %yd = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 4 : i32, 1 : i32, 1 : i32], [4 : i32, 1 : i32, 1 : i32, 1 : i32]
  %conv = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_INT8, CUDNN_CROSS_CORRELATION, CUDNN_DEFAULT_MATH, [0 : i32, 0 : i32], [1 : i32, 1 : i32], [1 : i32, 1 : i32]
  %algo = tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM
  %c5 = tfrt_gpu.dnn.convolution_forward %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %wd, %w, %conv, %algo, %workspace, %yd, %y, %c4
  %to = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c6 = tfrt.call @print(%y, %to, %s, %c5) : (!tfrt_gpu.buffer, !t.tensor, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c6 : !tfrt.chain
}

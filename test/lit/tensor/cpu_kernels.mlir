// The kernels of networks in a program: a layer, softmax, reductions, layout, pooling.
// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'layer':
func.func @layer() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %x = "tfrt_test.const_dense_attr"() {value = dense<[[1.0, -2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> !tfrt_tensor.tensor
  %bias = "tfrt_test.const_dense_attr"() {value = dense<[0.5, 1.0]> : tensor<2xf32>} : () -> !tfrt_tensor.tensor
  %y = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 2]
  %c1 = "tfrt_cpu.add.f32"(%x, %bias, %y, %c0)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_cpu.relu.f32"(%y, %y, %c1) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: shape = [2, 2], values = [1.500000e+00, 0.000000e+00, 3.500000e+00, 5.000000e+00]
  %c3 = tfrt_dht.print_tensor %y, %c2
  %sum = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 1]
  %c4 = "tfrt_cpu.reduce_sum.f32"(%y, %sum, %c3) {axes = [-1], keep_dims = true}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: shape = [2, 1], values = [1.500000e+00, 8.500000e+00]
  %c5 = tfrt_dht.print_tensor %sum, %c4
  %c6 = "tfrt_cpu.softmax.f32"(%y, %y, %c5) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [8.175744e-01, 1.824255e-01, 1.824255e-01, 8.175744e-01]
  %c7 = tfrt_dht.print_tensor %y, %c6
  %class = tfrt_dht.create_uninitialized_tensor.i32.1 [2]
  %c8 = "tfrt_cpu.argmax.f32"(%y, %class, %c7) {axis = 1 : i64}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: dtype = i32, shape = [2], values = [0, 1]
  %c9 = tfrt_dht.print_tensor %class, %c8
  %floats = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  %c10 = "tfrt_cpu.cast.i32_to_f32"(%class, %floats, %c9)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c11 = "tfrt_cpu.gelu.f32"(%floats, %floats, %c10) {approximate = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [0.000000e+00, 8.413447e-01]
  %c12 = tfrt_dht.print_tensor %floats, %c11
  tfrt.return %c12 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'layout':
func.func @layout() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %x = "tfrt_test.const_dense_attr"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>} : () -> !tfrt_tensor.tensor
  %t = tfrt_dht.create_uninitialized_tensor.i32.2 [3, 2]
  %c1 = "tfrt_cpu.transpose.i32"(%x, %t, %c0) {permutation = [1, 0]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: shape = [3, 2], values = [1, 4, 2, 5, 3, 6]
  %c2 = tfrt_dht.print_tensor %t, %c1
  %both = tfrt_dht.create_uninitialized_tensor.i32.2 [2, 6]
  %c3 = "tfrt_cpu.concat.i32"(%both, %c2, %x, %x) {axis = 1 : i64}
      : (!tfrt_tensor.tensor, !tfrt.chain, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> !tfrt.chain
  // CHECK-NEXT: shape = [2, 6], values = [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6]
  %c4 = tfrt_dht.print_tensor %both, %c3
  %indices = "tfrt_test.const_dense_attr"() {value = dense<[2, 0, 2]> : tensor<3xi32>} : () -> !tfrt_tensor.tensor
  %rows = tfrt_dht.create_uninitialized_tensor.i32.2 [3, 2]
  %c5 = "tfrt_cpu.gather.i32"(%t, %indices, %rows, %c4) {axis = 0 : i64}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: shape = [3, 2], values = [3, 6, 1, 4, 3, 6]
  %c6 = tfrt_dht.print_tensor %rows, %c5
  %shape = ts.build_shape [2, 3]
  %padded = "tfrt_cpu.pad_shape"(%shape) {padding = [0, 1, 2, 0], value = 0.0 : f32} : (!ts.shape) -> !ts.shape
  // CHECK-NEXT: shape = [3, 5]
  %c7 = ts.print_shape %padded, %c6
  tfrt.return %c7 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'images':
func.func @images() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %image = "tfrt_test.const_dense_attr"() {value = dense<[[[[-1.0], [-2.0]], [[-3.0], [-4.0]]]]> : tensor<1x2x2x1xf32>}
      : () -> !tfrt_tensor.tensor
  %out = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 1, 1, 1]
  %c1 = "tfrt_cpu.max_pool2d.f32"(%image, %out, %c0) {ksize = [2, 2], padding = "valid", strides = [2, 2]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [-1.000000e+00]
  %c2 = tfrt_dht.print_tensor %out, %c1
  %c3 = "eigen.max_pooling_2d.f32"(%image, %out, %c2) {padding = "SAME", pool_size = [2, 2], strides = [2, 2]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [-1.000000e+00]
  %c4 = tfrt_dht.print_tensor %out, %c3
  %c5 = "tfrt_test.max_pooling_2d.f32"(%image, %out, %c4)
      {padding = "valid", pool_size = [2 : i32, 2 : i32], strides = [1 : i32, 1 : i32]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [-1.000000e+00]
  %c6 = tfrt_dht.print_tensor %out, %c5
  %framed = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 2, 4, 1]
  %c7 = "tfrt_test.zero_padding.f32"(%image, %framed, %c6) {padding = [0 : i32, 1 : i32]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: shape = [1, 2, 4, 1], values = [0.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 0.000000e+00, -3.000000e+00, -4.000000e+00, 0.000000e+00]
  %c8 = tfrt_dht.print_tensor %framed, %c7
  tfrt.return %c8 : !tfrt.chain
}

// RUN: mlir_to_bef %s | bef_executor | FileCheck %s

// CHECK-LABEL: --- Running 'no_broadcast':
func.func @no_broadcast() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %a = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 3]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: the shapes [2, 3] and [2] cannot be broadcast together}}
  %c1 = "tfrt_cpu.add.f32"(%a, %b, %a, %c0)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'wrong_output':
func.func @wrong_output() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %a = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 3]
  %out = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: reduce_max: the output has the shape [2], expected [3]}}
  %c1 = "tfrt_cpu.reduce_max.f32"(%a, %out, %c0) {axes = [0], keep_dims = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'overlap':
func.func @overlap() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %a = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 2]
  // expected-error@+1 {{runtime error: transpose: the output overlaps an input}}
  %c1 = "tfrt_cpu.transpose.f32"(%a, %a, %c0) {permutation = [1, 0]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'index_out_of_range':
func.func @index_out_of_range() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %table = tfrt_dht.create_uninitialized_tensor.f32.2 [5, 3]
  %indices = "tfrt_test.const_dense_attr"() {value = dense<[0, 5]> : tensor<2xi32>} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 3]
  // expected-error@+1 {{runtime error: gather: index 5 is out of range for axis 0 of the shape [5, 3]}}
  %c1 = "tfrt_cpu.gather.f32"(%table, %indices, %out, %c0) {axis = 0 : i64}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'pool_padding':
func.func @pool_padding() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %image = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 2, 2, 1]
  // expected-error@+1 {{runtime error: MaxPool2D padding 'full' is not recognized}}
  %c1 = "tfrt_test.max_pooling_2d.f32"(%image, %image, %c0)
      {padding = "full", pool_size = [2 : i32, 2 : i32], strides = [1 : i32, 1 : i32]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'negative_window':
func.func @negative_window() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %image = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 2, 2, 1]
  // expected-error@+1 {{runtime error: Computed output size would be negative: -2 (input_size: 2, filter_size: 5, stride: 1, dilation: 1)}}
  %c1 = "tfrt_cpu.avg_pool2d.f32"(%image, %image, %c0) {ksize = [5, 5], padding = "valid", strides = [1, 1]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

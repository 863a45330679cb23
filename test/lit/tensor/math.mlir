// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'linear_layer':
func.func @linear_layer() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %one = tfrt.constant.f32 1.0
  %x = "tfrt_test.const_dense_attr"() {value = dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf32>}
      : () -> !tfrt_tensor.tensor
  %w = "tfrt_test.const_dense_attr"()
      {value = dense<[[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf32>}
      : () -> !tfrt_tensor.tensor
  %b = "tfrt_test.const_dense_attr"() {value = dense<[0.5, 0.5, 0.0]> : tensor<3xf32>}
      : () -> !tfrt_tensor.tensor
  %shape = "ts.build_shape"() {value = [2, 3]} : () -> !ts.shape
  %y = "tfrt_test.broadcast.f32.2"(%b, %shape)
      : (!tfrt_tensor.tensor, !ts.shape) -> !tfrt_tensor.tensor
  %c1 = "eigen.matmul.f32"(%one, %x, %w, %one, %y, %c0)
      : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain)
      -> !tfrt.chain
  // CHECK-NEXT: shape = [2, 3], values = [1.500000e+00, 2.500000e+00, 6.000000e+00, 3.500000e+00, -3.500000e+00, -2.000000e+00]
  %c2 = "tfrt_dht.print_tensor"(%y, %c1) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = "tfrt_test.relu_inplace.f32"(%y, %c2) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [1.500000e+00, 2.500000e+00, 6.000000e+00, 3.500000e+00, 0.000000e+00, 0.000000e+00]
  %c4 = "tfrt_dht.print_tensor"(%y, %c3) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %class = "tfrt_test.argmax.f32.2"(%y, %c3)
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt_tensor.tensor
  // CHECK-NEXT: dtype = i32, shape = [2], values = [2, 0]
  %c5 = "tfrt_dht.print_tensor"(%class, %c4) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c5 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'elementwise':
func.func @elementwise() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %a = "tfrt_test.const_dense_attr"() {value = dense<[1, -2, 3]> : tensor<3xi32>}
      : () -> !tfrt_tensor.tensor
  %out = "tfrt_dht.create_uninitialized_tensor.i32.1"() {shape = [3]} : () -> !tfrt_tensor.tensor
  %c1 = "tfrt_test.add.i32"(%a, %a, %out, %c0)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [2, -4, 6]
  %c2 = "tfrt_dht.print_tensor"(%out, %c1) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = "tfrt_test.add_inplace.i32"(%a, %out, %c2)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [3, -6, 9]
  %c4 = "tfrt_dht.print_tensor"(%out, %c3) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c5 = "tfrt_test.relu.i32"(%a, %out, %c4)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [1, 0, 3]
  %c6 = "tfrt_dht.print_tensor"(%out, %c5) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c7 = "tfrt_test.equal_inplace.i32"(%a, %out, %c6)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [1, 0, 1]
  %c8 = "tfrt_dht.print_tensor"(%out, %c7) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %f = "tfrt_dht.create_uninitialized_tensor.f32.1"() {shape = [3]} : () -> !tfrt_tensor.tensor
  %c9 = "tfrt_test.cast.i32_to_f32"(%out, %f, %c8)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %mean = "tfrt_test.reduce_mean.f32.1"(%f, %c9)
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt_tensor.tensor
  // CHECK-NEXT: shape = [], values = [6.666667e-01]
  %c10 = "tfrt_dht.print_tensor"(%mean, %c9) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c11 = "tfrt_dht.fill_tensor_with_constant.f32"(%f, %c10) {value = 2.0 : f32}
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c12 = "tfrt_test.softmax_inplace.f32"(%f, %c11)
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [3.333333e-01, 3.333333e-01, 3.333333e-01]
  %c13 = "tfrt_dht.print_tensor"(%f, %c12) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c13 : !tfrt.chain
}

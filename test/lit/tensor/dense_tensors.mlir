// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'dense':
func.func @dense() -> i1 {
  %c0 = tfrt.new.chain
  %t = "tfrt_dht.create_uninitialized_tensor.i32.2"() {shape = [2, 2]} : () -> !tfrt_tensor.tensor
  %c1 = "tfrt_dht.set_tensor_with_constant_values.i32"(%t, %c0)
      {values = [7 : i32, 8 : i32, 9 : i32, 10 : i32]}
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %u = "tfrt_dht.create_uninitialized_tensor.f32.0"() {shape = []} : () -> !tfrt_tensor.tensor
  %c2 = "tfrt_dht.fill_tensor_with_constant.f32"(%u, %c1) {value = 0.25 : f32}
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = "tfrt_dht.print_tensor"(%t, %c2) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c4 = "tfrt_dht.print_tensor"(%u, %c3) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %eq, %c5 = "tfrt_dht.tensor_equal.i32"(%t, %t, %c4)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> (i1, !tfrt.chain)
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2, 2], values = [7, 8, 9, 10]
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [], values = [2.500000e-01]
  // CHECK-NEXT: 'dense' returned 1
  tfrt.return %eq : i1
}

// CHECK-LABEL: --- Running 'long_and_empty':
func.func @long_and_empty() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %t = "tfrt_dht.create_uninitialized_tensor.i8.1"() {shape = [17]} : () -> !tfrt_tensor.tensor
  %c1 = "tfrt_dht.fill_tensor_with_constant.i8"(%t, %c0) {value = 7 : i8}
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = i8, shape = [17], values = [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, ... ]
  %c2 = "tfrt_dht.print_tensor"(%t, %c1) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %e = "tfrt_dht.create_uninitialized_tensor.bool.2"() {shape = [3, 0]} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: DenseHostTensor dtype = i1, shape = [3, 0], values = []
  %c3 = "tfrt_dht.print_tensor"(%e, %c2) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: [3, 0]
  %c4 = "tfrt_dht.print_tensor_shape"(%e, %c3) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c4 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'values':
func.func @values() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %b = "tfrt_dht.create_uninitialized_tensor.bool.1"() {shape = [2]} : () -> !tfrt_tensor.tensor
  %c1 = "tfrt_dht.set_tensor_with_constant_values.bool"(%b, %c0) {values = [true, false]}
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = i1, shape = [2], values = [1, 0]
  %c2 = "tfrt_dht.print_tensor"(%b, %c1) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %z = "tfrt_dht.create_uninitialized_tensor.complex64.1"() {shape = [1]} : () -> !tfrt_tensor.tensor
  %c3 = "tfrt_dht.set_tensor_with_constant_values.complex64"(%z, %c2)
      {values = [1.5 : f32, -2.0 : f32]} : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = complex64, shape = [1], values = [(1.500000e+00,-2.000000e+00)]
  %c4 = "tfrt_dht.print_tensor"(%z, %c3) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %x = tfrt.constant.f64 1.5
  %y = tfrt.constant.f64 2.5
  %d = "tfrt_dht.create_uninitialized_tensor.f64.1"() {shape = [2]} : () -> !tfrt_tensor.tensor
  %c5 = "tfrt_dht.set_tensor_with_values.f64"(%d, %c4, %x, %y)
      : (!tfrt_tensor.tensor, !tfrt.chain, f64, f64) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = f64, shape = [2], values = [1.500000e+00, 2.500000e+00]
  %c6 = "tfrt_dht.print_tensor"(%d, %c5) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c6 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'comparisons':
func.func @comparisons() -> (i1, i1, i1) {
  %c0 = tfrt.new.chain
  %a = "tfrt_test.const_dense_attr"() {value = dense<[1.0, 2.0]> : tensor<2xf32>}
      : () -> !tfrt_tensor.tensor
  %b = "tfrt_test.const_dense_attr"() {value = dense<[1.0, 2.01]> : tensor<2xf32>}
      : () -> !tfrt_tensor.tensor
  %s = "tfrt_test.const_dense_attr"() {value = dense<[[1.0, 2.0]]> : tensor<1x2xf32>}
      : () -> !tfrt_tensor.tensor
  %0, %c1 = "tfrt_dht.tensor_allclose.f32"(%a, %b, %c0)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> (i1, !tfrt.chain)
  %1, %c2 = "tfrt_dht.tensor_allclose.100000ulp.f32"(%a, %b, %c0)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> (i1, !tfrt.chain)
  %2, %c3 = "tfrt_dht.tensor_equal.f32"(%a, %s, %c0)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> (i1, !tfrt.chain)
  // CHECK-NEXT: 'comparisons' returned 0,1,0
  tfrt.return %0, %1, %2 : i1, i1, i1
}

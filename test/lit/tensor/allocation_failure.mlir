// RUN: mlir_to_bef %s | bef_executor --host_allocator_type=test_fixed_size_1k | FileCheck %s

// CHECK-LABEL: --- Running 'too_large':
func.func @too_large() -> !tfrt_tensor.tensor {
  // CHECK: 'too_large' returned <<error: Cannot allocate tensor>>
  // expected-error@+1 {{runtime error: Cannot allocate tensor}}
  %t = "tfrt_dht.create_uninitialized_tensor.f32.1"() {shape = [1000]} : () -> !tfrt_tensor.tensor
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'too_large_result':
func.func @too_large_result() -> !tfrt_tensor.tensor {
  %v = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2xf32>}
      : () -> !tfrt_tensor.tensor
  %shape = "ts.build_shape"() {value = [500, 2]} : () -> !ts.shape
  // CHECK: 'too_large_result' returned <<error: cannot allocate result tensor>>
  // expected-error@+1 {{runtime error: cannot allocate result tensor}}
  %t = "tfrt_test.broadcast.f32.2"(%v, %shape)
      : (!tfrt_tensor.tensor, !ts.shape) -> !tfrt_tensor.tensor
  tfrt.return %t : !tfrt_tensor.tensor
}

// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'sparse':
func.func @sparse() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %t = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 2]
  %c1 = tfrt_dht.set_tensor_with_constant_values.f32 %t, %c0 [0.0 : f32, 3.5 : f32, 0.0 : f32, -1.0 : f32]
  %k, %c2 = coo.convert_dht_to_coo.f32.2 %t, %c1
  // CHECK-NEXT: {{^}}CooHostTensor dtype = f32, shape = [2, 2], indices = [0, 1, 1, 1], values = [3.500000e+00, -1.000000e+00]{{$}}
  // CHECK-EMPTY:
  %c3 = tfrt_dht.print_tensor %k, %c2
  %u, %c4 = coo.convert_coo_to_dht.f32.2 %k, %c3
  // CHECK-NEXT: {{^}}DenseHostTensor dtype = f32, shape = [2, 2], values = [0.000000e+00, 3.500000e+00, 0.000000e+00, -1.000000e+00]{{$}}
  %c5 = tfrt_dht.print_tensor %u, %c4
  %e, %c6 = coo.tensor_equal.f32.2 %k, %k, %c5
  // CHECK-NEXT: int1 = 1
  %c7 = tfrt.print.i1 %e, %c6
  tfrt.return %c7 : !tfrt.chain
}

// The indices of a shape that does not read the same backwards are those of the reversed shape; the elements come
// back to their places.
// CHECK-LABEL: --- Running 'reversed_indices':
func.func @reversed_indices() -> i1 {
  %c0 = tfrt.new.chain
  %t = "tfrt_test.const_dense_attr"() {value = dense<[[0, 10, 0], [0, 0, 20]]> : tensor<2x3xi32>} : () -> !tfrt_tensor.tensor
  %k, %c1 = coo.convert_dht_to_coo.i32.2 %t, %c0
  // CHECK-NEXT: CooHostTensor dtype = i32, shape = [2, 3], indices = [0, 1, 2, 1], values = [10, 20]
  %c2 = tfrt_dht.print_tensor %k, %c1
  %u, %c3 = coo.convert_coo_to_dht.i32.2 %k, %c2
  %e, %c4 = tfrt_dht.tensor_equal.i32 %t, %u, %c3
  // CHECK: 'reversed_indices' returned 1
  tfrt.return %e : i1
}

// CHECK-LABEL: --- Running 'other_rank':
func.func @other_rank() -> !tfrt_tensor.tensor {
  %c0 = tfrt.new.chain
  %t = "tfrt_test.const_dense_attr"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{the tensor to convert has the shape [2], expected rank 2}}
  %k, %c1 = coo.convert_dht_to_coo.i32.2 %t, %c0
  // CHECK-NEXT: 'other_rank' returned <<error: the tensor to convert has the shape [2], expected rank 2>>
  tfrt.return %k : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'other_dtype':
func.func @other_dtype() -> i1 {
  %c0 = tfrt.new.chain
  %t = "tfrt_test.const_dense_attr"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> !tfrt_tensor.tensor
  %k, %c1 = coo.convert_dht_to_coo.i32.1 %t, %c0
  // expected-error@+1 {{the compared tensor is a tensor of i32, expected f32}}
  %e, %c2 = coo.tensor_equal.f32.1 %k, %k, %c1
  // CHECK-NEXT: 'other_dtype' returned <<error: the compared tensor is a tensor of i32, expected f32>>
  tfrt.return %e : i1
}

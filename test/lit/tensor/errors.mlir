// RUN: mlir_to_bef %s | bef_executor | FileCheck %s

// CHECK-LABEL: --- Running 'negative_dimension':
func.func @negative_dimension() -> !tfrt_tensor.tensor {
  // CHECK-NEXT: 'negative_dimension' returned <<error: shape [2, -1] has the negative dimension -1>>
  // expected-error@+1 {{runtime error: shape [2, -1] has the negative dimension -1}}
  %r0 = "tfrt_dht.create_uninitialized_tensor.f32.2"()
      {shape = [2, -1]}
      : () -> !tfrt_tensor.tensor
  tfrt.return %r0 : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'too_many_elements':
func.func @too_many_elements() -> i64 {
  %s = ts.build_shape [4294967296, 4294967296]
  // CHECK-NEXT: 'too_many_elements' returned <<error: shape [4294967296, 4294967296] has more than 9223372036854775807 elements>>
  // expected-error@+1 {{runtime error: shape [4294967296, 4294967296] has more than 9223372036854775807 elements}}
  %r0 = ts.get_num_elements %s
  tfrt.return %r0 : i64
}

// CHECK-LABEL: --- Running 'dimension_out_of_range':
func.func @dimension_out_of_range() -> i64 {
  %s = "ts.build_shape"() {value = [2, 5]} : () -> !ts.shape
  %i = tfrt.constant.i32 2
  // CHECK-NEXT: 'dimension_out_of_range' returned <<error: dimension 2 is out of range for the shape [2, 5]>>
  // expected-error@+1 {{runtime error: dimension 2 is out of range for the shape [2, 5]}}
  %r0 = "ts.get_dimension"(%s, %i)
      : (!ts.shape, i32) -> i64
  tfrt.return %r0 : i64
}

// CHECK-LABEL: --- Running 'value_count':
func.func @value_count() -> !tfrt.chain {
  %c = tfrt.new.chain
  %t = "tfrt_dht.create_uninitialized_tensor.i32.2"() {shape = [2, 2]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'value_count' returned <<error: Incorrect number of values for the tensor: 3, but expected 4>>
  // expected-error@+1 {{runtime error: Incorrect number of values for the tensor: 3, but expected 4}}
  %r0 = "tfrt_dht.set_tensor_with_constant_values.i32"(%t, %c)
      {values = [1 : i32, 2 : i32, 3 : i32]}
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %r0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'complex_value_count':
func.func @complex_value_count() -> !tfrt.chain {
  %c = tfrt.new.chain
  %t = "tfrt_dht.create_uninitialized_tensor.complex64.1"() {shape = [2]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'complex_value_count' returned <<error: Incorrect number of real and imaginary values for the complex tensor: 3, but expected 4>>
  // expected-error@+1 {{runtime error: Incorrect number of real and imaginary values for the complex tensor: 3, but expected 4}}
  %r0 = "tfrt_dht.set_tensor_with_constant_values.complex64"(%t, %c)
      {values = [1.0 : f32, 2.0 : f32, 3.0 : f32]}
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %r0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'operand_count':
func.func @operand_count() -> !tfrt.chain {
  %c = tfrt.new.chain
  %t = "tfrt_dht.create_uninitialized_tensor.f32.1"() {shape = [2]}
      : () -> !tfrt_tensor.tensor
  %one = tfrt.constant.f32 1.0
  // CHECK-NEXT: 'operand_count' returned <<error: Incorrect number of values for the tensor: 1, but expected 2>>
  // expected-error@+1 {{runtime error: Incorrect number of values for the tensor: 1, but expected 2}}
  %r0 = "tfrt_dht.set_tensor_with_values.f32"(%t, %c, %one)
      : (!tfrt_tensor.tensor, !tfrt.chain, f32) -> !tfrt.chain
  tfrt.return %r0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'wrong_dtype':
func.func @wrong_dtype() -> !tfrt.chain {
  %c = tfrt.new.chain
  %t = "tfrt_dht.create_uninitialized_tensor.f32.1"() {shape = [2]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'wrong_dtype' returned <<error: the tensor to fill is a tensor of f32, expected i32>>
  // expected-error@+1 {{runtime error: the tensor to fill is a tensor of f32, expected i32}}
  %r0 = "tfrt_dht.fill_tensor_with_constant.i32"(%t, %c)
      {value = 1 : i32}
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %r0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'constant_is_read_only':
func.func @constant_is_read_only() -> !tfrt.chain {
  %c = tfrt.new.chain
  %v = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2xf32>}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'constant_is_read_only' returned <<error: cannot write to the constant tensor of shape [2]>>
  // expected-error@+1 {{runtime error: cannot write to the constant tensor of shape [2]}}
  %r0 = "tfrt_dht.fill_tensor_with_constant.f32"(%v, %c)
      {value = 1.0 : f32}
      : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %r0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'compared_dtype':
func.func @compared_dtype() -> i1 {
  %c = tfrt.new.chain
  %i = "tfrt_test.const_dense_attr"() {value = dense<1> : tensor<2xi32>}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'compared_dtype' returned <<error: the compared tensor is a tensor of i32, expected f32>>
  // expected-error@+1 {{runtime error: the compared tensor is a tensor of i32, expected f32}}
  %r0, %r1 = "tfrt_dht.tensor_equal.f32"(%i, %i, %c)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> (i1, !tfrt.chain)
  tfrt.return %r0 : i1
}

// CHECK-LABEL: --- Running 'add_shapes':
func.func @add_shapes() -> !tfrt.chain {
  %c = tfrt.new.chain
  %a = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2x2xf32>}
      : () -> !tfrt_tensor.tensor
  %v = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2xf32>}
      : () -> !tfrt_tensor.tensor
  %out = "tfrt_dht.create_uninitialized_tensor.f32.1"() {shape = [2]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'add_shapes' returned <<error: add of tensors of different shapes: [2] and [2, 2]>>
  // expected-error@+1 {{runtime error: add of tensors of different shapes: [2] and [2, 2]}}
  %r0 = "tfrt_test.add.f32"(%v, %a, %out, %c)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %r0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'relu_output_dtype':
func.func @relu_output_dtype() -> !tfrt.chain {
  %c = tfrt.new.chain
  %v = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2xf32>}
      : () -> !tfrt_tensor.tensor
  %out = "tfrt_dht.create_uninitialized_tensor.i32.1"() {shape = [2]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'relu_output_dtype' returned <<error: the output is a tensor of i32, expected f32>>
  // expected-error@+1 {{runtime error: the output is a tensor of i32, expected f32}}
  %r0 = "tfrt_test.relu.f32"(%v, %out, %c)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %r0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'argmax_rank':
func.func @argmax_rank() -> !tfrt_tensor.tensor {
  %v = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2xf32>}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'argmax_rank' returned <<error: the argmax input has the shape [2], expected rank 2>>
  // expected-error@+1 {{runtime error: the argmax input has the shape [2], expected rank 2}}
  %r0 = "tfrt_test.argmax.f32.2"(%v)
      : (!tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  tfrt.return %r0 : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'argmax_columns':
func.func @argmax_columns() -> !tfrt_tensor.tensor {
  %e = "tfrt_dht.create_uninitialized_tensor.f32.2"() {shape = [2, 0]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'argmax_columns' returned <<error: argmax over 0 columns has no 32-bit index: [2, 0]>>
  // expected-error@+1 {{runtime error: argmax over 0 columns has no 32-bit index: [2, 0]}}
  %r0 = "tfrt_test.argmax.f32.2"(%e)
      : (!tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  tfrt.return %r0 : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'mean_of_nothing':
func.func @mean_of_nothing() -> !tfrt_tensor.tensor {
  %e = "tfrt_dht.create_uninitialized_tensor.f32.1"() {shape = [0]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'mean_of_nothing' returned <<error: reduce_mean of a tensor without elements>>
  // expected-error@+1 {{runtime error: reduce_mean of a tensor without elements}}
  %r0 = "tfrt_test.reduce_mean.f32.1"(%e)
      : (!tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  tfrt.return %r0 : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'broadcast_shapes':
func.func @broadcast_shapes() -> !tfrt_tensor.tensor {
  %v = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2xf32>}
      : () -> !tfrt_tensor.tensor
  %s = "ts.build_shape"() {value = [2, 3]} : () -> !ts.shape
  // CHECK-NEXT: 'broadcast_shapes' returned <<error: broadcast input tensor dimension and target shape mismatch: [2] vs. [2, 3]>>
  // expected-error@+1 {{runtime error: broadcast input tensor dimension and target shape mismatch: [2] vs. [2, 3]}}
  %r0 = "tfrt_test.broadcast.f32.2"(%v, %s)
      : (!tfrt_tensor.tensor, !ts.shape) -> !tfrt_tensor.tensor
  tfrt.return %r0 : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'matmul_inner_dimension':
func.func @matmul_inner_dimension() -> !tfrt.chain {
  %c = tfrt.new.chain
  %one = tfrt.constant.f32 1.0
  %a = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2x2xf32>}
      : () -> !tfrt_tensor.tensor
  %b = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2x3xf32>}
      : () -> !tfrt_tensor.tensor
  %out = "tfrt_dht.create_uninitialized_tensor.f32.2"() {shape = [2, 2]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'matmul_inner_dimension' returned <<error: MatMul input tensors inner dimension mismatch: [2, 3] vs. [2, 2]>>
  // expected-error@+1 {{runtime error: MatMul input tensors inner dimension mismatch: [2, 3] vs. [2, 2]}}
  %r0 = "eigen.matmul.f32"(%one, %b, %a, %one, %out, %c)
      : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %r0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'matmul_output_shape':
func.func @matmul_output_shape() -> !tfrt.chain {
  %c = tfrt.new.chain
  %one = tfrt.constant.f32 1.0
  %a = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2x2xf32>}
      : () -> !tfrt_tensor.tensor
  %b = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2x3xf32>}
      : () -> !tfrt_tensor.tensor
  %out = "tfrt_dht.create_uninitialized_tensor.f32.2"() {shape = [2, 2]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'matmul_output_shape' returned <<error: MatMul output shape [2, 2] does not match product shape of inputs: [2, 2] * [2, 3]>>
  // expected-error@+1 {{runtime error: MatMul output shape [2, 2] does not match product shape of inputs: [2, 2] * [2, 3]}}
  %r0 = "eigen.matmul.f32"(%one, %a, %b, %one, %out, %c)
      : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %r0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'matmul_rank':
func.func @matmul_rank() -> !tfrt.chain {
  %c = tfrt.new.chain
  %one = tfrt.constant.f32 1.0
  %a = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2x2xf32>}
      : () -> !tfrt_tensor.tensor
  %v = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2xf32>}
      : () -> !tfrt_tensor.tensor
  %out = "tfrt_dht.create_uninitialized_tensor.f32.2"() {shape = [2, 2]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'matmul_rank' returned <<error: the first matmul input has the shape [2], expected rank 2>>
  // expected-error@+1 {{runtime error: the first matmul input has the shape [2], expected rank 2}}
  %r0 = "eigen.matmul.f32"(%one, %v, %a, %one, %out, %c)
      : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %r0 : !tfrt.chain
}

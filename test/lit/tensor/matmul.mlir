// tfrt_test.matmul.DT.2: out = alpha * a * b + beta * out. The lite driver has it, too.
// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck %s
// RUN: bef_executor_lite %t.bef | FileCheck %s

// CHECK-LABEL: --- Running 'f32':
func.func @f32() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %alpha = tfrt.constant.f32 2.0
  %beta = tfrt.constant.f32 0.5
  %zero = tfrt.constant.f32 0.0
  %a = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 3]
  %c1 = tfrt_dht.set_tensor_with_constant_values.f32 %a, %c0 [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32]
  %b = tfrt_dht.create_uninitialized_tensor.f32.2 [3, 1]
  %c2 = tfrt_dht.set_tensor_with_constant_values.f32 %b, %c1 [1.0 : f32, 0.0 : f32, -1.0 : f32]
  %out = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 1]
  %c3 = tfrt_dht.set_tensor_with_constant_values.f32 %out, %c2 [10.0 : f32, 20.0 : f32]
  %c4 = "tfrt_test.matmul.f32.2"(%alpha, %a, %b, %beta, %out, %c3)
      : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2, 1], values = [1.000000e+00, 6.000000e+00]
  %c5 = tfrt_dht.print_tensor %out, %c4
  // Beta 0 ignores what the output holds.
  %c6 = tfrt_dht.fill_tensor_with_constant.f32 %out, %c5 0x7FC00000 : f32
  %c7 = "tfrt_test.matmul.f32.2"(%alpha, %a, %b, %zero, %out, %c6)
      : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [-4.000000e+00, -4.000000e+00]
  %c8 = tfrt_dht.print_tensor %out, %c7
  tfrt.return %c8 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'f64':
func.func @f64() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %alpha = tfrt.constant.f64 1.0
  %beta = tfrt.constant.f64 -1.0
  %a = "tfrt_test.const_dense_attr"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>} : () -> !tfrt_tensor.tensor
  %out = "tfrt_dht.create_uninitialized_tensor.f64.2"() {shape = [2, 2]} : () -> !tfrt_tensor.tensor
  %c1 = "tfrt_dht.fill_tensor_with_constant.f64"(%out, %c0) {value = 0.5 : f64} : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_test.matmul.f64.2"(%alpha, %a, %a, %beta, %out, %c1)
      : (f64, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f64, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = f64, shape = [2, 2], values = [6.500000e+00, 9.500000e+00, 1.450000e+01, 2.150000e+01]
  %c3 = tfrt_dht.print_tensor %out, %c2
  tfrt.return %c3 : !tfrt.chain
}

// Integers wrap; the output may be an input.
// CHECK-LABEL: --- Running 'integers':
func.func @integers() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %one = tfrt.constant.i32 1
  %zero = tfrt.constant.i32 0
  %a = tfrt_dht.create_uninitialized_tensor.i32.2 [2, 2]
  %c1 = tfrt_dht.set_tensor_with_constant_values.i32 %a, %c0 [1 : i32, 2 : i32, 0 : i32, 65536 : i32]
  %c2 = "tfrt_test.matmul.i32.2"(%one, %a, %a, %zero, %a, %c1)
      : (i32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, i32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2, 2], values = [1, 131074, 0, 0]
  %c3 = tfrt_dht.print_tensor %a, %c2
  %three = tfrt.constant.i64 3
  %minus = tfrt.constant.i64 -1
  %b = tfrt_dht.create_uninitialized_tensor.i64.2 [1, 1]
  %c4 = tfrt_dht.set_tensor_with_constant_values.i64 %b, %c3 [4611686018427387904 : i64]
  %out = tfrt_dht.create_uninitialized_tensor.i64.2 [1, 1]
  %c5 = tfrt_dht.set_tensor_with_constant_values.i64 %out, %c4 [7 : i64]
  %c6 = "tfrt_test.matmul.i64.2"(%three, %b, %out, %minus, %out, %c5)
      : (i64, !tfrt_tensor.tensor, !tfrt_tensor.tensor, i64, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = i64, shape = [1, 1], values = [4611686018427387897]
  %c7 = tfrt_dht.print_tensor %out, %c6
  tfrt.return %c7 : !tfrt.chain
}

// Without an inner dimension the product is 0; without rows there is nothing to do.
// CHECK-LABEL: --- Running 'empty':
func.func @empty() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %one = tfrt.constant.i64 1
  %two = tfrt.constant.i64 2
  %a = tfrt_dht.create_uninitialized_tensor.i64.2 [2, 0]
  %b = tfrt_dht.create_uninitialized_tensor.i64.2 [0, 2]
  %out = tfrt_dht.create_uninitialized_tensor.i64.2 [2, 2]
  %c1 = tfrt_dht.fill_tensor_with_constant.i64 %out, %c0 21
  %c2 = "tfrt_test.matmul.i64.2"(%one, %a, %b, %two, %out, %c1)
      : (i64, !tfrt_tensor.tensor, !tfrt_tensor.tensor, i64, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: values = [42, 42, 42, 42]
  %c3 = tfrt_dht.print_tensor %out, %c2
  %c4 = "tfrt_test.matmul.i64.2"(%one, %b, %out, %two, %b, %c3)
      : (i64, !tfrt_tensor.tensor, !tfrt_tensor.tensor, i64, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: shape = [0, 2], values = []
  %c5 = tfrt_dht.print_tensor %b, %c4
  tfrt.return %c5 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'inner_dimensions':
// CHECK-NEXT: 'inner_dimensions' returned <<error: MatMul input tensors inner dimension mismatch: [2, 3] vs. [2, 3]>>
func.func @inner_dimensions() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %one = tfrt.constant.i64 1
  %a = tfrt_dht.create_uninitialized_tensor.i64.2 [2, 3]
  // expected-error@+1 {{runtime error: MatMul input tensors inner dimension mismatch: [2, 3] vs. [2, 3]}}
  %c1 = "tfrt_test.matmul.i64.2"(%one, %a, %a, %one, %a, %c0)
      : (i64, !tfrt_tensor.tensor, !tfrt_tensor.tensor, i64, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'output_shape':
// CHECK-NEXT: 'output_shape' returned <<error: MatMul output shape [3, 2] does not match product shape of inputs: [2, 3] * [3, 2]>>
func.func @output_shape() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %one = tfrt.constant.f32 1.0
  %a = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 3]
  %b = tfrt_dht.create_uninitialized_tensor.f32.2 [3, 2]
  // expected-error@+1 {{runtime error: MatMul output shape [3, 2] does not match product shape of inputs: [2, 3] * [3, 2]}}
  %c1 = "tfrt_test.matmul.f32.2"(%one, %a, %b, %one, %b, %c0)
      : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'rank':
// CHECK-NEXT: 'rank' returned <<error: the second matmul input has the shape [2], expected rank 2>>
func.func @rank() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %one = tfrt.constant.i32 1
  %a = tfrt_dht.create_uninitialized_tensor.i32.2 [2, 2]
  %b = tfrt_dht.create_uninitialized_tensor.i32.1 [2]
  // expected-error@+1 {{runtime error: the second matmul input has the shape [2], expected rank 2}}
  %c1 = "tfrt_test.matmul.i32.2"(%one, %a, %b, %one, %a, %c0)
      : (i32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, i32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'dtype':
// CHECK-NEXT: 'dtype' returned <<error: the matmul output is a tensor of i32, expected i64>>
func.func @dtype() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %one = tfrt.constant.i64 1
  %a = tfrt_dht.create_uninitialized_tensor.i64.2 [2, 2]
  %out = tfrt_dht.create_uninitialized_tensor.i32.2 [2, 2]
  // expected-error@+1 {{runtime error: the matmul output is a tensor of i32, expected i64}}
  %c1 = "tfrt_test.matmul.i64.2"(%one, %a, %a, %one, %out, %c0)
      : (i64, !tfrt_tensor.tensor, !tfrt_tensor.tensor, i64, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'factor':
// CHECK-NEXT: 'factor' returned <<error: argument 0 has type 'float', but the kernel takes 'double'>>
func.func @factor() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %one = tfrt.constant.f32 1.0
  %a = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 2]
  // expected-error@+1 {{argument 0 has type 'float', but the kernel takes 'double'}}
  %c1 = "tfrt_test.matmul.f64.2"(%one, %a, %a, %one, %a, %c0)
      : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

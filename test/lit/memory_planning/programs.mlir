// Programs print the same with and without planned memory, on one thread and on two.
// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef --plan-memory %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef --plan-memory %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// The plan survives the way back to MLIR.
// RUN: mlir_to_bef --plan-memory %s | bef_to_mlir | FileCheck %s --check-prefix=PLAN
// RUN: mlir_to_bef --plan-memory %s | bef_to_mlir | mlir_to_bef | bef_executor | FileCheck %s

// PLAN: func.func @layers() -> !tfrt.chain attributes {tfrt.memory_planned}
// PLAN-COUNT-4: tfrt_dht.tensor_in_buffer.f32

// CHECK-LABEL: --- Running 'layers':
func.func @layers() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %a = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 2]
  %w = "tfrt_test.const_dense_attr"() {value = dense<[[0.0, 1.0], [1.0, 0.0]]> : tensor<2x2xf32>} : () -> !tfrt_tensor.tensor
  %x = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 2]
  %y = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 2]
  %z = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 2]
  %one = tfrt.constant.f32 1.0
  %zero = tfrt.constant.f32 0.0
  %c1 = tfrt_dht.set_tensor_with_constant_values.f32 %a, %c0 [1.0 : f32, -2.0 : f32, -3.0 : f32, 4.0 : f32]
  %c2 = "eigen.matmul.f32"(%one, %a, %w, %zero, %x, %c1)
      : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = "tfrt_test.relu.f32"(%x, %y, %c2) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c4 = "eigen.matmul.f32"(%one, %y, %w, %zero, %z, %c3)
      : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2, 2], values = [1.000000e+00, 0.000000e+00, 0.000000e+00, 4.000000e+00]
  %c5 = tfrt_dht.print_tensor %z, %c4
  // CHECK-NEXT: 'layers' returned !tfrt.chain value
  tfrt.return %c5 : !tfrt.chain
}

// The tensors of one run are not those of the next.
// CHECK-LABEL: --- Not running 'sum' because it has arguments.
func.func @sum(%n: i64, %c0: !tfrt.chain) -> !tfrt_tensor.tensor {
  %a = tfrt_dht.create_uninitialized_tensor.i64.1 [2]
  %b = tfrt_dht.create_uninitialized_tensor.i64.1 [2]
  %sum = tfrt_dht.create_uninitialized_tensor.i64.1 [2]
  %c1 = "tfrt_dht.set_tensor_with_values.i64"(%a, %c0, %n, %n) : (!tfrt_tensor.tensor, !tfrt.chain, i64, i64) -> !tfrt.chain
  %c2 = "tfrt_test.relu.i64"(%a, %b, %c1) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = "tfrt_test.add.i64"(%b, %b, %sum, %c2) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %done = "tfrt.alias.value"(%c3, %sum) : (!tfrt.chain, !tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  tfrt.return %done : !tfrt_tensor.tensor
}
// CHECK-LABEL: --- Running 'two_runs':
func.func @two_runs() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %n = tfrt.constant.i64 3
  %m = tfrt.constant.i64 -3
  %k = tfrt.constant.i64 20
  %x = tfrt.call @sum(%n, %c0) : (i64, !tfrt.chain) -> !tfrt_tensor.tensor
  %y = tfrt.call @sum(%m, %c0) : (i64, !tfrt.chain) -> !tfrt_tensor.tensor
  %z = tfrt.call @sum(%k, %c0) : (i64, !tfrt.chain) -> !tfrt_tensor.tensor
  // CHECK-NEXT: DenseHostTensor dtype = i64, shape = [2], values = [6, 6]
  // CHECK-NEXT: DenseHostTensor dtype = i64, shape = [2], values = [0, 0]
  // CHECK-NEXT: DenseHostTensor dtype = i64, shape = [2], values = [40, 40]
  %c1 = tfrt_dht.print_tensor %x, %c0
  %c2 = tfrt_dht.print_tensor %y, %c1
  %c3 = tfrt_dht.print_tensor %z, %c2
  tfrt.return %c3 : !tfrt.chain
}

// Kernels that work in place, and one between them that cannot: seven tensors in the bytes of three.
// PLAN: func.func @cpu_kernels
// PLAN: tfrt.constant.i64 192
// CHECK-LABEL: --- Running 'cpu_kernels':
func.func @cpu_kernels() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %a = tfrt_dht.create_uninitialized_tensor.i32.2 [2, 3]
  %b = tfrt_dht.create_uninitialized_tensor.i32.1 [3]
  %sum = tfrt_dht.create_uninitialized_tensor.i32.2 [2, 3]
  %relu = tfrt_dht.create_uninitialized_tensor.i32.2 [2, 3]
  %transposed = tfrt_dht.create_uninitialized_tensor.i32.2 [3, 2]
  %flat = tfrt_dht.create_uninitialized_tensor.i32.1 [6]
  %both = tfrt_dht.create_uninitialized_tensor.i32.1 [9]
  %c1 = tfrt_dht.set_tensor_with_constant_values.i32 %a, %c0 [1 : i32, -2 : i32, 3 : i32, -4 : i32, 5 : i32, -6 : i32]
  %c2 = tfrt_dht.set_tensor_with_constant_values.i32 %b, %c0 [10 : i32, 0 : i32, -20 : i32]
  %c3 = tfrt.merge.chains %c1, %c2 : !tfrt.chain, !tfrt.chain
  %c4 = "tfrt_cpu.add.i32"(%a, %b, %sum, %c3) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c5 = "tfrt_cpu.relu.i32"(%sum, %relu, %c4) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c6 = "tfrt_cpu.transpose.i32"(%relu, %transposed, %c5) {permutation = [1, 0]} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c7 = "tfrt_cpu.reshape.i32"(%transposed, %flat, %c6) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c8 = "tfrt_cpu.concat.i32"(%both, %c7, %flat, %b) {axis = 0 : i64} : (!tfrt_tensor.tensor, !tfrt.chain, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [9], values = [11, 6, 0, 5, 0, 0, 10, 0, -20]
  %c9 = tfrt_dht.print_tensor %both, %c8
  tfrt.return %c9 : !tfrt.chain
}

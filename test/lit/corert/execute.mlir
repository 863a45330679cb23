// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck %s

// CHECK-LABEL: --- Running 'boot'
// CHECK-NEXT: 'boot' returned !tfrt.chain value
func.func @boot() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %cpu = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %cpu "cpu"
  tfrt.return %c : !tfrt.chain
}

// CHECK-LABEL: --- Running 'relu'
// CHECK-DAG: DenseHostTensor dtype = f32, shape = [3], values = [0.000000e+00, 2.000000e+00, 0.000000e+00]
// CHECK-DAG: 'relu' returned !corert.tensorhandle value
func.func @relu() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.create_dense_tensor.f32 {shape = [3], value = [-1.0 : f32, 2.0 : f32, -3.0 : f32]}
  %y = corert.executeop(%cpu) "tf.Relu"(%x) : 1
  %c1 = "corert.print_tensorhandle"(%y, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %y : !corert.tensorhandle
}

// Attributes are read where they lie in the file.
// CHECK-LABEL: --- Running 'matmul'
// CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2, 2], values = [5.000000e+00, 1.100000e+01, 1.100000e+01, 2.500000e+01]
func.func @matmul() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.const_dense_tensor dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %ab = corert.executeop(%cpu) "tf.MatMul"(%a, %a) {transpose_a = false, transpose_b = true} : 1
  %c1 = "corert.print_tensorhandle"(%ab) : (!corert.tensorhandle) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// An argument that is used again keeps its elements.
// CHECK-LABEL: --- Running 'used_again'
// CHECK-NEXT: values = [0.000000e+00, 2.000000e+00]
// CHECK-NEXT: values = [-1.000000e+00, 2.000000e+00]
func.func @used_again() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.create_dense_tensor.f32 {shape = [2], value = [-1.0 : f32, 2.0 : f32]}
  %y = corert.executeop(%cpu) "tf.Relu"(%x) : 1
  %c1 = "corert.print_tensorhandle"(%y, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c2 = "corert.print_tensorhandle"(%x, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// The chain of an op without side effects is passed through.
// CHECK-LABEL: --- Running 'sequence'
// CHECK-NEXT: values = [1.000000e+00]
// CHECK-NEXT: 'sequence' returned !tfrt.chain value
func.func @sequence() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.create_dense_tensor.f32 {shape = [1], value = [1.0 : f32]}
  %c1, %y = corert.executeop.seq(%cpu, %c0) "tf.Relu"(%x) : 1
  %c2 = "corert.print_tensorhandle"(%y, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// Scalar and sparse tensors become dense where the op takes no others.
// CHECK-LABEL: --- Running 'conversions'
// CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2, 2], values = [0.000000e+00, 5.000000e+00, 0.000000e+00, 0.000000e+00]
func.func @conversions() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %dense = "tfrt_dht.create_uninitialized_tensor.f32.2"() {shape = [2 : i64, 2 : i64]} : () -> !tfrt_tensor.tensor
  %c1 = "tfrt_dht.set_tensor_with_constant_values.f32"(%dense, %c0) {values = [0.0 : f32, 5.0 : f32, 0.0 : f32, 0.0 : f32]} : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %coo, %c2 = "coo.convert_dht_to_coo.f32.2"(%dense, %c1) : (!tfrt_tensor.tensor, !tfrt.chain) -> (!tfrt_tensor.tensor, !tfrt.chain)
  %x = "corert.ht_to_tensorhandle"(%coo, %c2) : (!tfrt_tensor.tensor, !tfrt.chain) -> !corert.tensorhandle
  %y = corert.executeop(%cpu) "tf.Relu"(%x) : 1
  %c3 = "corert.print_tensorhandle"(%y) : (!corert.tensorhandle) -> !tfrt.chain
  tfrt.return %c3 : !tfrt.chain
}

// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck %s

// CHECK-LABEL: --- Running 'boot'
func.func @boot() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %cpu = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  %c1 = corert.register_op_handler %cpu "cpu"
  %c2 = corert.register_op_handler %null "null"
  %c3 = tfrt.merge.chains %c1, %c2 : !tfrt.chain, !tfrt.chain
  tfrt.return %c3 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'no_handler'
// CHECK-NEXT: 'no_handler' returned <<error: op_handler not found: tpu>>
func.func @no_handler() -> !corert.ophandler {
  %c0 = tfrt.new.chain
  // expected-error @+1 {{runtime error: op_handler not found: tpu}}
  %h = corert.get_op_handler %c0 "tpu"
  tfrt.return %h : !corert.ophandler
}

// CHECK-LABEL: --- Running 'unknown_op'
// CHECK-NEXT: returned <<error: tf.NoSuchOp was not supported by NullOpHandler.>>,<<error: tf.NoSuchOp was not supported by NullOpHandler.>>
func.func @unknown_op() -> (!tfrt.chain, !corert.tensorhandle) {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  // expected-error @+1 {{runtime error: tf.NoSuchOp was not supported by NullOpHandler.}}
  %c1, %y = corert.executeop.seq(%cpu, %c0) "tf.NoSuchOp"() : 1
  tfrt.return %c1, %y : !tfrt.chain, !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'null_handler'
// CHECK-NEXT: returned <<error: tf.Relu was not supported by NullOpHandler.>>
func.func @null_handler() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %null = corert.get_op_handler %c0 "null"
  %x = corert.create_dense_tensor.f32 {shape = [1], value = [1.0 : f32]}
  // expected-error @+1 {{tf.Relu was not supported by NullOpHandler.}}
  %y = corert.executeop(%null) "tf.Relu"(%x) : 1
  tfrt.return %y : !corert.tensorhandle
}

// The op does not run, and says nothing more.
// CHECK-LABEL: --- Running 'error_argument'
// CHECK-NEXT: returned <<error: invalid tensorhandle>>
func.func @error_argument() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  // expected-error @+1 {{runtime error: invalid tensorhandle}}
  %x = "tfrt_test.error_tensorhandle"() : () -> !corert.tensorhandle
  %y = corert.executeop(%cpu) "tf.Relu"(%x) : 1
  %z = corert.executeop(%cpu) "tf.Relu"(%y) : 1
  tfrt.return %z : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'metadata_error'
// CHECK-NEXT: returned <<error: 'transpose_a' attribute is not specified for MatMul op>>
func.func @metadata_error() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.const_dense_tensor dense<1.0> : tensor<2x2xf32>
  // expected-error @+1 {{'transpose_a' attribute is not specified for MatMul op}}
  %y = corert.executeop(%cpu) "tf.MatMul"(%a, %a) : 1
  tfrt.return %y : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'too_many_results'
func.func @too_many_results() -> (!corert.tensorhandle, !corert.tensorhandle) {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.const_dense_tensor dense<1.0> : tensor<2x2xf32>
  // expected-error @+1 {{tf.Relu has 1 results, but is asked for 2}}
  %y:2 = corert.executeop(%cpu) "tf.Relu"(%a) : 2
  tfrt.return %y#0, %y#1 : !corert.tensorhandle, !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'no_string_for_relu'
// CHECK-NEXT: returned <<error: Cannot implictly convert StringHost to DenseHost>>
func.func @no_string_for_relu() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %s = corert.const_string_tensor {shape = [1], value = ["s"]}
  // expected-error @+1 {{Cannot implictly convert StringHost to DenseHost}}
  %y = corert.executeop(%cpu) "tf.Relu"(%s) : 1
  tfrt.return %y : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'not_a_handle'
func.func @not_a_handle() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %i = tfrt.constant.i32 1
  %x = "tfrt_test.multi_arg_result"(%i) : (i32) -> !corert.tensorhandle
  // expected-error @+1 {{argument 1 has type 'int', but the kernel takes 'tfrt::TensorHandle'}}
  %y = corert.executeop(%cpu) "tf.Relu"(%x) : 1
  tfrt.return %y : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'twice'
func.func @twice() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.const_dense_tensor dense<1.0> : tensor<2x2xf32>
  // expected-error @+1 {{the op attribute 'x' is given twice}}
  %c1, %y = "corert.executeop.seq"(%cpu, %c0, %a) {op_attrs = [["x", 1 : i32], ["x", 2 : i32]], op_func_attrs = [], op_name = "tf.Relu"} : (!corert.ophandler, !tfrt.chain, !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle)
  // expected-error @+1 {{the op attribute 'x' is given twice}}
  %z = "corert.executeop"(%cpu, %a) {op_attrs = [["x", 1 : i32]], op_func_attrs = [["x", "f"]], op_name = "tf.Relu"} : (!corert.ophandler, !corert.tensorhandle) -> !corert.tensorhandle
  tfrt.return %c0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'func_attrs'
func.func @func_attrs() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.const_dense_tensor dense<1.0> : tensor<2x2xf32>
  // expected-error @+1 {{the function attribute 'f' is not the name of a function}}
  %y = "corert.executeop"(%cpu, %a) {op_attrs = [], op_func_attrs = [["f", 1 : i32]], op_name = "tf.Relu"} : (!corert.ophandler, !corert.tensorhandle) -> !corert.tensorhandle
  tfrt.return %c0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'cancelled'
// CHECK-NEXT: returned <<error: Cancelled>>
func.func @cancelled() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.create_dense_tensor.f32 {shape = [1], value = [1.0 : f32]}
  %i, %c1 = "tfrt_test.cancel"(%c0) : (!tfrt.chain) -> (i32, !tfrt.chain)
  %c2, %y = corert.executeop.seq(%cpu, %c1) "tf.Relu"(%x) : 1
  tfrt.return %y : !corert.tensorhandle
}

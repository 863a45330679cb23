// RUN: mlir_to_bef %s -o %t.bef && bef_executor --test_init_function=setup %t.bef | FileCheck %s
// RUN: bef_executor --test_init_function=setup --work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @setup() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %cpu = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %cpu "cpu"
  tfrt.return %c : !tfrt.chain
}

func.func @relu_and_input(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle, !corert.tensorhandle) {
  %cpu = corert.get_op_handler %c "cpu"
  %y = corert.executeop(%cpu) "tf.Relu"(%x) : 1
  tfrt.return %c, %y, %x : !tfrt.chain, !corert.tensorhandle, !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'composite'
// CHECK-NEXT: values = [0.000000e+00, 1.000000e+00]
// CHECK-NEXT: values = [-1.000000e+00, 1.000000e+00]
func.func @composite() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %op = "corert.make_composite_op"() {fn = @relu_and_input} : () -> !corert.op
  %x = corert.create_dense_tensor.f32 {shape = [2], value = [-1.0 : f32, 1.0 : f32]}
  %r:2 = "corert.execute_crt_op"(%op, %x) {op_attrs = [], op_func_attrs = []} : (!corert.op, !corert.tensorhandle) -> (!corert.tensorhandle, !corert.tensorhandle)
  %c1 = "corert.print_tensorhandle"(%r#0, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c2 = "corert.print_tensorhandle"(%r#1, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'wrong_counts'
func.func @wrong_counts() -> !corert.tensorhandle {
  %op = "corert.make_composite_op"() {fn = @relu_and_input} : () -> !corert.op
  %x = corert.create_dense_tensor.f32 {shape = [2], value = [-1.0 : f32, 1.0 : f32]}
  // expected-error @+1 {{the composite op relu_and_input takes 1 tensors and has 2 results, but is called with 2 and 1}}
  %r = "corert.execute_crt_op"(%op, %x, %x) {op_attrs = [], op_func_attrs = []} : (!corert.op, !corert.tensorhandle, !corert.tensorhandle) -> !corert.tensorhandle
  tfrt.return %r : !corert.tensorhandle
}

func.func @number_in(%c: !tfrt.chain, %i: i32) -> (!tfrt.chain, !corert.tensorhandle) {
  %x = corert.create_dense_tensor.i32 {shape = [1], value = [1 : i32]}
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @number_out(%c: !tfrt.chain) -> (!tfrt.chain, i32) {
  %i = tfrt.constant.i32 1
  tfrt.return %c, %i : !tfrt.chain, i32
}
func.func @nothing() {
  tfrt.return
}
// The type is one of handles, the value is not.
func.func @liar(%c: !tfrt.chain) -> (!tfrt.chain, !corert.tensorhandle) {
  %i = tfrt.constant.i32 1
  %h = "tfrt_test.multi_arg_result"(%i) : (i32) -> !corert.tensorhandle
  tfrt.return %c, %h : !tfrt.chain, !corert.tensorhandle
}
func.func @later_liar(%c: !tfrt.chain) -> (!tfrt.chain, !corert.tensorhandle) {
  %i = tfrt.constant.i32 1
  %h = "tfrt_test.async_copy.i32"(%i) : (i32) -> !corert.tensorhandle
  tfrt.return %c, %h : !tfrt.chain, !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'wrong_types'
func.func @wrong_types() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  // expected-error @+1 {{The function should only takes type [!corert.tensorhandle] as input. But the 0-th argument is type [i32].}}
  %a = "corert.make_composite_op"() {fn = @number_in} : () -> !corert.op
  // expected-error @+1 {{The function should only returns type [!corert.tensorhandle]. But the 0-th results is type [i32].}}
  %b = "corert.make_composite_op"() {fn = @number_out} : () -> !corert.op
  // expected-error @+1 {{a composite op needs a function that takes and returns a chain, but nothing has 0 arguments and 0 results}}
  %d = "corert.make_composite_op"() {fn = @nothing} : () -> !corert.op
  tfrt.return %c0 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'wrong_values'
// CHECK-NEXT: returned <<error: the composite op liar returned a 'int' as a tensor handle>>,<<error: the composite op later_liar returned a 'int' as a tensor handle>>
func.func @wrong_values() -> (!corert.tensorhandle, !corert.tensorhandle) {
  %op = "corert.make_composite_op"() {fn = @liar} : () -> !corert.op
  // expected-error @+1 {{the composite op liar returned a 'int' as a tensor handle}}
  %r = "corert.execute_crt_op"(%op) {op_attrs = [], op_func_attrs = []} : (!corert.op) -> !corert.tensorhandle
  %later = "corert.make_composite_op"() {fn = @later_liar} : () -> !corert.op
  // expected-error @+1 {{the composite op later_liar returned a 'int' as a tensor handle}}
  %s = "corert.execute_crt_op"(%later) {op_attrs = [], op_func_attrs = []} : (!corert.op) -> !corert.tensorhandle
  tfrt.return %r, %s : !corert.tensorhandle, !corert.tensorhandle
}

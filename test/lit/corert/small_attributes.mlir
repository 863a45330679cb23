// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck %s

// So small that the mutation tests change each of its bytes.

func.func @boot() -> !tfrt.chain {
  %n = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %h = "corert.create_cpu_op_handler"(%n) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %h "cpu"
  tfrt.return %c : !tfrt.chain
}
// CHECK: --- Running 'attributes':
// CHECK-NEXT: shape = [2, 2], values = [6.000000e+00, 9.000000e+00, 6.000000e+00, 9.000000e+00]
// CHECK-NEXT: OpAttrs contains 2 entries:
func.func @attributes() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.create_dense_tensor.f32 {shape = [1, 2], value = [3.0 : f32]}
  %b = corert.create_dense_tensor.f32 {shape = [2, 1], value = [2.0 : f32, 3.0 : f32]}
  %m = corert.executeop(%cpu) "tf.MatMul"(%a, %b) {transpose_a = true, transpose_b = true} : 1
  %c1 = "corert.print_tensorhandle"(%m, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c2 = "corert.op_attrs_set.str"(%attrs, %c1) {key = "padding", value = "SAME"} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %c3 = "corert.op_attrs_set_array.i64"(%attrs, %c2) {key = "strides", value = [1, 2]} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %c4 = "tfrt_test.corert.op_attrs_print"(%attrs, %c3) : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c4 : !tfrt.chain
}

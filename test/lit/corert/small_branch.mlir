// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck %s

// So small that the mutation tests change each of its bytes.

func.func @boot() -> !tfrt.chain {
  %n = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %h = "corert.create_cpu_op_handler"(%n) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %h "cpu"
  tfrt.return %c : !tfrt.chain
}
func.func @relu(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  %cpu = corert.get_op_handler %c "cpu"
  %y = corert.executeop(%cpu) "tf.Relu"(%x) : 1
  tfrt.return %c, %y : !tfrt.chain, !corert.tensorhandle
}
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
// CHECK: --- Running 'branch':
// CHECK-NEXT: values = [0.000000e+00, 2.000000e+00]
func.func @branch() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %x = corert.create_dense_tensor.f32 {shape = [2], value = [-1.0 : f32, 2.0 : f32]}
  %yes = corert.const_dense_tensor dense<true> : tensor<i1>
  %c1, %y = corert.cond %yes @relu @keep (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c2 = "corert.print_tensorhandle"(%y, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

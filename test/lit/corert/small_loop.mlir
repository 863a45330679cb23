// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck %s

// So small that the mutation tests change each of its bytes.

func.func @boot() -> !tfrt.chain {
  %n = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %h = "corert.create_cpu_op_handler"(%n) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %h "cpu"
  tfrt.return %c : !tfrt.chain
}
func.func @below(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  %cpu = corert.get_op_handler %c "cpu"
  %limit = corert.const_dense_tensor dense<10> : tensor<i32>
  %less = corert.executeop(%cpu) "tf.Less"(%x, %limit) : 1
  tfrt.return %c, %less : !tfrt.chain, !corert.tensorhandle
}
func.func @double(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  %cpu = corert.get_op_handler %c "cpu"
  %y = corert.executeop(%cpu) "tf.AddV2"(%x, %x) : 1
  tfrt.return %c, %y : !tfrt.chain, !corert.tensorhandle
}
// CHECK: --- Running 'loop':
// CHECK-NEXT: values = [12]
func.func @loop() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %x = corert.const_dense_tensor dense<3> : tensor<i32>
  %c1, %y = corert.while @below @double (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c2 = "corert.print_tensorhandle"(%y, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

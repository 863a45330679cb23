// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck --match-full-lines %s
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck --match-full-lines %s

// CHECK: --- Running 'boot':
// CHECK-NEXT: 'boot' returned !tfrt.chain value
// CHECK-NEXT: --- Running 'eager':
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [3], values = [8, 10, 12]
// CHECK-NEXT: 'eager' returned !tfrt.chain value

func.func @boot() -> !tfrt.chain {
  %n = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %h = "corert.create_cpu_op_handler"(%n) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %h "cpu"
  tfrt.return %c : !tfrt.chain
}
func.func @eager() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"()
         {shape = [3 : i64], values = [4 : i32, 5 : i32, 6 : i32]} : 1
  %y = corert.executeop(%cpu) "tfrt_test.add"(%x, %x) : 1
  %c1 = corert.executeop.seq(%cpu, %c0) "tfrt_test.print"(%y)
  tfrt.return %c1 : !tfrt.chain
}

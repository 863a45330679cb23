// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck %s

// So small that the mutation tests change each of its bytes.

// CHECK: --- Running 'resources':
// CHECK-NEXT: Allocated TestResource
// CHECK-NEXT: values = [3]
// CHECK-NEXT: Destroyed TestResource
// CHECK-NEXT: tfrt_test.deallocate_resource done
func.func @resources() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %r, %c1 = "tfrt_test.allocate_resource"(%c0) : (!tfrt.chain) -> (!test.resource, !tfrt.chain)
  %n = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %h = "corert.create_cpu_op_handler"(%n) : (!corert.ophandler) -> !corert.ophandler
  %l = "corert.create_logging_op_handler"(%h) {sync_log_results = false} : (!corert.ophandler) -> !corert.ophandler
  %x = corert.const_dense_tensor dense<3> : tensor<i32>
  %c2 = corert.executeop.seq(%l, %c1) "tfrt_test.print"(%x)
  %c3 = "tfrt_test.deallocate_resource"(%r, %c2) : (!test.resource, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c3 : !tfrt.chain
}

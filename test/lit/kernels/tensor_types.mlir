// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'tensor_types':
// CHECK-NEXT: tensor_type = CooHost
// CHECK-NEXT: tensor_type = Unknown
func.func @tensor_types() -> !tfrt.chain {
  %a = "tfrt_test.get_static_tensor_type"() {name = "CooHost"} : () -> !my.tensor_type
  %b = "tfrt_test.get_static_tensor_type"() {name = "Other"} : () -> !my.tensor_type
  %c0 = "tfrt_test.print_tensor_type"(%a) : (!my.tensor_type) -> !tfrt.chain
  %c1 = "tfrt_test.print_tensor_type"(%b, %c0)
      : (!my.tensor_type, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

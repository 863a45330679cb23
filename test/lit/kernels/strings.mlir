// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'strings':
func.func @strings() -> i1 {
  %c0 = tfrt.new.chain
  %a = tfrt_test.get_string {value = "left and "}
  %b = tfrt_test.get_string {value = "right"}
  %ab = "tfrt_test.append_string"(%a, %b) : (!tfrt.string, !tfrt.string) -> !tfrt.string
  // CHECK-NEXT: string = left and right
  %c1 = "tfrt_test.print_string"(%ab, %c0) : (!tfrt.string, !tfrt.chain) -> !tfrt.chain
  %format = tfrt_test.get_string {value = "p-%03d"}
  %n = tfrt.constant.i32 7
  %f = "tfrt_test.format_string"(%format, %n) : (!tfrt.string, i32) -> !tfrt.string
  // CHECK-NEXT: string = p-007
  %c2 = "tfrt_test.print_string"(%f, %c1) : (!tfrt.string, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: hello host executor!
  %c3 = "tfrt_test.print_hello"(%c2) : (!tfrt.chain) -> !tfrt.chain
  %same = "tfrt_test.string_equal"(%a, %b) : (!tfrt.string, !tfrt.string) -> i1
  // CHECK-NEXT: false
  %c4 = "tfrt_test.print_bool"(%c3, %same) : (!tfrt.chain, i1) -> !tfrt.chain
  %result, %c5 = "tfrt_test.multi_arg_result"(%same, %c4)
      : (i1, !tfrt.chain) -> (i1, !tfrt.chain)
  // CHECK-NEXT: 'strings' returned 0
  tfrt.return %result : i1
}

// CHECK-LABEL: --- Running 'flat':
// CHECK-NEXT: string = leaf
// CHECK-NEXT: 'flat' returned 1,2,1.500000e+00
func.func @flat() -> (i32, i32, f32) {
  %s, %a, %b, %c = "tfrt_test.flat"() {value = [["leaf", [1 : i32, 2 : i32]], [1.5 : f32]]}
      : () -> (!tfrt.string, i32, i32, f32)
  %c0 = "tfrt_test.print_string"(%s) : (!tfrt.string) -> !tfrt.chain
  tfrt.return %a, %b, %c : i32, i32, f32
}

// CHECK-LABEL: --- Running 'async_values':
// CHECK-NEXT: string = base1:base2:final_class:3
// CHECK-NEXT: string = available:2;unavailable;(3);available:3;unavailable;available:4
func.func @async_values() -> !tfrt.chain {
  %s = "tfrt_test.async_value_get"() : () -> !tfrt.string
  %c0 = "tfrt_test.print_string"(%s) : (!tfrt.string) -> !tfrt.chain
  %t = "tfrt_test.async_value_ref"() : () -> !tfrt.string
  %c1 = "tfrt_test.print_string"(%t, %c0) : (!tfrt.string, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

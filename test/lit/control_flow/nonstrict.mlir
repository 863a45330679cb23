// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'select':
// CHECK-NEXT: 'select' returned 1,2
func.func @select() -> (i32, i32) {
  %true = tfrt.constant.i1 true
  %false = "tfrt_test.async_constant.i1"() {value = false} : () -> i1
  %a = tfrt.constant.i32 1
  %b = "tfrt_test.async_constant.i32"() {value = 2 : i32} : () -> i32
  %r = "tfrt_test.nonstrict_select"(%true, %a, %b) : (i1, i32, i32) -> i32
  %s = "tfrt_test.nonstrict_select"(%false, %a, %b) : (i1, i32, i32) -> i32
  tfrt.return %r, %s : i32, i32
}

// The error in the operand that is not selected does not matter.
// CHECK-LABEL: --- Running 'ignores_an_error':
// CHECK-NEXT: 'ignores_an_error' returned 1
func.func @ignores_an_error() -> i32 {
  %true = tfrt.constant.i1 true
  %a = tfrt.constant.i32 1
  // expected-error@+1 {{something bad happened}}
  %b = "tfrt_test.fail"() : () -> i32
  %r = "tfrt_test.nonstrict_select"(%true, %a, %b) : (i1, i32, i32) -> i32
  tfrt.return %r : i32
}

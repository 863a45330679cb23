// Errors that nothing expects, and expectations that nothing meets, fail the run.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: not bef_executor %t.bef 2>&1 >/dev/null | FileCheck %s

// CHECK: unexpected_errors.mlir:[[#@LINE+3]]:8: error: unexpected error: runtime error: something bad happened
// CHECK-NEXT: {{^}}  %x = "tfrt_test.fail"() : () -> i32{{$}}
func.func @fails() {
  %x = "tfrt_test.fail"() : () -> i32
  // CHECK-NEXT: {{^       \^$}}
  tfrt.return
}
func.func @passes() {
  // CHECK: unexpected_errors.mlir:[[#@LINE+1]]:23: error: expected error "never" was not produced
  tfrt.return      // expected-error {{never}}
}
// CHECK-NOT: error:

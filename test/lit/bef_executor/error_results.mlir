// Errors in results, with and without their codes.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s --match-full-lines --check-prefixes=CHECK,PLAIN
// RUN: bef_executor --print_error_code %t.bef | FileCheck %s --match-full-lines --check-prefixes=CHECK,CODE
// RUN: bef_executor -print_error_code -work_queue_type=mstd:2 %t.bef \
// RUN:   | FileCheck %s --match-full-lines --check-prefixes=CHECK,CODE

// CHECK-LABEL: --- Running 'fail':
// PLAIN-NEXT: 'fail' returned 1,<<error: something bad happened>>
// CODE-NEXT: 'fail' returned 1,<<error: something bad happened, code: INTERNAL>>
func.func @fail() -> (i32, i32) {
  %a = tfrt.constant.i32 1
  // expected-error@+1 {{something bad happened}}
  %x = "tfrt_test.fail"() : () -> i32
  tfrt.return %a, %x : i32, i32
}

// CHECK-LABEL: --- Running 'cancelled':
// PLAIN-NEXT: 'cancelled' returned <<error: Cancelled>>
// CODE-NEXT: 'cancelled' returned <<error: Cancelled, code: CANCELLED>>
func.func @cancelled() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %i, %c1 = "tfrt_test.cancel"(%c0) : (!tfrt.chain) -> (i32, !tfrt.chain)
  %c2 = tfrt.print.i32 %i, %c1
  tfrt.return %c2 : !tfrt.chain
}

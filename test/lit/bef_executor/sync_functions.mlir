// Sync functions: results as usual; an error is printed once and without its code.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor --print_error_code %t.bef | FileCheck %s --match-full-lines

// CHECK: --- Running 'good':
// CHECK-NEXT: 'good' returned 5
func.func @good() -> i32 attributes {tfrt.sync} {
  %a = "tfrt.constant_s.i32"() {value = 2 : i32} : () -> i32
  %b = "tfrt.constant_s.i32"() {value = 3 : i32} : () -> i32
  %c = "tfrt.add_s.i32"(%a, %b) : (i32, i32) -> i32
  tfrt.return %c : i32
}
// CHECK: --- Running 'bad':
// CHECK-NEXT: 'bad' returned <<error: something bad happened>>
func.func @bad() attributes {tfrt.sync} {
  // expected-error@+1 {{something bad happened}}
  "tfrt_test.error_s"() : () -> ()
  tfrt.return
}

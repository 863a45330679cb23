// Errors at locations that are not in a file are printed with the location's text.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: not bef_executor %t.bef 2>&1 >/dev/null | FileCheck %s
// CHECK: <unknown>:0: error: loc("here"): unexpected error: runtime error: something bad happened
// CHECK-NEXT: <unknown>:0: error: loc("f.x;3;4(nm)"): unexpected error: runtime error: something bad happened
// CHECK-NEXT: <unknown>:0: error: unexpected error: runtime error: something bad happened
func.func @name() {
  %x = "tfrt_test.fail"() : () -> i32 loc("here")
  tfrt.return
}
func.func @name_and_file() {
  %x = "tfrt_test.fail"() : () -> i32 loc("nm"("f.x":3:4))
  tfrt.return
}
func.func @unknown() {
  %x = "tfrt_test.fail"() : () -> i32 loc(unknown)
  tfrt.return
}

// An unknown kernel has a location only if no function of the file has an argument or result.
// RUN: split-file %s %t
// RUN: mlir_to_bef %t/typeless.mlir -o %t.bef && bef_executor %t.bef
// RUN: mlir_to_bef %t/typed.mlir -o %t.bef && not bef_executor %t.bef 2>&1 | FileCheck %s
// CHECK-NOT: --- Running
// CHECK: <unknown>:0: error: unexpected error: runtime error: unknown kernel name 'no.such_kernel'

//--- typeless.mlir
func.func @main() {
  // expected-error@+1 {{unknown kernel name 'no.such_kernel'}}
  %x = "no.such_kernel"() : () -> i32
  tfrt.return
}
//--- typed.mlir
func.func @main() -> i32 {
  %x = "no.such_kernel"() : () -> i32
  tfrt.return %x : i32
}

// Native functions are listed like others.
// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s --match-full-lines
// CHECK: --- Not running 'native_add' because it has arguments.
func.func private @native_add(%a: i32, %b: i32) -> i32 attributes {tfrt.native}
// CHECK: --- Running 'main':
// CHECK-NEXT: 'main' returned 5
func.func @main() -> i32 {
  %a = tfrt.constant.i32 2
  %b = tfrt.constant.i32 3
  %c = tfrt.call @native_add(%a, %b) : (i32, i32) -> i32
  tfrt.return %c : i32
}

// A file that ends too early.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: head -c 4 %t.bef > %t.short && not bef_executor %t.short 2>&1 | FileCheck %s
// RUN: head -c 40 %t.bef > %t.short && not bef_executor %t.short 2>&1 | FileCheck %s
// RUN: head -c 100 %t.bef > %t.short && not bef_executor %t.short 2>&1 | FileCheck %s
// CHECK: <unknown>:0: error: unexpected error: runtime error:
func.func @main() -> i32 {
  %x = tfrt.constant.i32 1
  tfrt.return %x : i32
}

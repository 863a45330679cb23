// A reference into a compiled module carries the module's text.
// RUN: mlir_to_bef %s -o %t.1.bef
// RUN: bef_to_mlir -mlir-print-debuginfo %t.1.bef -o %t.mlir
// RUN: mlir_to_bef %t.mlir -o %t.2.bef
// RUN: cmp %t.1.bef %t.2.bef
// RUN: bef_to_mlir %t.1.bef | FileCheck %s

// CHECK: module @kernels attributes {tfrt.compiled}
// CHECK: func.func @run()
module @kernels attributes {tfrt.compiled} {
  func.func @run() {
    return
  }
}

// CHECK: func.func @main
func.func @main() {
  // CHECK: "my.launch"() {kernel = @kernels::@run}
  "my.launch"() {kernel = @kernels::@run} : () -> ()
  tfrt.return
}

// Attributes of tfrt.if and tfrt.repeat.i32 print without the keyword `attributes` that reading them
// needs, so this printed form cannot be read back.
// RUN: tfrt_opt %s | FileCheck %s
// RUN: not sh -c 'tfrt_opt %s | tfrt_opt' 2>&1 | FileCheck %s --check-prefix=REREAD

// CHECK: tfrt.if %arg0 {k = 3 : i64} : () -> ()  {
// REREAD: error: expected
func.func @quirk(%c: i1) {
  tfrt.if %c attributes {k = 3 : i64} : () -> () {
    tfrt.return
  }
  tfrt.return
}

// A type that prints but does not parse.
// RUN: mlir_to_bef -v0-exact %s -o %t.bef
// RUN: sed 's/!my.type_text/!unclosed<tex/' %t.bef > %t.bad.bef
// RUN: not bef_to_mlir %t.bad.bef 2>&1 | FileCheck %s
// CHECK: error:

func.func @f(%a: !my.type_text) {
  tfrt.return
}

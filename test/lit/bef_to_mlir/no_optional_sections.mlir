// Without the optional sections neither names nor types of attributes and results are known.
// RUN: mlir_to_bef --disable-optional-sections %s -o %t.bef
// RUN: bef_to_mlir %t.bef 2>&1 | FileCheck %s

// CHECK: warning: Missing AttributeTypes, AttributeNames or RegisterTypes sections.
// CHECK: func.func @f(%[[ARG:.*]]: i32)
func.func @f(%a: i32) {
  // CHECK: "my.op"(%[[ARG]]) {attr0 = -559038737 : i32, attr1 = -559038737 : i32} : (i32) -> none
  %b = "my.op"(%a) {x = "text", y = 1 : i32} : (i32) -> f32
  tfrt.return
}

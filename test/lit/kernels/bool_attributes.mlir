// A kernel's bool attribute may be an integer of any width that is 0 or 1.
// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef 2>&1 | FileCheck %s
// Without the optional sections nobody knows the type: the first byte decides.
// RUN: mlir_to_bef --disable-optional-sections %s -o %t.bare.bef
// RUN: bef_executor --functions=taken %t.bare.bef 2>&1 | FileCheck %s --check-prefix=BARE

// CHECK-LABEL: --- Running 'taken':
// CHECK:       OpAttrs contains 9 entries:
// CHECK-NEXT:    'a' type=BOOL value=0
// CHECK-NEXT:    'b' type=BOOL value=1
// CHECK-NEXT:    'c' type=BOOL value=1
// CHECK-NEXT:    'd' type=BOOL value=0
// CHECK-NEXT:    'e' type=BOOL value=1
// CHECK-NEXT:    'f' type=BOOL value=1
// CHECK-NEXT:    'g' type=BOOL value=1
// CHECK-NEXT:    'h' type=BOOL value=1
// CHECK-NEXT:    'i' type=BOOL value=1
// BARE: 'b' type=BOOL value=1
// BARE: 'd' type=BOOL value=0
// BARE: 'e' type=BOOL value=1
func.func @taken() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c0 = tfrt.new.chain
  %ca = "corert.op_attrs_set.bool"(%attrs, %c0) {key = "a", value = false} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %cb = "corert.op_attrs_set.bool"(%attrs, %ca) {key = "b", value = true} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %cc = "corert.op_attrs_set.bool"(%attrs, %cb) {key = "c", value = 1 : i8} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %cd = "corert.op_attrs_set.bool"(%attrs, %cc) {key = "d", value = 0 : i32} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %ce = "corert.op_attrs_set.bool"(%attrs, %cd) {key = "e", value = 1 : i32} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %cf = "corert.op_attrs_set.bool"(%attrs, %ce) {key = "f", value = 1} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %cg = "corert.op_attrs_set.bool"(%attrs, %cf) {key = "g", value = 1 : ui16} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %ch = "corert.op_attrs_set.bool"(%attrs, %cg) {key = "h", value = 1 : ui64} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %ci = "corert.op_attrs_set.bool"(%attrs, %ch) {key = "i", value = 1 : si32} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %c1 = "tfrt_test.corert.op_attrs_print"(%attrs, %ci) : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// What is no bool attribute. The function is not run.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: not bef_executor %t.bef 2>&1 | FileCheck %s --implicit-check-not=Running

// CHECK: error: unexpected error: runtime error: attribute 1 of kernel 'corert.op_attrs_set.bool' is the i32 2, but the kernel takes a bool, 0 or 1
func.func @two() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c = "corert.op_attrs_set.bool"(%attrs) {key = "a", value = 2 : i32} : (!corert.opattrs) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// The first byte alone would be 0, or 1.
// CHECK: error: unexpected error: runtime error: attribute 1 of kernel 'corert.op_attrs_set.bool' is the i64 256, but the kernel takes a bool, 0 or 1
func.func @zero_in_front() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c = "corert.op_attrs_set.bool"(%attrs) {key = "a", value = 256} : (!corert.opattrs) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// CHECK: error: unexpected error: runtime error: attribute 1 of kernel 'corert.op_attrs_set.bool' is the ui32 4294967041, but the kernel takes a bool, 0 or 1
func.func @one_in_front() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c = "corert.op_attrs_set.bool"(%attrs) {key = "a", value = 4294967041 : ui32} : (!corert.opattrs) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// CHECK: error: unexpected error: runtime error: attribute 1 of kernel 'corert.op_attrs_set.bool' is the i8 -1, but the kernel takes a bool, 0 or 1
func.func @negative() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c = "corert.op_attrs_set.bool"(%attrs) {key = "a", value = -1 : i8} : (!corert.opattrs) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// CHECK: error: unexpected error: runtime error: attribute 1 of kernel 'corert.op_attrs_set.bool' is the ui64 18446744073709551615, but the kernel takes a bool, 0 or 1
func.func @most() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c = "corert.op_attrs_set.bool"(%attrs) {key = "a", value = 18446744073709551615 : ui64} : (!corert.opattrs) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// A float is no integer, nor is an array of them.
// CHECK: error: unexpected error: runtime error: attribute 1 of kernel 'corert.op_attrs_set.bool' is f32, but the kernel takes i1
func.func @float() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c = "corert.op_attrs_set.bool"(%attrs) {key = "a", value = 1.0 : f32} : (!corert.opattrs) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// CHECK: error: unexpected error: runtime error: attribute 1 of kernel 'corert.op_attrs_set.bool' is i32 array, but the kernel takes i1
func.func @array() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c = "corert.op_attrs_set.bool"(%attrs) {key = "a", value = [1 : i32]} : (!corert.opattrs) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// And only bools are so liberal.
// CHECK: error: unexpected error: runtime error: attribute 1 of kernel 'corert.op_attrs_set.i32' is i64, but the kernel takes i32
func.func @wide() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c = "corert.op_attrs_set.i32"(%attrs) {key = "a", value = 1} : (!corert.opattrs) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

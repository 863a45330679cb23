// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck --match-full-lines --strict-whitespace %s

//      CHECK:--- Running 'empty':
// CHECK-NEXT:OpAttrs is empty
// CHECK-NEXT:'empty' returned !tfrt.chain value
func.func @empty() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c1 = "tfrt_test.corert.op_attrs_print"(%attrs, %c0) : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// Sorted by name, whatever the order in which they were set.
//      CHECK:--- Running 'scalars':
// CHECK-NEXT:OpAttrs contains 5 entries:
// CHECK-NEXT:  'a' type=I32 value=-7
// CHECK-NEXT:  'b' type=BOOL value=1
// CHECK-NEXT:  'f' type=F32 value=2.500000e-01
// CHECK-NEXT:  's' type=CHAR value=[h, e, y]
// CHECK-NEXT:  't' type=DTYPE value=BF16
// CHECK-EMPTY:
// CHECK-NEXT:'scalars' returned !tfrt.chain value
func.func @scalars() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c0 = "corert.op_attrs_set.str"(%attrs) {key = "s", value = "hey"} : (!corert.opattrs) -> !tfrt.chain
  %c1 = "corert.op_attrs_set.f32"(%attrs, %c0) {key = "f", value = 0.25 : f32} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %c2 = "corert.op_attrs_set.i32"(%attrs, %c1) {key = "a", value = -7 : i32} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %c3 = "corert.op_attrs_set.bool"(%attrs, %c2) {key = "b", value = true} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %c4 = "corert.op_attrs_set.dtype"(%attrs, %c3) {key = "t", value = bf16} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %c5 = "tfrt_test.corert.op_attrs_print"(%attrs, %c4) : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c5 : !tfrt.chain
}

// At most five elements are printed.
//      CHECK:--- Running 'arrays':
// CHECK-NEXT:OpAttrs contains 5 entries:
// CHECK-NEXT:  'five' type=I32 value=[1, 2, 3, 4, 5]
// CHECK-NEXT:  'floats' type=F32 value=[1.000000e+00, -2.000000e+00]
// CHECK-NEXT:  'none' type=I32 value=[]
// CHECK-NEXT:  'six' type=I64 value=[1, 2, 3, 4, 5...]
// CHECK-NEXT:  'text' type=CHAR value=[a, b, c, d, e...]
// CHECK-EMPTY:
func.func @arrays() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c0 = "corert.op_attrs_set_array.i32"(%attrs) {key = "five", value = [1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32]} : (!corert.opattrs) -> !tfrt.chain
  %c1 = "corert.op_attrs_set_array.i64"(%attrs) {key = "six", value = [1, 2, 3, 4, 5, 6]} : (!corert.opattrs) -> !tfrt.chain
  %c2 = "corert.op_attrs_set_array.f32"(%attrs) {key = "floats", value = [1.0 : f32, -2.0 : f32]} : (!corert.opattrs) -> !tfrt.chain
  %c3 = "corert.op_attrs_set.str"(%attrs) {key = "text", value = "abcdef"} : (!corert.opattrs) -> !tfrt.chain
  %c4 = "corert.op_attrs_set_array.i32"(%attrs) {key = "none", value = []} : (!corert.opattrs) -> !tfrt.chain
  %c5 = tfrt.merge.chains %c0, %c1, %c2, %c3, %c4 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
  %c6 = "tfrt_test.corert.op_attrs_print"(%attrs, %c5) : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c6 : !tfrt.chain
}

// A frozen set stays as it is.
//      CHECK:--- Running 'others':
// CHECK-NEXT:OpAttrs contains 5 entries:
// CHECK-NEXT:  'aggregate' type=AGGREGATE value=elt_count=3 [{dtype=I64, rank=1, elt_count=2}, {unknown}, {elt_count=1 [{unknown}]}]
// CHECK-NEXT:  'any_shape' type=SHAPE value=<*>
// CHECK-NEXT:  'dense' type=DENSE value=dtype=I64, rank=2, elt_count=4
// CHECK-NEXT:  'scalar_shape' type=SHAPE value=<>
// CHECK-NEXT:  'shape' type=SHAPE value=<1x-1x3>
// CHECK-EMPTY:
// CHECK-NEXT:'others' returned !tfrt.chain value
func.func @others() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c0 = "corert.op_attrs_set.dense"(%attrs) {key = "dense", value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>} : (!corert.opattrs) -> !tfrt.chain
  %c1 = "corert.op_attrs_set.aggregate"(%attrs) {key = "aggregate", value = [dense<[1, 2]> : tensor<2xi64>, "s", ["t"]]} : (!corert.opattrs) -> !tfrt.chain
  %c2 = "corert.op_attrs_set.shape"(%attrs) {key = "shape", value = #corert.shape<1x?x3>} : (!corert.opattrs) -> !tfrt.chain
  %c3 = "corert.op_attrs_set.shape"(%attrs) {key = "any_shape", value = #corert.shape<*>} : (!corert.opattrs) -> !tfrt.chain
  %c4 = "corert.op_attrs_set.shape"(%attrs) {key = "scalar_shape", value = #corert.shape<>} : (!corert.opattrs) -> !tfrt.chain
  %c5 = tfrt.merge.chains %c0, %c1, %c2, %c3, %c4 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
  %ref, %c6 = "tfrt_test.corert.op_attrs_freeze"(%attrs, %c5) : (!corert.opattrs, !tfrt.chain) -> (!corert.opattrs_ref, !tfrt.chain)
  %c7 = "corert.op_attrs_set.i32"(%attrs, %c6) {key = "later", value = 1 : i32} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %c8 = "tfrt_test.corert.op_attrs_ref_print"(%ref, %c7) : (!corert.opattrs_ref, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c8 : !tfrt.chain
}

//      CHECK:--- Running 'empty_aggregate':
// CHECK-NEXT:OpAttrs contains 1 entries:
// CHECK-NEXT:  'a' type=I32 value=[]
func.func @empty_aggregate() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c0 = "corert.op_attrs_set.aggregate"(%attrs) {key = "a", value = []} : (!corert.opattrs) -> !tfrt.chain
  %c1 = "tfrt_test.corert.op_attrs_print"(%attrs, %c0) : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// The type of strings is called by the name of characters.
//      CHECK:--- Running 'types':
// CHECK-NEXT:OpAttrs contains 3 entries:
// CHECK-NEXT:  'a' type=DTYPE value=CHAR
// CHECK-NEXT:  'b' type=DTYPE value=RESOURCE
// CHECK-NEXT:  'c' type=DTYPE value=QUI8
// CHECK-EMPTY:
func.func @types() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c0 = "corert.op_attrs_set.dtype"(%attrs) {key = "a", value = !corert.string} : (!corert.opattrs) -> !tfrt.chain
  %c1 = "corert.op_attrs_set.dtype"(%attrs, %c0) {key = "b", value = !corert.resource} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %c2 = "corert.op_attrs_set.dtype"(%attrs, %c1) {key = "c", value = !corert.quint8} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  %c3 = "tfrt_test.corert.op_attrs_print"(%attrs, %c2) : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c3 : !tfrt.chain
}

//      CHECK:--- Running 'set_twice':
// CHECK-NEXT:'set_twice' returned <<error: the op attribute 'a' is set already>>
func.func @set_twice() -> !tfrt.chain {
  %attrs = "corert.create_op_attrs"() : () -> !corert.opattrs
  %c0 = "corert.op_attrs_set.i32"(%attrs) {key = "a", value = 1 : i32} : (!corert.opattrs) -> !tfrt.chain
  // expected-error @+1 {{runtime error: the op attribute 'a' is set already}}
  %c1 = "corert.op_attrs_set.bool"(%attrs, %c0) {key = "a", value = true} : (!corert.opattrs, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

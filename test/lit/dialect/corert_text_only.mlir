// What is read and printed, but has no place in BEF files; and the part of a type's spelling that is lost.
// RUN: tfrt_opt %s | FileCheck %s
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s
// RUN: not mlir_to_bef %s 2>&1 | FileCheck %s --check-prefix=BEF

// A bare key stands for a unit attribute, and is printed as what it stands for.
// CHECK-LABEL: func.func @units
func.func @units(%h: !corert.ophandler) {
  // CHECK-NEXT: corert.executeop(%arg0) "x"() {a = 1 : i32, u = unit} {f = "g", v = unit}
  // BEF: error: BEF files cannot encode the 'op_attrs' attribute
  corert.executeop(%h) "x"() {a = 1 : i32, u} {f = "g", v}
  tfrt.return
}

// CHECK-LABEL: func.func @strings
func.func @strings() {
  // CHECK-NEXT: corert.const_dense_tensor dense<["a", "b"]> : tensor<2x!corert.string>
  %0 = corert.const_dense_tensor dense<["a", "b"]> : tensor<2x!corert.string>
  tfrt.return
}

// CHECK-LABEL: func.func private @types(!corert.x, !corert.tensorhandle)
func.func private @types(!corert.x<y>, !corert.tensorhandle<i32>)

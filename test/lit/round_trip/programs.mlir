// Regions, attributes of every kind and locations come back, with and without our own sections.
// RUN: mlir_to_bef %s -o %t.1.bef
// RUN: bef_to_mlir -mlir-print-debuginfo %t.1.bef -o %t.mlir
// RUN: mlir_to_bef %t.mlir -o %t.2.bef
// RUN: cmp %t.1.bef %t.2.bef
// RUN: mlir_to_bef -v0-exact %s -o %t.3.bef
// RUN: bef_to_mlir -mlir-print-debuginfo %t.3.bef -o %t.mlir
// RUN: mlir_to_bef -v0-exact %t.mlir -o %t.4.bef
// RUN: cmp %t.3.bef %t.4.bef
// RUN: bef_to_mlir %t.1.bef | FileCheck %s

// CHECK-LABEL: func.func @attributes
func.func @attributes() {
  // CHECK: "my.integers"() {a = true, b = -1 : i8, c = 2 : i16, d = 3 : i32, e = 4 : i64, f = 5 : ui8, g = 6 : ui64}
  "my.integers"() {a = true, b = -1 : i8, c = 2 : i16, d = 3 : i32, e = 4, f = 5 : ui8, g = 6 : ui64} : () -> ()
  // CHECK: "my.floats"() {a = 1.500000e+00 : bf16, b = 1.500000e+00 : f16, c = 1.500000e+00 : f32, d = 1.500000e+00 : f64}
  "my.floats"() {a = 1.5 : bf16, b = 1.5 : f16, c = 1.5 : f32, d = 1.5} : () -> ()
  // CHECK: "my.texts"() {a = "", b = "text", c = i32, d = complex<f32>, e = !corert.string}
  "my.texts"() {a = "", b = "text", c = i32, d = complex<f32>, e = !corert.string} : () -> ()
  // CHECK: "my.arrays"() {a = [], b = [1 : i32, 2 : i32], c = [1.000000e+00], d = [i32, f32], e = [1 : i32, "x", [2]]}
  "my.arrays"() {a = [], b = [1 : i32, 2 : i32], c = [1.0], d = [i32, f32], e = [1 : i32, "x", [2]]} : () -> ()
  // CHECK: "my.dense"() {a = dense<{{\[}}[1, 2], [3, 4]]> : tensor<2x2xi32>, b = dense<0> : tensor<4xi64>, c = dense<[true, false]> : tensor<2xi1>, d = dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>, e = dense<> : tensor<0xf32>, f = dense<0.000000e+00> : tensor<128xf32>}
  "my.dense"() {a = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>, b = dense<0> : tensor<4xi64>, c = dense<[true, false]> : tensor<2xi1>, d = dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>, e = dense<> : tensor<0xf32>, f = dense<0.0> : tensor<128xf32>} : () -> ()
  // CHECK: "my.shapes"() {a = #corert.shape<*>, b = #corert.shape<>, c = #corert.shape<1x?x3>}
  "my.shapes"() {a = #corert.shape<*>, b = #corert.shape<>, c = #corert.shape<1x?x3>} : () -> ()
  tfrt.return
}

// CHECK-LABEL: func.func @regions
func.func @regions(%v: i32) -> (i32, !tfrt.chain) {
  // CHECK: "my.outer"
  %a:2 = "my.outer"(%v) ({
  ^bb0(%x: i32):
    // CHECK: "my.inner"
    %y = "my.inner"(%x) ({
      tfrt.return
    }, {
      tfrt.return
    }) {n = 1 : i32} : (i32) -> i32
    tfrt.return %y : i32
  }) : (i32) -> (i32, !tfrt.chain)
  tfrt.return %a#0, %a#1 : i32, !tfrt.chain
}

func.func @locations() {
  "my.op"() : () -> () loc(unknown)
  "my.op"() : () -> () loc("a name")
  "my.op"() : () -> () loc("outer"("file.py":3:4))
  "my.op"() : () -> () loc(callsite("callee" at "caller.py":1:2))
  "my.op"() : () -> () loc(fused["x", "file.py":5:6])
  tfrt.return
}

// CHECK-LABEL: func.func @sync() -> i32 attributes {tfrt.sync}
func.func @sync() -> i32 attributes {tfrt.sync} {
  %a = "my.constant_s"() {value = 1 : i32} : () -> i32
  tfrt.return %a : i32
}

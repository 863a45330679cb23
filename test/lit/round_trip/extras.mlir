// What version 0 forgets is kept in a section of ours: the second BEF file is the first.
// RUN: mlir_to_bef %s -o %t.1.bef
// RUN: bef_to_mlir -mlir-print-debuginfo %t.1.bef -o %t.mlir
// RUN: mlir_to_bef %t.mlir -o %t.2.bef
// RUN: cmp %t.1.bef %t.2.bef
// RUN: bef_to_mlir %t.1.bef | FileCheck %s

// CHECK: module @named attributes {tfrt.merge_inter_dependent_streams = true}
module @named attributes {tfrt.merge_inter_dependent_streams = true} {
  // CHECK: func.func private @native(i32) -> i32 attributes {tfrt.native}
  func.func private @native(i32) -> i32 attributes {tfrt.native}

  // CHECK: func.func private @hidden
  func.func private @hidden(%a: i32) -> i32 {
    tfrt.return %a : i32
  }

  // CHECK: func.func @costs(%{{.*}}: i32) -> i32 attributes {tfrt.cost_threshold = 4 : i64}
  func.func @costs(%v: i32) -> i32 attributes {tfrt.cost_threshold = 4 : i64} {
    // CHECK-DAG: _tfrt_cost = 9
    %a = tfrt_test.test_cost %v {id = 1 : i64, _tfrt_cost = 9 : i64} : i32
    %b = tfrt_test.test_cost %v {id = 2 : i64, _tfrt_cost = 2 : i64} : i32
    %c = tfrt_test.test_cost %a, %b {id = 3 : i64, _tfrt_cost = 5 : i64} : i32, i32
    tfrt.return %c : i32
  }

  // CHECK: func.func @symbols
  func.func @symbols(%v: i32) -> i32 attributes {my.note = "kept"} {
    // CHECK: "my.two"(%{{.*}}) {else = @native, then = @hidden}
    %a = "my.two"(%v) {then = @hidden, else = @native} : (i32) -> i32
    // CHECK: "my.many"(%{{.*}}) {branches = [@hidden, @native], last = @hidden}
    %b = "my.many"(%a) {branches = [@hidden, @native], last = @hidden} : (i32) -> i32
    // CHECK: "my.one"(%{{.*}}) {callee = @hidden}
    %c = "my.one"(%b) {callee = @hidden} : (i32) -> i32
    // CHECK: "my.unusual"(%{{.*}}) {bef.nonstrict, i = 1 : si32, t = si8}
    %d = "my.unusual"(%c) {i = 1 : si32, t = si8, bef.nonstrict} : (i32) -> i32
    tfrt.return %d : i32
  }
}

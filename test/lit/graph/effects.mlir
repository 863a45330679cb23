// RUN: split-file %s %t
// RUN: tfrt_opt %t/effects.mlir | tfrt_opt | FileCheck %t/effects.mlir
// RUN: tfrt_opt %t/effects.mlir --graph-pipeline --lower-graph | FileCheck %t/effects.mlir --check-prefix=LOWER
// RUN: not tfrt_opt %t/callback.mlir 2>&1 | FileCheck %t/callback.mlir
// RUN: not tfrt_opt %t/branch.mlir 2>&1 | FileCheck %t/branch.mlir
// RUN: not tfrt_opt %t/stacked.mlir 2>&1 | FileCheck %t/stacked.mlir

//--- effects.mlir

// CHECK-LABEL: func.func @main
// CHECK:         %[[T:.*]] = graph.begin_effects
// CHECK:         %[[IF:.*]] = graph.if %arg1 : tensor<i1> -> (!graph.token) {
// CHECK:           %[[P:.*]], %[[T1:.*]] = graph.print %arg0, %arg0, %[[T]] {message = "x: "}
// CHECK:           graph.return %[[T1]] : !graph.token
// CHECK:         graph.return %[[T]] : !graph.token
// CHECK:         graph.assert %arg1, %arg0, %[[IF]]
// CHECK:         graph.end_effects
// LOWER-LABEL: func.func @load() {
// LOWER:         tfrt.return
// LOWER-LABEL: func.func @main
// LOWER:         graph.begin_effects
// LOWER:         graph.if_call
// LOWER:         graph.assert
// LOWER:         graph.end_effects
func.func @main(%x: tensor<f32> {graph.name = "x"}, %c: tensor<i1> {graph.name = "c"}) -> (tensor<i1> {graph.name = "effects"}) {
  %t = graph.begin_effects
  %t1 = graph.if %c : tensor<i1> -> (!graph.token) {
    %same, %0 = graph.print %x, %x, %t {message = "x: "} : (tensor<f32>, tensor<f32>, !graph.token) -> (tensor<f32>, !graph.token)
    graph.return %0 : !graph.token
  } else {
    graph.return %t : !graph.token
  }
  %t2 = graph.assert %c, %x, %t1 : (tensor<i1>, tensor<f32>, !graph.token) -> !graph.token
  %over = graph.end_effects %t2 : tensor<i1>
  graph.return %over : tensor<i1>
}

//--- callback.mlir

// CHECK: 'graph.host_call' op has the callback -1
func.func @main(%t: !graph.token) -> !graph.token {
  %0 = graph.host_call %t {callback = -1 : i64, name = "log"} : (!graph.token) -> !graph.token
  graph.return %0 : !graph.token
}

//--- branch.mlir

// CHECK: 'graph.return' op operand 0 is 'tensor<f32>', but the result of the 'graph.if' is '!graph.token'
func.func @main(%x: tensor<f32>, %c: tensor<i1>, %t: !graph.token) -> !graph.token {
  %0 = graph.if %c : tensor<i1> -> (!graph.token) {
    graph.return %x : tensor<f32>
  } else {
    graph.return %t : !graph.token
  }
  graph.return %0 : !graph.token
}

//--- stacked.mlir

// CHECK: 'graph.loop' op result 0 is '!graph.token', but each run makes '!graph.token'
func.func @main(%n: tensor<i64>, %t: !graph.token) -> !graph.token {
  %0 = graph.loop count(%n : tensor<i64>) -> (!graph.token) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>):
    graph.return %go, %t : tensor<i1>, !graph.token
  }
  graph.return %0 : !graph.token
}

// RUN: tfrt_opt %s --graph-cse | FileCheck %s

// What ops compute twice is computed once; effects come as often as they are called.
// CHECK-LABEL: func.func @once
// CHECK-COUNT-1: graph.mul
// CHECK-NOT:     graph.mul
// CHECK:         graph.add %[[SAME:.*]], %[[SAME]]
func.func @once(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %2 : tensor<4xf32>
}

// Attributes count.
// CHECK-LABEL: func.func @other_attributes
// CHECK-COUNT-2: graph.matmul
func.func @other_attributes(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = graph.matmul %x, %x {transpose_a = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = graph.add %0, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  graph.return %2 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @effects
// CHECK-COUNT-2: graph.host_call
// CHECK:         graph.end_effects
func.func @effects(%x: tensor<4xf32>) -> tensor<i1> {
  %t = graph.begin_effects
  %t1 = graph.host_call %x, %t {callback = 0 : i64, name = "log"} : (tensor<4xf32>, !graph.token) -> !graph.token
  %t2 = graph.host_call %x, %t {callback = 0 : i64, name = "log"} : (tensor<4xf32>, !graph.token) -> !graph.token
  %over = graph.end_effects %t2 : tensor<i1>
  graph.return %over : tensor<i1>
}

// What a branch computes like the program around it.
// CHECK-LABEL: func.func @in_branch
// CHECK:         %[[OUTER:.*]] = graph.exp
// CHECK:         graph.if
// CHECK-NOT:     graph.exp
// CHECK:         graph.return %[[OUTER]]
func.func @in_branch(%x: tensor<4xf32>, %c: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.if %c : tensor<i1> -> (tensor<4xf32>) {
    %2 = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    graph.return %2 : tensor<4xf32>
  } else {
    graph.return %x : tensor<4xf32>
  }
  graph.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

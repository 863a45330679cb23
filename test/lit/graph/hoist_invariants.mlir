// RUN: tfrt_opt %s --graph-hoist-invariants | FileCheck %s

// What is the same in each run is computed before the loop.
// CHECK-LABEL: func.func @invariant
// CHECK:         %[[SAME:.*]] = graph.exp %arg1
// CHECK:         graph.loop
// CHECK-NOT:     graph.exp
// CHECK:         graph.mul %{{.*}}, %[[SAME]]
func.func @invariant(%x: tensor<4xf32>, %w: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  %0 = graph.loop count(%n : tensor<i64>) initial(%x : tensor<4xf32>) -> (tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<4xf32>):
    %1 = graph.exp %w : (tensor<4xf32>) -> tensor<4xf32>
    %2 = graph.mul %a, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.return %go, %2 : tensor<i1>, tensor<4xf32>
  }
  graph.return %0 : tensor<4xf32>
}

// An op that may fail, or whose sizes may not fit, stays in a loop that may not run.
// CHECK-LABEL: func.func @may_fail
// CHECK-NOT:     graph.gather
// CHECK-NOT:     graph.add
// CHECK:         graph.loop
// CHECK:           graph.gather
// CHECK:           graph.add
func.func @may_fail(%x: tensor<4xf32>, %w: tensor<?xf32>, %at: tensor<i64>, %n: tensor<i64>) -> tensor<4xf32> {
  %zero = graph.constant dense<0> : tensor<i64>
  %0 = graph.loop count(%n : tensor<i64>) initial(%x : tensor<4xf32>) -> (tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<4xf32>):
    %1 = graph.gather %x, %at, %zero : (tensor<4xf32>, tensor<i64>, tensor<i64>) -> tensor<f32>
    %2 = graph.add %w, %x : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
    %3 = graph.mul %2, %1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %4 = graph.mul %a, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.return %go, %4 : tensor<i1>, tensor<4xf32>
  }
  graph.return %0 : tensor<4xf32>
}

// One that runs has the same error before it as in it.
// CHECK-LABEL: func.func @runs
// CHECK:         graph.gather
// CHECK:         graph.loop
// CHECK-NOT:     graph.gather
func.func @runs(%x: tensor<4xf32>, %at: tensor<i64>) -> tensor<4xf32> {
  %three = graph.constant dense<3> : tensor<i64>
  %0 = graph.loop count(%three : tensor<i64>) initial(%x : tensor<4xf32>) -> (tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<4xf32>):
    %zero = graph.constant dense<0> : tensor<i64>
    %1 = graph.gather %x, %at, %zero : (tensor<4xf32>, tensor<i64>, tensor<i64>) -> tensor<f32>
    %2 = graph.mul %a, %1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.return %go, %2 : tensor<i1>, tensor<4xf32>
  }
  graph.return %0 : tensor<4xf32>
}

// Out of the inner loop and of the outer one; effects stay.
// CHECK-LABEL: func.func @nested
// CHECK:         graph.exp %arg0
// CHECK:         graph.loop
// CHECK:           graph.loop
// CHECK:             graph.host_call
func.func @nested(%x: tensor<4xf32>, %n: tensor<i64>) -> (tensor<4xf32>, tensor<i1>) {
  %t = graph.begin_effects
  %0, %1 = graph.loop count(%n : tensor<i64>) initial(%x, %t : tensor<4xf32>, !graph.token) -> (tensor<4xf32>, !graph.token) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<4xf32>, %t0: !graph.token):
    %2, %3 = graph.loop count(%n : tensor<i64>) initial(%a, %t0 : tensor<4xf32>, !graph.token) -> (tensor<4xf32>, !graph.token) {
    ^bb0(%j: tensor<i64>, %on: tensor<i1>, %b: tensor<4xf32>, %t1: !graph.token):
      %4 = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
      %5 = graph.add %b, %4 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %6 = graph.host_call %x, %t1 {callback = 0 : i64, name = "log"} : (tensor<4xf32>, !graph.token) -> !graph.token
      graph.return %on, %5, %6 : tensor<i1>, tensor<4xf32>, !graph.token
    }
    graph.return %go, %2, %3 : tensor<i1>, tensor<4xf32>, !graph.token
  }
  %over = graph.end_effects %1 : tensor<i1>
  graph.return %0, %over : tensor<4xf32>, tensor<i1>
}

// RUN: tfrt_opt %s --graph-dead-code | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK-NEXT:    graph.return %arg0
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %x : tensor<4xf32>
}

// Effects stay, whether somebody asks for what they make or not.
// CHECK-LABEL: func.func @effects
// CHECK:         graph.host_call
func.func @effects(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = graph.begin_effects
  %y, %t1 = graph.host_call %x, %t {callback = 0 : i64, name = "log"} : (tensor<4xf32>, !graph.token) -> (tensor<4xf32>, !graph.token)
  graph.return %x : tensor<4xf32>
}

// A result of a branch that nobody uses, and what makes it.
// CHECK-LABEL: func.func @branch
// CHECK:         graph.if %arg1 : tensor<i1> -> (tensor<4xf32>) {
// CHECK-NEXT:      graph.exp
// CHECK-NEXT:      graph.return
// CHECK-NEXT:    } else {
// CHECK-NEXT:      graph.return %arg0
func.func @branch(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  %0, %1 = graph.if %c : tensor<i1> -> (tensor<4xf32>, tensor<4xf32>) {
    %2 = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    %3 = graph.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
    graph.return %3, %2 : tensor<4xf32>, tensor<4xf32>
  } else {
    graph.return %x, %x : tensor<4xf32>, tensor<4xf32>
  }
  graph.return %1 : tensor<4xf32>
}

// Of three carried values one is asked for, one is needed for that one, and one goes with the stack that nobody uses.
// CHECK-LABEL: func.func @loop
// CHECK:         %[[OUT:.*]]:2 = graph.loop count(%arg1 : tensor<i64>) initial(%arg0, %arg0 : tensor<4xf32>, tensor<4xf32>)
// CHECK-SAME:      -> (tensor<4xf32>, tensor<4xf32>)
// CHECK:         ^bb0(%{{.*}}: tensor<i64>, %[[GO:.*]]: tensor<i1>, %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>):
// CHECK-NEXT:      %[[SUM:.*]] = graph.add %[[A]], %[[B]]
// CHECK-NEXT:      %[[NEXT:.*]] = graph.tanh %[[B]]
// CHECK-NEXT:      graph.return %[[GO]], %[[SUM]], %[[NEXT]]
// CHECK:         graph.return %[[OUT]]#0
func.func @loop(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  %0, %1, %2, %3 = graph.loop count(%n : tensor<i64>) initial(%x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?x4xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>):
    %4 = graph.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %5 = graph.tanh %b : (tensor<4xf32>) -> tensor<4xf32>
    %6 = graph.exp %c : (tensor<4xf32>) -> tensor<4xf32>
    graph.return %go, %4, %5, %6, %6 : tensor<i1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  graph.return %0 : tensor<4xf32>
}

// What a loop does not change it need not carry.
// CHECK-LABEL: func.func @unchanged
// CHECK:         graph.loop count(%arg2 : tensor<i64>) initial(%arg0 : tensor<4xf32>) -> (tensor<4xf32>)
// CHECK:           graph.mul %{{.*}}, %arg1
func.func @unchanged(%x: tensor<4xf32>, %w: tensor<4xf32>, %n: tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0, %1 = graph.loop count(%n : tensor<i64>) initial(%x, %w : tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>):
    %2 = graph.mul %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.return %go, %2, %b : tensor<i1>, tensor<4xf32>, tensor<4xf32>
  }
  graph.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A loop that only has effects keeps them, in their order.
// CHECK-LABEL: func.func @effects_in_loop
// CHECK:         graph.loop count(%arg1 : tensor<i64>) initial(%{{.*}} : !graph.token) -> (!graph.token)
// CHECK:           graph.host_call
func.func @effects_in_loop(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<i1> {
  %t = graph.begin_effects
  %0, %1 = graph.loop count(%n : tensor<i64>) initial(%x, %t : tensor<4xf32>, !graph.token) -> (tensor<4xf32>, !graph.token) {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<4xf32>, %token: !graph.token):
    %2 = graph.exp %a : (tensor<4xf32>) -> tensor<4xf32>
    %3 = graph.host_call %i, %token {callback = 0 : i64, name = "log"} : (tensor<i64>, !graph.token) -> !graph.token
    graph.return %go, %2, %3 : tensor<i1>, tensor<4xf32>, !graph.token
  }
  %over = graph.end_effects %1 : tensor<i1>
  graph.return %over : tensor<i1>
}

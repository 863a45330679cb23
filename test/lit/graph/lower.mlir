// RUN: tfrt_opt --lower-graph --split-input-file %s | FileCheck %s

// What depends on constants alone is computed once, in @load.
// CHECK-LABEL: func.func @load() -> tensor<3xf32> {
// CHECK-NEXT:    %[[A:.*]] = graph.constant dense<1.000000e+00> : tensor<3xf32>
// CHECK-NEXT:    %[[B:.*]] = graph.exp %[[A]]
// CHECK-NEXT:    tfrt.return %[[B]] : tensor<3xf32>
// CHECK-LABEL: func.func @main(%arg0: tensor<?x3xf32> {graph.name = "x"}, %arg1: tensor<3xf32>) -> (tensor<?x3xf32> {graph.name = "y"}) {
// CHECK-NEXT:    %[[Y:.*]] = graph.add %arg0, %arg1
// CHECK-NEXT:    tfrt.return %[[Y]] : tensor<?x3xf32>
func.func @main(%x: tensor<?x3xf32> {graph.name = "x"}) -> (tensor<?x3xf32> {graph.name = "y"}) {
  %a = graph.constant dense<1.0> : tensor<3xf32>
  %b = graph.exp %a : (tensor<3xf32>) -> tensor<3xf32>
  %y = graph.add %x, %b : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  graph.return %y : tensor<?x3xf32>
}

// -----

// Kernels have all attributes. A large tensor that is made of little is made at each run.
// CHECK-LABEL: func.func @load() -> (tensor<2xi64>, tensor<f32>, tensor<4x2xf32>) {
// CHECK:         graph.weight dense_resource<w> : tensor<4x2xf32>
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    graph.fill %arg0, %arg1
// CHECK-NEXT:    graph.matmul %{{.*}}, %arg2 {transpose_a = false, transpose_b = false}
func.func @main() -> tensor<1000000x2xf32> {
  %shape = graph.constant dense<[1000000, 4]> : tensor<2xi64>
  %one = graph.constant dense<1.0> : tensor<f32>
  %x = graph.fill %shape, %one : (tensor<2xi64>, tensor<f32>) -> tensor<1000000x4xf32>
  %w = graph.constant dense_resource<w> : tensor<4x2xf32>
  %y = graph.matmul %x, %w : (tensor<1000000x4xf32>, tensor<4x2xf32>) -> tensor<1000000x2xf32>
  graph.return %y : tensor<1000000x2xf32>
}
{-#
  dialect_resources: { builtin: { w: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F" } }
#-}

// -----

// Weights of branches and loops are packed once, and those of two branches together. What may fail is left where the
// program has it, and so is what constants do not decide alone.
// CHECK-LABEL: func.func @load()
// CHECK-COUNT-1: graph.pack_matrix
// CHECK-NOT: graph.pack_matrix
// CHECK: graph.dequantize
// CHECK-NOT: graph.gather
// CHECK: tfrt.return
// CHECK-LABEL: func.func @main
// CHECK: func.func private @main.then
// CHECK: graph.fused_batch_matmul
// CHECK: graph.gather
// CHECK: func.func private @main.else
// CHECK: graph.fused_batch_matmul
// CHECK: func.func private @main.loop
// CHECK-NOT: graph.dequantize
func.func @main(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = graph.constant dense<2.0> : tensor<2x2xf32>
  %i = graph.constant dense<[0, 1]> : tensor<2xi64>
  %zero = graph.constant dense<0> : tensor<i64>
  %y = graph.if %c : tensor<i1> -> (tensor<4x2xf32>) {
    %p = graph.pack_matrix %w {rows = 4 : i64, transpose_b = false} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %0 = graph.fused_batch_matmul %x, %p {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %1 = graph.gather %w, %i, %zero : (tensor<2x2xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x2xf32>
    %2 = graph.matmul %0, %1 : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    graph.return %2 : tensor<4x2xf32>
  } else {
    %p = graph.pack_matrix %w {rows = 4 : i64, transpose_b = false} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %0 = graph.fused_batch_matmul %x, %p {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    graph.return %0 : tensor<4x2xf32>
  }
  %last = graph.loop count(%n : tensor<i64>) initial(%x : tensor<4x2xf32>) -> (tensor<4x2xf32>) {
  ^bb0(%k: tensor<i64>, %go_on: tensor<i1>, %carried: tensor<4x2xf32>):
    %q = graph.constant dense<3> : tensor<2x2xi8>
    %scale = graph.constant dense<0.5> : tensor<f32>
    %0 = graph.dequantize %q, %scale {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<2x2xi8>, tensor<f32>) -> tensor<2x2xf32>
    %1 = graph.matmul %carried, %0 : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    graph.return %go_on, %1 : tensor<i1>, tensor<4x2xf32>
  }
  graph.return %y, %last : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// Regions are functions, with what they see as arguments; inner ones come first.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[N:.*]]: tensor<i64>, %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<4xf32>, %[[TWO:.*]]: tensor<f32>
// CHECK: graph.loop_call %[[N]], %[[X]], %[[C]], %[[TWO]], %[[X]] {body = @main.loop1, carried = 1 : i64, has_condition = false, has_count = true, stacked = array<i64: {{[0-9]+}}, 1, 4>}
// CHECK: func.func private @main.then0(%[[V:.*]]: tensor<4xf32>, %[[T:.*]]: tensor<f32>) -> tensor<4xf32>
// CHECK: graph.mul %[[V]], %[[T]]
// CHECK: func.func private @main.else0(%[[V:.*]]: tensor<4xf32>, %{{.*}}: tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: tfrt.return %[[V]]
// CHECK: func.func private @main.loop1(%{{.*}}: tensor<i64>, %[[GO:.*]]: tensor<i1>, %[[V:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<i1>, %[[TWO:.*]]: tensor<f32>, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[Y:.*]] = graph.if_call %[[C]], %[[V]], %[[TWO]] {else_function = @main.else0, then_function = @main.then0}
// CHECK: %[[NEXT:.*]] = graph.add %[[Y]], %[[X]]
// CHECK: tfrt.return %[[GO]], %[[NEXT]], %[[NEXT]]
func.func @main(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
  %two = graph.constant dense<2.0> : tensor<f32>
  %last, %all = graph.loop count(%n : tensor<i64>) initial(%x : tensor<4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %carried: tensor<4xf32>):
    %y = graph.if %c : tensor<i1> -> (tensor<4xf32>) {
      %0 = graph.mul %carried, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      graph.return %0 : tensor<4xf32>
    } else {
      graph.return %carried : tensor<4xf32>
    }
    %next = graph.add %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.return %go_on, %next, %next : tensor<i1>, tensor<4xf32>, tensor<4xf32>
  }
  graph.return %last, %all : tensor<4xf32>, tensor<?x4xf32>
}

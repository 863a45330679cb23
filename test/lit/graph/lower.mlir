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

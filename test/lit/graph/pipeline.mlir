// RUN: tfrt_opt %s --graph-pipeline --lower-graph | FileCheck %s

// A convolution with its bias and activation is one kernel, which has the channels last.
// CHECK-LABEL: func.func @load()
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    graph.transpose
// CHECK-NEXT:    graph.fused_conv {{.*}}activation = "relu"
// CHECK-NEXT:    graph.transpose
// CHECK-NEXT:    tfrt.return
func.func @main(%x: tensor<1x3x8x8xf32> {graph.name = "x"}) -> (tensor<1x4x6x6xf32> {graph.name = "y"}) {
  %w = graph.constant dense<0.5> : tensor<4x3x3x3xf32>
  %b = graph.constant dense<2.0> : tensor<4x1x1xf32>
  %c = graph.conv %x, %w {groups = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  %n = graph.add %c, %b : (tensor<1x4x6x6xf32>, tensor<4x1x1xf32>) -> tensor<1x4x6x6xf32>
  %y = graph.relu %n : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  graph.return %y : tensor<1x4x6x6xf32>
}

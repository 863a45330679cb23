// RUN: tfrt_opt %s --graph-fuse | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-fuse{numerics=exact}))' | FileCheck %s --check-prefix=EXACT

// A layer as eager programs call it is one kernel; with exact numerics the convolution keeps its order of sums.
// CHECK-LABEL: func.func @layer
// CHECK-NEXT:    graph.constant
// CHECK-NEXT:    graph.constant
// CHECK-NEXT:    graph.fused_conv {{.*}}activation = "relu"{{.*}}channels_last = true{{.*}}padding = "same_upper"{{.*}}strides = array<i64: 2, 1>
// CHECK-NEXT:    graph.return
// EXACT-LABEL: func.func @layer
// EXACT:         graph.conv2d
// EXACT-NEXT:    graph.add
// EXACT-NEXT:    graph.relu
func.func @layer(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x8x4xf32> {
  %w = graph.constant dense<0.5> : tensor<3x3x3x4xf32>
  %b = graph.constant dense<2.0> : tensor<4xf32>
  %c = graph.conv2d %x, %w {padding = "SAME", strides = array<i64: 1, 2, 1, 1>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x8x4xf32>
  %n = graph.bias_add %c, %b : (tensor<1x4x8x4xf32>, tensor<4xf32>) -> tensor<1x4x8x4xf32>
  %y = graph.relu %n : (tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
  graph.return %y : tensor<1x4x8x4xf32>
}

// Explicit padding: rows and columns, before and after.
// CHECK-LABEL: func.func @explicit
// CHECK:         graph.fused_conv {{.*}}activation = "tanh"{{.*}}pads = array<i64: 1, 3, 2, 4>
func.func @explicit(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>, %b: tensor<4xf32>) -> tensor<1x9x13x4xf32> {
  %c = graph.conv2d_bias %x, %w, %b {activation = "tanh", explicit_paddings = array<i64: 0, 0, 1, 2, 3, 4, 0, 0>, padding = "EXPLICIT"} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<4xf32>) -> tensor<1x9x13x4xf32>
  graph.return %c : tensor<1x9x13x4xf32>
}

// A filter for groups of channels, or sizes that may be of one, stay.
// CHECK-LABEL: func.func @groups
// CHECK-NEXT:    graph.conv2d
func.func @groups(%x: tensor<1x8x8x?xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32> {
  %c = graph.conv2d %x, %w {padding = "VALID"} : (tensor<1x8x8x?xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  graph.return %c : tensor<1x6x6x4xf32>
}

// A product with its bias and activation is one kernel, whose matrix can be packed.
// CHECK-LABEL: func.func @product
// CHECK-NEXT:    graph.fused_batch_matmul %arg0, %arg1, %arg2 {{.*}}activation = "gelu_tanh"{{.*}}transpose_b = true
// CHECK-NEXT:    graph.return
// EXACT-LABEL: func.func @product
// EXACT-NEXT:    graph.matmul_bias
func.func @product(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %y = graph.matmul_bias %x, %w, %b {activation = "gelu_tanh", transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  graph.return %y : tensor<2x4xf32>
}

// A normalisation by known numbers becomes part of the convolution.
// CHECK-LABEL: func.func @norm
// CHECK-NOT:     batch_norm
// CHECK:         graph.fused_conv {{.*}}activation = "relu"
// CHECK-NEXT:    graph.return
// EXACT-LABEL: func.func @norm
// EXACT:         graph.batch_norm
func.func @norm(%x: tensor<1x8x8x3xf32>) -> tensor<1x8x8x4xf32> {
  %w = graph.constant dense<0.5> : tensor<3x3x3x4xf32>
  %scale = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %offset = graph.constant dense<[0.1, 0.2, 0.3, 0.4]> : tensor<4xf32>
  %mean = graph.constant dense<[0.5, 0.6, 0.7, 0.8]> : tensor<4xf32>
  %variance = graph.constant dense<[0.9, 1.0, 1.1, 1.2]> : tensor<4xf32>
  %c = graph.conv2d %x, %w {padding = "SAME"} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x8x8x4xf32>
  %n:6 = graph.batch_norm %c, %scale, %offset, %mean, %variance {epsilon = 0.001 : f32} : (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xf32>)
  %y = graph.relu %n#0 : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  graph.return %y : tensor<1x8x8x4xf32>
}

// In training, and where a number is not known, it stays.
// CHECK-LABEL: func.func @other_norms
// CHECK:         graph.batch_norm {{.*}}is_training = true
// CHECK:         graph.batch_norm %arg0, %arg1
func.func @other_norms(%x: tensor<1x8x8x4xf32>, %scale: tensor<4xf32>) -> (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) {
  %c = graph.constant dense<[0.1, 0.2, 0.3, 0.4]> : tensor<4xf32>
  %t:6 = graph.batch_norm %x, %c, %c, %c, %c {is_training = true} : (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xf32>)
  %y:6 = graph.batch_norm %x, %scale, %c, %c, %c : (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xf32>)
  graph.return %t#0, %y#0 : tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>
}

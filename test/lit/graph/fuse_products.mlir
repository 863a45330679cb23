// What stands around matrix products becomes part of them.
// RUN: tfrt_opt %s --graph-fuse | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-fuse{numerics=exact}))' | FileCheck %s --check-prefix=EXACT

// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x4xf32>
// CHECK: %[[H:.*]] = graph.fused_batch_matmul %[[X]], %[[W:.*]], %[[B:.*]] {activation = "gelu", operandSegmentSizes = array<i32: 1, 1, 1, 0>}
// CHECK: %[[Y:.*]] = graph.fused_batch_matmul %[[H]], %[[V:.*]], %[[C:.*]], %[[X]] {operandSegmentSizes = array<i32: 1, 1, 1, 1>, transpose_b = true}
// CHECK-NEXT: graph.return %[[Y]]
// EXACT-LABEL: func.func @layer(
// EXACT: graph.fused_batch_matmul
// EXACT-NEXT: graph.gelu
// EXACT: graph.fused_batch_matmul
func.func @layer(%x: tensor<?x?x4xf32> {graph.dims = ["batch", "length", ""], graph.name = "x"}) -> tensor<?x?x4xf32> {
  %w = graph.constant dense_resource<w> : tensor<4x8xf32>
  %v = graph.constant dense_resource<v> : tensor<4x8xf32>
  %b = graph.constant dense_resource<b> : tensor<8xf32>
  %c = graph.constant dense_resource<c> : tensor<1x1x4xf32>
  %turned = graph.constant dense<[1, 0]> : tensor<2xi64>
  %t = graph.transpose %v, %turned : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<8x4xf32>
  %0 = graph.batch_matmul %x, %w : (tensor<?x?x4xf32>, tensor<4x8xf32>) -> tensor<?x?x8xf32>
  %1 = graph.add %b, %0 : (tensor<8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %2 = graph.gelu %1 : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %3 = graph.batch_matmul %2, %t : (tensor<?x?x8xf32>, tensor<8x4xf32>) -> tensor<?x?x4xf32>
  %4 = graph.add %3, %c : (tensor<?x?x4xf32>, tensor<1x1x4xf32>) -> tensor<?x?x4xf32>
  %5 = graph.add %x, %4 : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  graph.return %5 : tensor<?x?x4xf32>
}

// Numbers before and behind, and a transposed factor.
// CHECK-LABEL: func.func @scaled(
// CHECK: graph.fused_batch_matmul %{{.*}}, %{{.*}} {operandSegmentSizes = array<i32: 1, 1, 0, 0>, scale = 3.000000e+00 : f32, transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT: graph.return
// EXACT-LABEL: func.func @scaled(
// EXACT: graph.mul
// EXACT: graph.batch_matmul %{{.*}}, %{{.*}} {transpose_b = true}
// EXACT-NEXT: graph.div
func.func @scaled(%a: tensor<2x3x4xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x3x5xf32> {
  %six = graph.constant dense<6.0> : tensor<f32>
  %two = graph.constant dense<2.0> : tensor<1xf32>
  %turned = graph.constant dense<[0, 2, 1]> : tensor<3xi64>
  %0 = graph.mul %a, %six : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %1 = graph.transpose %b, %turned : (tensor<2x5x4xf32>, tensor<3xi64>) -> tensor<2x4x5xf32>
  %2 = graph.batch_matmul %0, %1 : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %3 = graph.div %2, %two : (tensor<2x3x5xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
  graph.return %3 : tensor<2x3x5xf32>
}

// Rows that are put into a matrix for the product, and taken apart again; rows that are moved.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: tensor<?x1x4xf32> {{.*}}, %[[Y:.*]]: tensor<2x3x4xf32>
// CHECK: graph.fused_batch_matmul %[[X]], %{{.*}} : (tensor<?x1x4xf32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<?x1x8xf32>
// CHECK: %[[PRODUCT:.*]] = graph.batch_matmul %[[Y]], %{{.*}} : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
// CHECK: graph.transpose %[[PRODUCT]], %{{.*}} : (tensor<2x3x8xf32>, tensor<3xi64>) -> tensor<3x2x8xf32>
func.func @rows(%x: tensor<?x1x4xf32> {graph.dims = ["batch", "", ""], graph.name = "x"}, %y: tensor<2x3x4xf32>) -> (tensor<?x1x8xf32>, tensor<3x2x8xf32>) {
  %w = graph.constant dense_resource<w> : tensor<4x8xf32>
  %b = graph.constant dense_resource<b> : tensor<8xf32>
  %flat = graph.constant dense<[-1, 4]> : tensor<2xi64>
  %back = graph.constant dense<[-1, 1, 8]> : tensor<3xi64>
  %moved = graph.constant dense<[1, 0, 2]> : tensor<3xi64>
  %0 = graph.reshape %x, %flat : (tensor<?x1x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %1 = graph.matmul %0, %w : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  %2 = graph.add %1, %b : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %3 = graph.reshape %2, %back : (tensor<?x8xf32>, tensor<3xi64>) -> tensor<?x1x8xf32>
  %4 = graph.transpose %y, %moved : (tensor<2x3x4xf32>, tensor<3xi64>) -> tensor<3x2x4xf32>
  %5 = graph.batch_matmul %4, %w : (tensor<3x2x4xf32>, tensor<4x8xf32>) -> tensor<3x2x8xf32>
  graph.return %3, %5 : tensor<?x1x8xf32>, tensor<3x2x8xf32>
}

// Products that are needed themselves, summands that make the result larger, columns that move.
// CHECK-LABEL: func.func @not_fused(
// CHECK-NOT: graph.fused_batch_matmul
func.func @not_fused(%a: tensor<2x2xf32>, %large: tensor<3x2x2xf32>, %c: tensor<2x2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x2x2xf32>, tensor<2x2x2xf32>) {
  %w = graph.constant dense_resource<w> : tensor<2x2xf32>
  %moved = graph.constant dense<[2, 1, 0]> : tensor<3xi64>
  %0 = graph.matmul %a, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = graph.relu %0 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = graph.matmul %1, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = graph.add %2, %large : (tensor<2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
  %4 = graph.transpose %c, %moved : (tensor<2x2x2xf32>, tensor<3xi64>) -> tensor<2x2x2xf32>
  %5 = graph.batch_matmul %4, %w : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  graph.return %0, %1, %3, %5 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x2x2xf32>, tensor<2x2x2xf32>
}

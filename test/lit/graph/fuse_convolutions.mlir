// What stands around convolutions becomes part of them.
// RUN: tfrt_opt %s --graph-fuse | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-fuse{numerics=exact}))' | FileCheck %s --check-prefix=EXACT

// Batch normalisation as the importer writes it: the filter and the bias are computed of constants.
// CHECK-LABEL: func.func @normalised(
// CHECK: %[[FILTER:.*]] = graph.mul %{{.*}}, %{{.*}} : (tensor<2x3x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x3x1x1xf32>
// CHECK: %[[SCALED:.*]] = graph.mul %{{.*}}, %{{.*}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK: %[[BIAS:.*]] = graph.add %[[SCALED]], %{{.*}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK: %[[Y:.*]] = graph.fused_conv %{{.*}}, %[[FILTER]], %[[BIAS]] {activation = "relu", groups = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0>, pads = array<i64: 0, 0, 0, 0>} :
// CHECK-NEXT: graph.return %[[Y]]
// EXACT-LABEL: func.func @normalised(
// EXACT: graph.conv
// EXACT: graph.mul
// EXACT: graph.add
// EXACT: graph.relu
func.func @normalised(%x: tensor<?x3x4x4xf32>) -> tensor<?x2x4x4xf32> {
  %w = graph.constant dense_resource<w> : tensor<2x3x1x1xf32>
  %b = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %scale = graph.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %offset = graph.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %sizes = graph.constant dense<[-1, 1, 1]> : tensor<3xi64>
  %root = graph.sqrt %scale : (tensor<2xf32>) -> tensor<2xf32>
  %factor = graph.reshape %root, %sizes : (tensor<2xf32>, tensor<3xi64>) -> tensor<2x1x1xf32>
  %summand = graph.reshape %offset, %sizes : (tensor<2xf32>, tensor<3xi64>) -> tensor<2x1x1xf32>
  %0 = graph.conv %x, %w, %b {groups = 1 : i64, pads = array<i64: 0, 0, 0, 0>} : (tensor<?x3x4x4xf32>, tensor<2x3x1x1xf32>, tensor<2xf32>) -> tensor<?x2x4x4xf32>
  %1 = graph.mul %0, %factor : (tensor<?x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<?x2x4x4xf32>
  %2 = graph.add %1, %summand : (tensor<?x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<?x2x4x4xf32>
  %3 = graph.relu %2 : (tensor<?x2x4x4xf32>) -> tensor<?x2x4x4xf32>
  graph.return %3 : tensor<?x2x4x4xf32>
}

// A residual block, and an addition that is part of the later of two convolutions.
// CHECK-LABEL: func.func @residual(
// CHECK-SAME: %[[X:.*]]: tensor<1x2x4x4xf32>
// CHECK: %[[A:.*]] = graph.conv %[[X]]
// CHECK: %[[B:.*]] = graph.fused_conv %[[X]], %{{.*}}, %[[A]] {activation = "clip", beta = 6.000000e+00 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 1>}
// CHECK: %[[C:.*]] = graph.fused_conv %[[B]], %{{.*}}, %[[B]] {operandSegmentSizes = array<i32: 1, 1, 0, 1>}
// CHECK-NEXT: graph.return %[[C]]
// EXACT-LABEL: func.func @residual(
// EXACT: graph.conv
// EXACT: graph.fused_conv
// EXACT: graph.fused_conv
func.func @residual(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %u = graph.constant dense_resource<u> : tensor<2x2x1x1xf32>
  %v = graph.constant dense_resource<v> : tensor<2x2x1x1xf32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %six = graph.constant dense<6.0> : tensor<f32>
  %0 = graph.conv %x, %u : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = graph.conv %x, %v : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = graph.add %1, %0 : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = graph.clip %2, %zero, %six {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %4 = graph.conv %3, %u : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %5 = graph.add %3, %4 : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  graph.return %5 : tensor<1x2x4x4xf32>
}

// One number for all channels; channels last; the bias subtracted.
// CHECK-LABEL: func.func @other_spellings(
// CHECK-DAG: graph.div %{{.*}}, %{{.*}} : (tensor<1x1x3x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-DAG: graph.neg %{{.*}} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK: graph.conv %{{.*}} {channels_last = true} : (tensor<1x4x4x3xf32>, tensor<1x1x3x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT: graph.return
func.func @other_spellings(%x: tensor<1x4x4x3xf32>) -> tensor<1x4x4x2xf32> {
  %w = graph.constant dense_resource<w> : tensor<1x1x3x2xf32>
  %two = graph.constant dense<2.0> : tensor<1xf32>
  %bias = graph.constant dense<[[1.0, 3.0]]> : tensor<1x2xf32>
  %0 = graph.conv %x, %w {channels_last = true} : (tensor<1x4x4x3xf32>, tensor<1x1x3x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = graph.div %0, %two : (tensor<1x4x4x2xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  %2 = graph.sub %1, %bias : (tensor<1x4x4x2xf32>, tensor<1x2xf32>) -> tensor<1x4x4x2xf32>
  graph.return %2 : tensor<1x4x4x2xf32>
}

// What another op needs as it is stays; so do numbers that are not one for each channel, summands
// that make the result larger, and other dtypes.
// CHECK-LABEL: func.func @not_fused(
// CHECK: graph.conv
// CHECK-NEXT: graph.relu
// CHECK-NEXT: graph.conv
// CHECK-NEXT: graph.mul
// CHECK-NEXT: graph.conv
// CHECK-NEXT: graph.add
// CHECK-NEXT: graph.conv
// CHECK-NEXT: graph.relu
func.func @not_fused(%x: tensor<1x2x2x2xf32>, %large: tensor<3x2x2x2xf32>, %d: tensor<1x2x2x2xf64>)
    -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<3x2x2x2xf32>, tensor<1x2x2x2xf64>) {
  %w = graph.constant dense_resource<w> : tensor<2x2x1x1xf32>
  %e = graph.constant dense_resource<e> : tensor<2x2x1x1xf64>
  %columns = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = graph.conv %x, %w : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = graph.relu %0 : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = graph.conv %1, %w : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %3 = graph.mul %2, %columns : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %4 = graph.conv %3, %w : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %5 = graph.add %4, %large : (tensor<1x2x2x2xf32>, tensor<3x2x2x2xf32>) -> tensor<3x2x2x2xf32>
  %6 = graph.conv %d, %e : (tensor<1x2x2x2xf64>, tensor<2x2x1x1xf64>) -> tensor<1x2x2x2xf64>
  %7 = graph.relu %6 : (tensor<1x2x2x2xf64>) -> tensor<1x2x2x2xf64>
  graph.return %0, %1, %3, %5, %7 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<3x2x2x2xf32>, tensor<1x2x2x2xf64>
}

// CHECK-LABEL: func.func @pads(
// CHECK: graph.conv %{{.*}} {pads = array<i64: 2, 3, 2, 1>} : (tensor<1x3x4x4xf32>
// CHECK: graph.average_pool %{{.*}} {count_padding = true, kernel = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
// CHECK: graph.max_pool %{{.*}} {kernel = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
// CHECK-NEXT: graph.return
func.func @pads(%x: tensor<1x3x4x4xf32>) -> (tensor<1x2x7x7xf32>, tensor<1x3x5x5xf32>, tensor<1x3x5x5xf32>) {
  %w = graph.constant dense_resource<w> : tensor<2x3x2x2xf32>
  %rows = graph.constant dense<[[0, 0], [0, 0], [1, 2], [3, 0]]> : tensor<4x2xi64>
  %ones = graph.constant dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>
  %lowest = graph.constant dense<0xFF800000> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %0 = graph.pad_with %x, %rows, %zero : (tensor<1x3x4x4xf32>, tensor<4x2xi64>, tensor<f32>) -> tensor<1x3x7x7xf32>
  %1 = graph.conv %0, %w {pads = array<i64: 1, 0, 0, 1>} : (tensor<1x3x7x7xf32>, tensor<2x3x2x2xf32>) -> tensor<1x2x7x7xf32>
  %2 = graph.pad %x, %ones : (tensor<1x3x4x4xf32>, tensor<4x2xi64>) -> tensor<1x3x6x6xf32>
  %3 = graph.average_pool %2 {kernel = array<i64: 2, 2>} : (tensor<1x3x6x6xf32>) -> tensor<1x3x5x5xf32>
  %4 = graph.pad_with %x, %ones, %lowest : (tensor<1x3x4x4xf32>, tensor<4x2xi64>, tensor<f32>) -> tensor<1x3x6x6xf32>
  %5 = graph.max_pool %4 {kernel = array<i64: 2, 2>} : (tensor<1x3x6x6xf32>) -> tensor<1x3x5x5xf32>
  graph.return %1, %3, %5 : tensor<1x2x7x7xf32>, tensor<1x3x5x5xf32>, tensor<1x3x5x5xf32>
}

// Padded channels, numbers that are not 0, a mean that does not count what it pads itself, zeros
// that may be the largest.
// CHECK-LABEL: func.func @other_pads(
// CHECK-COUNT-4: graph.pad_with
func.func @other_pads(%x: tensor<1x3x4x4xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x5x5xf32>, tensor<1x3x7x7xf32>, tensor<1x3x5x5xf32>) {
  %w = graph.constant dense_resource<w> : tensor<2x4x2x2xf32>
  %v = graph.constant dense_resource<v> : tensor<2x3x2x2xf32>
  %channels = graph.constant dense<[[0, 0], [0, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>
  %ones = graph.constant dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>
  %one = graph.constant dense<1.0> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %0 = graph.pad_with %x, %channels, %zero : (tensor<1x3x4x4xf32>, tensor<4x2xi64>, tensor<f32>) -> tensor<1x4x4x4xf32>
  %1 = graph.conv %0, %w : (tensor<1x4x4x4xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x3x3xf32>
  %2 = graph.pad_with %x, %ones, %one : (tensor<1x3x4x4xf32>, tensor<4x2xi64>, tensor<f32>) -> tensor<1x3x6x6xf32>
  %3 = graph.conv %2, %v : (tensor<1x3x6x6xf32>, tensor<2x3x2x2xf32>) -> tensor<1x2x5x5xf32>
  %4 = graph.pad_with %x, %ones, %zero : (tensor<1x3x4x4xf32>, tensor<4x2xi64>, tensor<f32>) -> tensor<1x3x6x6xf32>
  %5 = graph.average_pool %4 {kernel = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x6x6xf32>) -> tensor<1x3x7x7xf32>
  %6 = graph.pad_with %x, %ones, %zero : (tensor<1x3x4x4xf32>, tensor<4x2xi64>, tensor<f32>) -> tensor<1x3x6x6xf32>
  %7 = graph.max_pool %6 {kernel = array<i64: 2, 2>} : (tensor<1x3x6x6xf32>) -> tensor<1x3x5x5xf32>
  graph.return %1, %3, %5, %7 : tensor<1x2x3x3xf32>, tensor<1x2x5x5xf32>, tensor<1x3x7x7xf32>, tensor<1x3x5x5xf32>
}

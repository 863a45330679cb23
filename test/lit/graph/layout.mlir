// Channels last inside: transposes at the borders alone.
// RUN: tfrt_opt %s --graph-layout | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-layout{remarks=true}))' -verify-diagnostics -o /dev/null

// A residual network: convolutions, activation, sums, a pool, constants for each channel, the mean
// of each channel, and a product with what is left.
// CHECK-LABEL: func.func @network(
// CHECK-SAME: %[[X:.*]]: tensor<?x3x8x8xf32>
// CHECK: %[[TO_LAST:.*]] = graph.constant dense<[0, 2, 3, 1]> : tensor<4xi64>
// CHECK: %[[LAST:.*]] = graph.transpose %[[X]], %[[TO_LAST]] : (tensor<?x3x8x8xf32>, tensor<4xi64>) -> tensor<?x8x8x3xf32>
// CHECK: %[[FILTER:.*]] = graph.transpose %{{.*}} : (tensor<4x3x3x3xf32>, tensor<4xi64>) -> tensor<3x3x3x4xf32>
// CHECK: graph.conv %[[LAST]], %[[FILTER]], %{{.*}} {channels_last = true, pads = array<i64: 1, 1, 1, 1>} : {{.*}} -> tensor<?x8x8x4xf32>
// CHECK: graph.max_pool %{{.*}} {channels_last = true, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x8x8x4xf32>) -> tensor<?x4x4x4xf32>
// CHECK: graph.fused_conv %{{.*}} {activation = "relu", channels_last = true, groups = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<?x4x4x4xf32>, tensor<1x1x1x4xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
// CHECK: graph.prelu %{{.*}} : (tensor<?x4x4x4xf32>, tensor<1x1x1x4xf32>) -> tensor<?x4x4x4xf32>
// CHECK: %[[AXES:.*]] = graph.constant dense<[1, 2]> : tensor<2xi64>
// CHECK: %[[MEAN:.*]] = graph.reduce_mean %{{.*}}, %[[AXES]] : (tensor<?x4x4x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
// CHECK-NEXT: graph.return %[[MEAN]]
// expected-remark @+1 {{2 convolutions have their channels last; had 0 transposes, has 1}}
func.func @network(%x: tensor<?x3x8x8xf32> {graph.dims = ["batch", "", "", ""], graph.name = "x"}) -> tensor<?x4xf32> {
  %w = graph.constant dense_resource<w> : tensor<4x3x3x3xf32>
  %b = graph.constant dense_resource<b> : tensor<4xf32>
  %v = graph.constant dense_resource<v> : tensor<4x1x1x1xf32>
  %slope = graph.constant dense<[[[0.1]], [[0.2]], [[0.3]], [[0.4]]]> : tensor<4x1x1xf32>
  %axes = graph.constant dense<[2, -1]> : tensor<2xi64>
  %0 = graph.conv %x, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<?x4x8x8xf32>
  %1 = graph.relu %0 : (tensor<?x4x8x8xf32>) -> tensor<?x4x8x8xf32>
  %2 = graph.max_pool %1 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x4x8x8xf32>) -> tensor<?x4x4x4xf32>
  %3 = graph.fused_conv %2, %v, %2 {activation = "relu", groups = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<?x4x4x4xf32>, tensor<4x1x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %4 = graph.prelu %3, %slope : (tensor<?x4x4x4xf32>, tensor<4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %5 = graph.reduce_mean %4, %axes : (tensor<?x4x4x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  graph.return %5 : tensor<?x4xf32>
}

// Numbers that are about dimensions are in the other order; the output gets its own back.
// CHECK-LABEL: func.func @movements(
// CHECK: graph.conv_transpose %{{.*}} {channels_last = true} : (tensor<1x4x5x3xf32>, tensor<2x2x6x3xf32>) -> tensor<1x5x6x6xf32>
// CHECK: %[[AXIS:.*]] = graph.constant dense<3> : tensor<i64>
// CHECK: graph.concat %{{.*}}, %{{.*}}, %[[AXIS]] : (tensor<1x5x6x6xf32>, tensor<1x5x6x6xf32>, tensor<i64>) -> tensor<1x5x6x12xf32>
// CHECK: %[[PADS:.*]] = graph.constant dense<{{\[\[}}0, 0], [1, 2], [3, 4], [0, 0]]> : tensor<4x2xi64>
// CHECK: graph.pad %{{.*}}, %[[PADS]] : (tensor<1x5x6x12xf32>, tensor<4x2xi64>) -> tensor<1x8x13x12xf32>
// CHECK: graph.depth_to_space %{{.*}} {block = 2 : i64, channels_last = true} : (tensor<1x8x13x12xf32>) -> tensor<1x16x26x3xf32>
// CHECK: %[[SIZES:.*]] = graph.constant dense<[1, 32, 52, 3]> : tensor<4xi64>
// CHECK: %[[ORDER:.*]] = graph.constant dense<[0, 2, 3, 1]> : tensor<4xi64>
// CHECK: %[[SCALES:.*]] = graph.gather %{{.*}}, %[[ORDER]], %{{.*}} : (tensor<4xf32>, tensor<4xi64>, tensor<i64>) -> tensor<4xf32>
// CHECK: graph.resize %{{.*}}, %[[SIZES]], %[[SCALES]] {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<1x16x26x3xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<1x32x52x3xf32>
// CHECK: %[[BEGIN:.*]] = graph.constant dense<[0, 2, 0, 1]> : tensor<4xi64>
// CHECK: graph.slice %{{.*}}, %[[BEGIN]], %{{.*}} -> tensor<1x30x52x2xf32>
// CHECK: %[[TO_FIRST:.*]] = graph.constant dense<[0, 3, 1, 2]> : tensor<4xi64>
// CHECK: %[[Y:.*]] = graph.transpose %{{.*}}, %[[TO_FIRST]] : (tensor<1x30x52x2xf32>, tensor<4xi64>) -> tensor<1x2x30x52xf32>
// CHECK-NEXT: graph.return %[[Y]]
// expected-remark @+1 {{1 convolutions have their channels last; had 0 transposes, has 2}}
func.func @movements(%x: tensor<1x3x4x5xf32>) -> tensor<1x2x30x52xf32> {
  %w = graph.constant dense_resource<w> : tensor<3x6x2x2xf32>
  %axis = graph.constant dense<-3> : tensor<i64>
  %pads = graph.constant dense<[[0, 0], [0, 0], [1, 2], [3, 4]]> : tensor<4x2xi64>
  %sizes = graph.constant dense<[1, 3, 32, 52]> : tensor<4xi64>
  %begin = graph.constant dense<[0, 1, 2, 0]> : tensor<4xi64>
  %size = graph.constant dense<[1, 2, 30, -1]> : tensor<4xi64>
  %0 = graph.conv_transpose %x, %w : (tensor<1x3x4x5xf32>, tensor<3x6x2x2xf32>) -> tensor<1x6x5x6xf32>
  %1 = graph.sigmoid %0 : (tensor<1x6x5x6xf32>) -> tensor<1x6x5x6xf32>
  %2 = graph.concat %0, %1, %axis : (tensor<1x6x5x6xf32>, tensor<1x6x5x6xf32>, tensor<i64>) -> tensor<1x12x5x6xf32>
  %3 = graph.pad %2, %pads : (tensor<1x12x5x6xf32>, tensor<4x2xi64>) -> tensor<1x12x8x13xf32>
  %4 = graph.depth_to_space %3 {block = 2 : i64} : (tensor<1x12x8x13xf32>) -> tensor<1x3x16x26xf32>
  %scales = graph.constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %5 = graph.resize %4, %sizes, %scales {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<1x3x16x26xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<1x3x32x52xf32>
  %6 = graph.slice %5, %begin, %size : (tensor<1x3x32x52xf32>, tensor<4xi64>, tensor<4xi64>) -> tensor<1x2x30x52xf32>
  graph.return %6 : tensor<1x2x30x52xf32>
}

// Where images are one row for a product its matrix is turned; gates for each channel move nothing.
// CHECK-LABEL: func.func @flattened(
// CHECK: graph.reshape %{{.*}} -> tensor<2x1x1x3xf32>
// CHECK: graph.mul %{{.*}}, %{{.*}} : (tensor<2x4x5x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x4x5x3xf32>
// CHECK: graph.transpose %{{.*}} : (tensor<7x3x4x5xf32>, tensor<4xi64>) -> tensor<7x4x5x3xf32>
// CHECK: %[[MATRIX:.*]] = graph.reshape %{{.*}} : (tensor<7x4x5x3xf32>, tensor<2xi64>) -> tensor<7x60xf32>
// CHECK: %[[ROWS:.*]] = graph.reshape %{{.*}} : (tensor<2x4x5x3xf32>, tensor<2xi64>) -> tensor<2x60xf32>
// CHECK: graph.matmul %[[ROWS]], %[[MATRIX]] {transpose_b = true}
// expected-remark @+1 {{1 convolutions have their channels last; had 0 transposes, has 1}}
func.func @flattened(%x: tensor<2x3x4x5xf32>, %gate: tensor<2x3xf32>) -> tensor<2x7xf32> {
  %w = graph.constant dense_resource<w> : tensor<3x3x1x1xf32>
  %m = graph.constant dense_resource<m> : tensor<7x60xf32>
  %units = graph.constant dense<[2, 3, 1, 1]> : tensor<4xi64>
  %flat = graph.constant dense<[-1, 60]> : tensor<2xi64>
  %0 = graph.conv %x, %w : (tensor<2x3x4x5xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %1 = graph.reshape %gate, %units : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<2x3x1x1xf32>
  %2 = graph.mul %0, %1 : (tensor<2x3x4x5xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %3 = graph.reshape %2, %flat : (tensor<2x3x4x5xf32>, tensor<2xi64>) -> tensor<2x60xf32>
  %4 = graph.matmul %3, %m {transpose_b = true} : (tensor<2x60xf32>, tensor<7x60xf32>) -> tensor<2x7xf32>
  graph.return %4 : tensor<2x7xf32>
}

// The other pools, blocks, pads with a number, and reductions; nothing comes back in between.
// CHECK-LABEL: func.func @others(
// CHECK: graph.average_pool %{{.*}} {channels_last = true, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x6x6x4xf32>) -> tensor<1x3x3x4xf32>
// CHECK: graph.pad_with %{{.*}} : (tensor<1x3x3x4xf32>, tensor<4x2xi64>, tensor<f32>) -> tensor<1x4x4x4xf32>
// CHECK: graph.space_to_depth %{{.*}} {block = 2 : i64, channels_last = true} : (tensor<1x4x4x4xf32>) -> tensor<1x2x2x16xf32>
// CHECK: graph.lp_pool %{{.*}} {channels_last = true, kernel = array<i64: 2, 1>{{.*}}} : (tensor<1x2x2x16xf32>) -> tensor<1x1x2x16xf32>
// CHECK: graph.reduce_max %{{.*}} : (tensor<1x1x2x16xf32>, tensor<2xi64>) -> tensor<1x16xf32>
// CHECK: graph.reduce_sum %{{.*}} : (tensor<1x1x2x16xf32>, tensor<2xi64>) -> tensor<1x16xf32>
// CHECK: graph.reduce_min %{{.*}} : (tensor<1x1x2x16xf32>, tensor<2xi64>) -> tensor<1x16xf32>
// CHECK: %[[ROWS:.*]] = graph.reshape %{{.*}} : (tensor<1x1x2x16xf32>, tensor<2xi64>) -> tensor<1x32xf32>
// CHECK: graph.fused_batch_matmul %[[ROWS]], %{{.*}} {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<1x32xf32>, tensor<32x5xf32>) -> tensor<1x5xf32>
// expected-remark @+1 {{1 convolutions have their channels last; had 0 transposes, has 1}}
func.func @others(%x: tensor<1x4x6x6xf32>) -> (tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x5xf32>) {
  %w = graph.constant dense_resource<w> : tensor<4x4x1x1xf32>
  %m = graph.constant dense_resource<m> : tensor<32x5xf32>
  %pads = graph.constant dense<[[0, 0], [0, 0], [0, 1], [1, 0]]> : tensor<4x2xi64>
  %fill = graph.constant dense<7.0> : tensor<f32>
  %axes = graph.constant dense<[2, 3]> : tensor<2xi64>
  %flat = graph.constant dense<[1, 32]> : tensor<2xi64>
  %0 = graph.conv %x, %w : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x6x6xf32>
  %1 = graph.average_pool %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x6x6xf32>) -> tensor<1x4x3x3xf32>
  %2 = graph.pad_with %1, %pads, %fill : (tensor<1x4x3x3xf32>, tensor<4x2xi64>, tensor<f32>) -> tensor<1x4x4x4xf32>
  %3 = graph.space_to_depth %2 {block = 2 : i64} : (tensor<1x4x4x4xf32>) -> tensor<1x16x2x2xf32>
  %4 = graph.lp_pool %3 {kernel = array<i64: 2, 1>, p = 2 : i64} : (tensor<1x16x2x2xf32>) -> tensor<1x16x1x2xf32>
  %5 = graph.reduce_max %4, %axes : (tensor<1x16x1x2xf32>, tensor<2xi64>) -> tensor<1x16xf32>
  %6 = graph.reduce_sum %4, %axes : (tensor<1x16x1x2xf32>, tensor<2xi64>) -> tensor<1x16xf32>
  %7 = graph.reduce_min %4, %axes : (tensor<1x16x1x2xf32>, tensor<2xi64>) -> tensor<1x16xf32>
  %8 = graph.reshape %4, %flat : (tensor<1x16x1x2xf32>, tensor<2xi64>) -> tensor<1x32xf32>
  %9 = graph.fused_batch_matmul %8, %m {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<1x32xf32>, tensor<32x5xf32>) -> tensor<1x5xf32>
  graph.return %5, %6, %7, %9 : tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x5xf32>
}

// Filters that the program computes, other dtypes, sums with what is not turned, and matrices that
// a program itself transposes.
// CHECK-LABEL: func.func @not_turned(
// CHECK: graph.conv %{{.*}} : (tensor<1x3x4x4xf32>, tensor<3x3x1x1xf32>)
// CHECK: graph.conv %{{.*}} : (tensor<1x3x4x4xf64>, tensor<3x3x1x1xf64>)
// CHECK: graph.transpose
// CHECK-NEXT: graph.relu
// CHECK: graph.conv %{{.*}} {channels_last = true}
// CHECK: graph.transpose
// CHECK-NEXT: graph.add
// expected-remark @+1 {{1 convolutions have their channels last; had 1 transposes, has 3}}
func.func @not_turned(%x: tensor<1x3x4x4xf32>, %f: tensor<3x3x1x1xf32>, %d: tensor<1x3x4x4xf64>, %m: tensor<2x3x4xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf64>, tensor<2x4x3xf32>) {
  %e = graph.constant dense_resource<e> : tensor<3x3x1x1xf64>
  %w = graph.constant dense_resource<w> : tensor<3x3x1x1xf32>
  %turn = graph.constant dense<[0, 2, 1]> : tensor<3xi64>
  %0 = graph.conv %x, %f : (tensor<1x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = graph.conv %d, %e : (tensor<1x3x4x4xf64>, tensor<3x3x1x1xf64>) -> tensor<1x3x4x4xf64>
  %2 = graph.transpose %m, %turn : (tensor<2x3x4xf32>, tensor<3xi64>) -> tensor<2x4x3xf32>
  %3 = graph.relu %2 : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %4 = graph.conv %x, %w : (tensor<1x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %5 = graph.add %4, %0 : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  graph.return %5, %1, %3 : tensor<1x3x4x4xf32>, tensor<1x3x4x4xf64>, tensor<2x4x3xf32>
}

// RUN: tfrt_opt %s --graph-pack -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @filter
// CHECK:         %[[W:.*]] = graph.constant
// CHECK:         %[[P:.*]] = graph.pack_filter %[[W]] {channels_last = true, groups = 1 : i64, input_shape = array<i64: -1, 8, 8, 3>}
// CHECK:         graph.fused_conv %arg0, %[[P]] {channels_last = true, groups = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0>}
func.func @filter(%x: tensor<?x8x8x3xf32>) -> tensor<?x6x6x4xf32> {
  %w = graph.constant dense<0.5> : tensor<3x3x3x4xf32>
  %y = graph.conv %x, %w {channels_last = true, groups = 1 : i64} : (tensor<?x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<?x6x6x4xf32>
  graph.return %y : tensor<?x6x6x4xf32>
}

// -----

// CHECK-LABEL: func.func @matrix
// CHECK:         %[[P:.*]] = graph.pack_matrix %{{.*}} {rows = 10 : i64, transpose_b = true}
// CHECK:         graph.fused_batch_matmul %arg0, %[[P]] {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transpose_a = false, transpose_b = true}
func.func @matrix(%x: tensor<2x5x3xf32>) -> tensor<2x5x4xf32> {
  %w = graph.constant dense<0.5> : tensor<4x3xf32>
  %y = graph.batch_matmul %x, %w {transpose_b = true} : (tensor<2x5x3xf32>, tensor<4x3xf32>) -> tensor<2x5x4xf32>
  graph.return %y : tensor<2x5x4xf32>
}

// -----

// A matrix of 16 bits is packed as such, for products in f32.
// CHECK-LABEL: func.func @half
// CHECK:         %[[W:.*]] = graph.constant
// CHECK:         %[[P:.*]] = graph.pack_matrix %[[W]] {rows = 5 : i64, transpose_b = false, widen = true} : (tensor<3x4xbf16>) -> tensor<3x4xf32>
// CHECK:         graph.fused_batch_matmul %arg0, %[[P]]
func.func @half(%x: tensor<5x3xf32>) -> tensor<5x4xf32> {
  %w = graph.constant dense<0.5> : tensor<3x4xbf16>
  %f = graph.cast %w {dtype = f32} : (tensor<3x4xbf16>) -> tensor<3x4xf32>
  %y = graph.matmul %x, %f : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  graph.return %y : tensor<5x4xf32>
}

// -----

// A matrix of the program is not packed, nor is one of another dtype.
// CHECK-LABEL: func.func @not_constant
// CHECK-NOT:     pack_matrix
func.func @not_constant(%x: tensor<5x3xf32>, %w: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %y = graph.matmul %x, %w : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  graph.return %y : tensor<5x4xf32>
}
// CHECK-LABEL: func.func @wide
// CHECK-NOT:     pack_matrix
func.func @wide(%x: tensor<5x3xf64>) -> tensor<5x4xf64> {
  %w = graph.constant dense<0.5> : tensor<3x4xf64>
  %y = graph.matmul %x, %w : (tensor<5x3xf64>, tensor<3x4xf64>) -> tensor<5x4xf64>
  graph.return %y : tensor<5x4xf64>
}

// -----

// Matrices that lie the other way round are not the rows of one.
// CHECK-LABEL: func.func @turned
// CHECK-NOT:     pack_matrix
func.func @turned(%x: tensor<2x3x5xf32>) -> tensor<2x5x4xf32> {
  %w = graph.constant dense<0.5> : tensor<3x4xf32>
  %y = graph.batch_matmul %x, %w {transpose_a = true} : (tensor<2x3x5xf32>, tensor<3x4xf32>) -> tensor<2x5x4xf32>
  graph.return %y : tensor<2x5x4xf32>
}

// -----

// Bytes are packed for the ops that multiply them, which stay.
// CHECK-LABEL: func.func @bytes
// CHECK:         %[[P:.*]] = graph.pack_matrix %{{.*}} {transpose_b = false}
// CHECK:         graph.matmul_integer %arg0, %[[P]]
// CHECK:         %[[Q:.*]] = graph.pack_matrix %{{.*}} {transpose_b = true}
// CHECK:         graph.quantized_matmul %arg0, %[[Q]], %arg1, %arg1
// CHECK:         %[[R:.*]] = graph.pack_filter %{{.*}} {channels_last = true, groups = 2 : i64}
// CHECK:         graph.conv_integer %arg2, %[[R]]
func.func @bytes(%x: tensor<5x3xui8>, %s: tensor<f32>, %i: tensor<1x8x4xui8>) -> (tensor<5x4xi32>, tensor<5x4xf32>, tensor<1x8x6xi32>) {
  %w = graph.constant dense<5> : tensor<3x4xi8>
  %y = graph.matmul_integer %x, %w {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<5x3xui8>, tensor<3x4xi8>) -> tensor<5x4xi32>
  %v = graph.constant dense<5> : tensor<4x3xi8>
  %z = graph.quantized_matmul %x, %v, %s, %s {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>, transpose_b = true} : (tensor<5x3xui8>, tensor<4x3xi8>, tensor<f32>, tensor<f32>) -> tensor<5x4xf32>
  %f = graph.constant dense<5> : tensor<1x2x6xi8>
  %c = graph.conv_integer %i, %f {channels_last = true, groups = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<1x8x4xui8>, tensor<1x2x6xi8>) -> tensor<1x8x6xi32>
  graph.return %y, %z, %c : tensor<5x4xi32>, tensor<5x4xf32>, tensor<1x8x6xi32>
}
// Several matrices are not.
// CHECK-LABEL: func.func @several
// CHECK-NOT:     pack_matrix
func.func @several(%x: tensor<2x5x3xui8>) -> tensor<2x5x4xi32> {
  %w = graph.constant dense<5> : tensor<2x3x4xi8>
  %y = graph.matmul_integer %x, %w {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x5x3xui8>, tensor<2x3x4xi8>) -> tensor<2x5x4xi32>
  graph.return %y : tensor<2x5x4xi32>
}

// -----

// Ops that read a weight in the same layout share what is packed, before all of them.
// CHECK-LABEL: func.func @shared
// CHECK:         %[[W:.*]] = graph.constant
// CHECK-COUNT-2: graph.pack_matrix %[[W]]
// CHECK-NOT:     graph.pack_matrix %[[W]]
// CHECK:         graph.pack_matrix %[[F:.*]] {
// CHECK-NOT:     graph.pack_matrix
func.func @shared(%x: tensor<4x4xui8>, %s: tensor<f32>, %y: tensor<4x4xf32>) -> (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %w = graph.constant dense<5> : tensor<4x4xi8>
  %f = graph.constant dense<5.0> : tensor<4x4xf32>
  %0 = graph.matmul_integer %x, %w {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x4xui8>, tensor<4x4xi8>) -> tensor<4x4xi32>
  %1 = graph.matmul_integer %x, %w {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x4xui8>, tensor<4x4xi8>) -> tensor<4x4xi32>
  %2 = graph.quantized_matmul %x, %w, %s, %s {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>, transpose_b = true} : (tensor<4x4xui8>, tensor<4x4xi8>, tensor<f32>, tensor<f32>) -> tensor<4x4xf32>
  %3 = graph.matmul %y, %f : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = graph.matmul %3, %f : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

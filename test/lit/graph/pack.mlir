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

// -----

// Weights side by side are one weight in the file, before anything reads them.
// CHECK-LABEL: func.func @joined
// CHECK:         %[[W:.*]] = graph.constant dense_resource<a_and_more> : tensor<2x3xf32>
// CHECK-NEXT:    %[[P:.*]] = graph.pack_matrix %[[W]]
// CHECK-NOT:     graph.concat
// CHECK:         %[[B:.*]] = graph.constant dense_resource<c_and_more> : tensor<3xf32>
// CHECK-NOT:     graph.concat
// CHECK:         graph.fused_batch_matmul %arg0, %[[P]], %[[B]]
func.func @joined(%x: tensor<5x2xf32>) -> tensor<5x3xf32> {
  %a = graph.constant dense_resource<a> : tensor<2x1xf32>
  %b = graph.constant dense_resource<b> : tensor<2x2xf32>
  %axis = graph.constant dense<-1> : tensor<i64>
  %w = graph.concat %a, %b, %axis : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<i64>) -> tensor<2x3xf32>
  %c = graph.constant dense_resource<c> : tensor<1xf32>
  %d = graph.constant dense_resource<d> : tensor<2xf32>
  %zero = graph.constant dense<0> : tensor<i64>
  %bias = graph.concat %c, %d, %zero : (tensor<1xf32>, tensor<2xf32>, tensor<i64>) -> tensor<3xf32>
  %y = graph.fused_batch_matmul %x, %w, %bias {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  graph.return %y : tensor<5x3xf32>
}

// The elements of the rows alternate; one dimension is a copy after the other.
// CHECK:         a_and_more: "0x400000000000803F0000004000004040000080400000004100001041"
{-# dialect_resources: { builtin: {
  a: "0x040000000000803F00008040",
  b: "0x0400000000000040000040400000004100001041",
  c: "0x040000000000803F",
  d: "0x040000000000004000004040"
} } #-}

// -----

// Not where others read one of them, or where the file has its elements anyhow.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-2: graph.concat
func.func @apart(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<1xf32>, tensor<4xf32>) {
  %a = graph.constant dense_resource<a> : tensor<1xf32>
  %b = graph.constant dense_resource<b> : tensor<2xf32>
  %b2 = graph.constant dense_resource<b> : tensor<2xf32>
  %zero = graph.constant dense<0> : tensor<i64>
  %ab = graph.concat %a, %b, %zero : (tensor<1xf32>, tensor<2xf32>, tensor<i64>) -> tensor<3xf32>
  %y = graph.add %x, %ab : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %c = graph.constant dense_resource<c> : tensor<2xf32>
  %bc = graph.concat %b2, %c, %zero : (tensor<2xf32>, tensor<2xf32>, tensor<i64>) -> tensor<4xf32>
  graph.return %y, %a, %bc : tensor<3xf32>, tensor<1xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @complex
// CHECK:         graph.concat
func.func @complex() -> tensor<2xcomplex<f32>> {
  %a = graph.constant dense_resource<p> : tensor<1xcomplex<f32>>
  %b = graph.constant dense_resource<q> : tensor<1xcomplex<f32>>
  %zero = graph.constant dense<0> : tensor<i64>
  %ab = graph.concat %a, %b, %zero : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i64>) -> tensor<2xcomplex<f32>>
  graph.return %ab : tensor<2xcomplex<f32>>
}

// Nor where another constant has the same elements in another shape.
// CHECK-LABEL: func.func @tied
// CHECK:         graph.concat
func.func @tied() -> (tensor<2xf32>, tensor<1x1xf32>) {
  %a = graph.constant dense_resource<r> : tensor<1xf32>
  %b = graph.constant dense_resource<s> : tensor<1xf32>
  %c = graph.constant dense_resource<r> : tensor<1x1xf32>
  %zero = graph.constant dense<0> : tensor<i64>
  %ab = graph.concat %a, %b, %zero : (tensor<1xf32>, tensor<1xf32>, tensor<i64>) -> tensor<2xf32>
  graph.return %ab, %c : tensor<2xf32>, tensor<1x1xf32>
}
{-# dialect_resources: { builtin: {
  a: "0x040000000000803F",
  b: "0x040000000000004000004040",
  c: "0x040000000000004000004040",
  p: "0x080000000000803F00008040",
  q: "0x080000000000803F00008040",
  r: "0x040000000000803F",
  s: "0x040000000000803F"
} } #-}

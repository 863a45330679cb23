// Products of integers, written in floats with dequantize and quantize around them, or as integer
// ops with a cast and scales.
// RUN: tfrt_opt %s --graph-fuse | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-fuse{numerics=exact}))' | FileCheck %s --check-prefix=EXACT
// RUN: tfrt_opt %s --graph-pipeline | FileCheck %s --check-prefix=ALL

// A bias in floats, an activation, one scale for each column.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xui8>
// CHECK: %[[Y:.*]] = graph.quantized_matmul %[[X]], %[[W:.*]], %[[S:.*]], %[[T:.*]], %[[Z:.*]], %[[B:.*]], %[[S]], %[[Z]] {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 0, 1, 1>} : (tensor<?x4xui8>, tensor<4x3xi8>, tensor<f32>, tensor<3xf32>, tensor<ui8>, tensor<3xf32>, tensor<f32>, tensor<ui8>) -> tensor<?x3xui8>
// CHECK-NEXT: graph.return %[[Y]]
// EXACT-LABEL: func.func @layer(
// EXACT-NOT: quantized_matmul
func.func @layer(%x: tensor<?x4xui8> {graph.dims = ["n", ""]}) -> tensor<?x3xui8> {
  %s = graph.constant dense<0.5> : tensor<f32>
  %z = graph.constant dense<128> : tensor<ui8>
  %w = graph.constant dense<1> : tensor<4x3xi8>
  %t = graph.constant dense<[0.5, 0.25, 0.125]> : tensor<3xf32>
  %b = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %f = graph.dequantize %x, %s, %z : (tensor<?x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<?x4xf32>
  %g = graph.dequantize %w, %t {axis = 1 : i64} : (tensor<4x3xi8>, tensor<3xf32>) -> tensor<4x3xf32>
  %m = graph.matmul %f, %g : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %a = graph.add %m, %b : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %r = graph.relu %a : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %q = graph.quantize %r, %s, %z : (tensor<?x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<?x3xui8>
  graph.return %q : tensor<?x3xui8>
}

// Scales that the program is given; the result is used twice, so that it stays f32.
// CHECK-LABEL: func.func @open(
// CHECK-SAME: %[[X:.*]]: tensor<2x4xi8>, %[[S:.*]]: tensor<f32>)
// CHECK: %[[Y:.*]] = graph.quantized_matmul %[[X]], %{{.*}}, %[[S]], %[[S]] {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>, transpose_b = true} : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[Q:.*]] = graph.quantize %[[Y]], %[[S]]
// CHECK-NEXT: graph.return %[[Y]], %[[Q]]
func.func @open(%x: tensor<2x4xi8>, %s: tensor<f32>) -> (tensor<2x3xf32>, tensor<2x3xi8>) {
  %w = graph.constant dense<1> : tensor<3x4xi8>
  %f = graph.dequantize %x, %s : (tensor<2x4xi8>, tensor<f32>) -> tensor<2x4xf32>
  %g = graph.dequantize %w, %s : (tensor<3x4xi8>, tensor<f32>) -> tensor<3x4xf32>
  %m = graph.matmul %f, %g {transpose_b = true} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  %q = graph.quantize %m, %s {dtype = i8} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi8>
  graph.return %m, %q : tensor<2x3xf32>, tensor<2x3xi8>
}

// A result without a zero point keeps its dtype.
// CHECK-LABEL: func.func @signed(
// CHECK: graph.quantized_matmul {{.*}}dtype = i8{{.*}} -> tensor<2x2xi8>
func.func @signed(%x: tensor<2x2xui8>) -> tensor<2x2xi8> {
  %s = graph.constant dense<0.5> : tensor<f32>
  %f = graph.dequantize %x, %s : (tensor<2x2xui8>, tensor<f32>) -> tensor<2x2xf32>
  %m = graph.matmul %f, %f : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %q = graph.quantize %m, %s {dtype = i8} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xi8>
  graph.return %q : tensor<2x2xi8>
}

// The bias of i32 is in units of both scales. With channels last between convolutions.
// CHECK-LABEL: func.func @convolutions(
// CHECK: graph.quantized_conv %{{.*}} {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 0, 1, 1>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x4x4xui8>, tensor<2x2x3x3xi8>, tensor<f32>, tensor<2xf32>, tensor<ui8>, tensor<2xi32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
// CHECK-NEXT: graph.quantized_conv %{{.*}} : (tensor<1x2x4x4xui8>, tensor<2x2x3x3xi8>, tensor<f32>, tensor<2xf32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
// ALL-LABEL: func.func @convolutions(
// ALL-COUNT-1: graph.transpose {{.*}} -> tensor<1x4x4x2xui8>
// ALL: %[[Y:.*]] = graph.quantized_conv {{.*}}channels_last = true{{.*}} -> tensor<1x4x4x2xui8>
// ALL-NOT: tensor<1x2x4x4xui8>
// ALL: graph.quantized_conv %[[Y]], {{.*}}channels_last = true{{.*}} -> tensor<1x4x4x2xf32>
// ALL: graph.transpose {{.*}} -> tensor<1x2x4x4xf32>
func.func @convolutions(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
  %s = graph.constant dense<0.5> : tensor<f32>
  %z = graph.constant dense<128> : tensor<ui8>
  %w = graph.constant dense<1> : tensor<2x2x3x3xi8>
  %t = graph.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %c = graph.constant dense<[1, 2]> : tensor<2xi32>
  %u = graph.mul %s, %t : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %b = graph.dequantize %c, %u {axis = 0 : i64} : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
  %f = graph.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %g = graph.dequantize %w, %t {axis = 0 : i64} : (tensor<2x2x3x3xi8>, tensor<2xf32>) -> tensor<2x2x3x3xf32>
  %m = graph.conv %f, %g, %b {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %q = graph.quantize %m, %s, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  %h = graph.dequantize %q, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %n = graph.conv %h, %g {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32>
  graph.return %n : tensor<1x2x4x4xf32>
}

// Both orders of the scales, one scale or one for each column; then a bias and an activation.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK-NOT: dynamic_quantize %
// CHECK: graph.dynamic_quantized_matmul %[[X]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {activation = "gelu", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<?x4xf32>, tensor<4x3xi8>, tensor<f32>, tensor<i8>, tensor<3xf32>) -> tensor<?x3xf32>
// CHECK: graph.dynamic_quantized_matmul %[[X]], %{{.*}}, %{{.*}} {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<?x4xf32>, tensor<4x3xi8>, tensor<3xf32>) -> tensor<?x3xf32>
// CHECK: graph.return
func.func @dynamic(%x: tensor<?x4xf32> {graph.dims = ["n", ""]}) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %w = graph.constant dense<1> : tensor<4x3xi8>
  %wz = graph.constant dense<0> : tensor<i8>
  %ws = graph.constant dense<0.125> : tensor<f32>
  %wv = graph.constant dense<[0.5, 0.25, 0.125]> : tensor<3xf32>
  %b = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y, %s, %z = graph.dynamic_quantize %x : (tensor<?x4xf32>) -> (tensor<?x4xui8>, tensor<f32>, tensor<ui8>)
  %m = graph.matmul_integer %y, %w, %z, %wz {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (tensor<?x4xui8>, tensor<4x3xi8>, tensor<ui8>, tensor<i8>) -> tensor<?x3xi32>
  %f = graph.cast %m {dtype = f32} : (tensor<?x3xi32>) -> tensor<?x3xf32>
  %t = graph.mul %s, %ws : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %r = graph.mul %f, %t : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %a = graph.add %b, %r : (tensor<3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %g = graph.gelu %a : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %y2, %s2, %z2 = graph.dynamic_quantize %x : (tensor<?x4xf32>) -> (tensor<?x4xui8>, tensor<f32>, tensor<ui8>)
  %n = graph.matmul_integer %y2, %w, %z2 {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<?x4xui8>, tensor<4x3xi8>, tensor<ui8>) -> tensor<?x3xi32>
  %h = graph.cast %n {dtype = f32} : (tensor<?x3xi32>) -> tensor<?x3xf32>
  %u = graph.mul %wv, %s2 : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %v = graph.mul %u, %h : (tensor<3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  graph.return %g, %v : tensor<?x3xf32>, tensor<?x3xf32>
}

// A bias of i32 in units of both scales, as quantisers add it to convolutions.
// CHECK-LABEL: func.func @integer_bias(
// CHECK: %[[Q:.*]], %[[S:.*]], %[[Z:.*]] = graph.dynamic_quantize
// CHECK: %[[B:.*]] = graph.cast {{.*}} -> tensor<3xi32>
// CHECK: graph.quantized_conv %[[Q]], %{{[0-9]+}}, %[[S]], %{{[0-9]+}}, %[[Z]], %[[B]] {
// CHECK-NEXT: graph.return
func.func @integer_bias(%x: tensor<1x2x4x4xf32>, %b: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %k = graph.constant dense<1> : tensor<3x2x1x1xi8>
  %ks = graph.constant dense<0.5> : tensor<f32>
  %y, %s, %z = graph.dynamic_quantize %x : (tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>)
  %t = graph.mul %s, %ks : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %d = graph.div %b, %t : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %e = graph.round %d : (tensor<3xf32>) -> tensor<3xf32>
  %f = graph.cast %e {dtype = i32} : (tensor<3xf32>) -> tensor<3xi32>
  %n = graph.constant dense<[1, 3, 1, 1]> : tensor<4xi64>
  %g = graph.reshape %f, %n : (tensor<3xi32>, tensor<4xi64>) -> tensor<1x3x1x1xi32>
  %c = graph.conv_integer %y, %k, %z {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<ui8>) -> tensor<1x3x4x4xi32>
  %a = graph.add %c, %g : (tensor<1x3x4x4xi32>, tensor<1x3x1x1xi32>) -> tensor<1x3x4x4xi32>
  %h = graph.cast %a {dtype = f32} : (tensor<1x3x4x4xi32>) -> tensor<1x3x4x4xf32>
  %r = graph.mul %h, %t : (tensor<1x3x4x4xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  graph.return %r : tensor<1x3x4x4xf32>
}

// Not the scale that it was quantised with, and a zero point that is not: scales are arguments.
// CHECK-LABEL: func.func @integers(
// CHECK: graph.quantized_matmul {{.*}} : (tensor<2x4xui8>, tensor<4x3xi8>, tensor<f32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
// CHECK: graph.quantized_conv {{.*}} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<f32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT: graph.return
func.func @integers(%x: tensor<2x4xf32>, %i: tensor<1x2x4x4xui8>, %z: tensor<ui8>) -> (tensor<2x3xf32>, tensor<1x3x4x4xf32>) {
  %s = graph.constant dense<0.5> : tensor<f32>
  %w = graph.constant dense<1> : tensor<4x3xi8>
  %k = graph.constant dense<1> : tensor<3x2x1x1xi8>
  %v = graph.constant dense<[[[[0.5]], [[0.25]], [[0.125]]]]> : tensor<1x3x1x1xf32>
  %y, %own, %zero = graph.dynamic_quantize %x : (tensor<2x4xf32>) -> (tensor<2x4xui8>, tensor<f32>, tensor<ui8>)
  %m = graph.matmul_integer %y, %w, %z {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x4xui8>, tensor<4x3xi8>, tensor<ui8>) -> tensor<2x3xi32>
  %f = graph.cast %m {dtype = f32} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %r = graph.mul %f, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %c = graph.conv_integer %i, %k {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>) -> tensor<1x3x4x4xi32>
  %g = graph.cast %c {dtype = f32} : (tensor<1x3x4x4xi32>) -> tensor<1x3x4x4xf32>
  %h = graph.mul %g, %v : (tensor<1x3x4x4xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %a = graph.add %h, %v : (tensor<1x3x4x4xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  graph.return %r, %a : tensor<2x3xf32>, tensor<1x3x4x4xf32>
}

// Several products read what is quantised once. The scale is then one that the program computes.
// It is, too, for a convolution, but not for a result in integers.
// CHECK-LABEL: func.func @shared(
// CHECK: %[[Q:.*]], %[[S:.*]], %[[Z:.*]] = graph.dynamic_quantize
// CHECK: graph.quantized_matmul %[[Q]], %{{[0-9]+}}, %[[S]], %{{[0-9]+}}, %[[Z]] {
// CHECK: graph.quantized_matmul %[[Q]], %{{[0-9]+}}, %[[S]], %{{[0-9]+}}, %[[Z]] {
// CHECK: %[[R:.*]], %[[T:.*]], %{{.*}} = graph.dynamic_quantize
// CHECK: %[[C:.*]] = graph.quantized_conv %[[R]], %{{[0-9]+}}, %[[T]]
// CHECK: graph.quantize %[[C]]
func.func @shared(%x: tensor<2x4xf32>, %i: tensor<1x2x4x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x3x4x4xi8>) {
  %w = graph.constant dense<1> : tensor<4x3xi8>
  %k = graph.constant dense<1> : tensor<3x2x1x1xi8>
  %t = graph.constant dense<0.25> : tensor<f32>
  %y, %s, %z = graph.dynamic_quantize %x : (tensor<2x4xf32>) -> (tensor<2x4xui8>, tensor<f32>, tensor<ui8>)
  %m = graph.matmul_integer %y, %w, %z {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x4xui8>, tensor<4x3xi8>, tensor<ui8>) -> tensor<2x3xi32>
  %f = graph.cast %m {dtype = f32} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %0 = graph.mul %f, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %n = graph.matmul_integer %y, %w, %z {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x4xui8>, tensor<4x3xi8>, tensor<ui8>) -> tensor<2x3xi32>
  %g = graph.cast %n {dtype = f32} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %u = graph.mul %s, %t : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = graph.mul %g, %u : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %j, %js, %jz = graph.dynamic_quantize %i : (tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>)
  %c = graph.conv_integer %j, %k, %jz {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<ui8>) -> tensor<1x3x4x4xi32>
  %h = graph.cast %c {dtype = f32} : (tensor<1x3x4x4xi32>) -> tensor<1x3x4x4xf32>
  %v = graph.mul %h, %js : (tensor<1x3x4x4xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %2 = graph.quantize %v, %t {dtype = i8} : (tensor<1x3x4x4xf32>, tensor<f32>) -> tensor<1x3x4x4xi8>
  graph.return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x3x4x4xi8>
}

// Factors that are no scales: not positive, given to the program, or not normal. Scales whose
// product is infinite or 0.
// CHECK-LABEL: func.func @not_scales(
// CHECK-NOT: graph.quantized
// CHECK: graph.return
func.func @not_scales(%x: tensor<2x4xui8>, %s: tensor<f32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %w = graph.constant dense<1> : tensor<4x3xi8>
  %mixed = graph.constant dense<[1.0, -1.0, 0.0]> : tensor<3xf32>
  %tiny = graph.constant dense<1.0e-30> : tensor<f32>
  %large = graph.constant dense<1.0e25> : tensor<f32>
  %larges = graph.constant dense<[1.0, 1.0e25, 1.0]> : tensor<3xf32>
  %m = graph.matmul_integer %x, %w {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x4xui8>, tensor<4x3xi8>) -> tensor<2x3xi32>
  %mf = graph.cast %m {dtype = f32} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %0 = graph.mul %mf, %mixed : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %n = graph.matmul_integer %x, %w {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x4xui8>, tensor<4x3xi8>) -> tensor<2x3xi32>
  %nf = graph.cast %n {dtype = f32} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %1 = graph.mul %nf, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %o = graph.matmul_integer %x, %w {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x4xui8>, tensor<4x3xi8>) -> tensor<2x3xi32>
  %of = graph.cast %o {dtype = f32} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %subnormal = graph.constant dense<1.0e-40> : tensor<f32>
  %2 = graph.mul %of, %subnormal : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %xl = graph.dequantize %x, %large : (tensor<2x4xui8>, tensor<f32>) -> tensor<2x4xf32>
  %wl = graph.dequantize %w, %larges {axis = 1 : i64} : (tensor<4x3xi8>, tensor<3xf32>) -> tensor<4x3xf32>
  %3 = graph.matmul %xl, %wl : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %xt = graph.dequantize %x, %tiny : (tensor<2x4xui8>, tensor<f32>) -> tensor<2x4xf32>
  %wt = graph.dequantize %w, %tiny : (tensor<4x3xi8>, tensor<f32>) -> tensor<4x3xf32>
  %4 = graph.matmul %xt, %wt : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// A bias for which sums of 32 bits have no room stays in floats, and one that is given, too.
// CHECK-LABEL: func.func @large_bias(
// CHECK: graph.quantized_matmul {{.*}} : (tensor<2x4xui8>, tensor<4x2xi8>, tensor<f32>, tensor<f32>, tensor<2xf32>) -> tensor<2x2xf32>
// CHECK: graph.quantized_matmul {{.*}} : (tensor<2x4xui8>, tensor<4x2xi8>, tensor<f32>, tensor<f32>, tensor<2xf32>) -> tensor<2x2xf32>
// CHECK: graph.quantized_matmul {{.*}} : (tensor<2x4xui8>, tensor<4x2xi8>, tensor<f32>, tensor<f32>, tensor<2xi32>) -> tensor<2x2xf32>
func.func @large_bias(%x: tensor<2x4xui8>, %given: tensor<2xi32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %s = graph.constant dense<0.5> : tensor<f32>
  %u = graph.constant dense<0.25> : tensor<f32>
  %w = graph.constant dense<1> : tensor<4x2xi8>
  %large = graph.constant dense<[0, 2147223548]> : tensor<2xi32>
  %fits = graph.constant dense<[0, 2147223547]> : tensor<2xi32>
  %f = graph.dequantize %x, %s : (tensor<2x4xui8>, tensor<f32>) -> tensor<2x4xf32>
  %g = graph.dequantize %w, %s : (tensor<4x2xi8>, tensor<f32>) -> tensor<4x2xf32>
  %b = graph.dequantize %large, %u : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  %c = graph.dequantize %given, %u : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  %d = graph.dequantize %fits, %u : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  %0 = graph.fused_batch_matmul %f, %g, %b {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x4xf32>, tensor<4x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = graph.fused_batch_matmul %f, %g, %c {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x4xf32>, tensor<4x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %2 = graph.fused_batch_matmul %f, %g, %d {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x4xf32>, tensor<4x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  graph.return %0, %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// Floats of 16 bits, one side alone, scales of rows, a scale for each place of the depth, and sums
// that may leave 32 bits stay as they are.
// CHECK-LABEL: func.func @refused(
// CHECK-NOT: graph.quantized
// CHECK: graph.return
func.func @refused(%x: tensor<2x4xui8>, %y: tensor<2x4xf32>, %i: tensor<2x4xui16>, %l: tensor<2x40000xui8>) -> (tensor<2x3xf16>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %s = graph.constant dense<0.5> : tensor<f32>
  %n = graph.constant dense<0.5> : tensor<f16>
  %w = graph.constant dense<1> : tensor<4x3xi8>
  %large = graph.constant dense<1> : tensor<40000x3xi8>
  %rows = graph.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %depth = graph.constant dense<[0.5, 0.25, 0.5, 0.25]> : tensor<4xf32>
  %g = graph.dequantize %w, %s : (tensor<4x3xi8>, tensor<f32>) -> tensor<4x3xf32>
  %xn = graph.dequantize %x, %n : (tensor<2x4xui8>, tensor<f16>) -> tensor<2x4xf16>
  %wn = graph.dequantize %w, %n : (tensor<4x3xi8>, tensor<f16>) -> tensor<4x3xf16>
  %0 = graph.matmul %xn, %wn : (tensor<2x4xf16>, tensor<4x3xf16>) -> tensor<2x3xf16>
  %1 = graph.matmul %y, %g : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %xr = graph.dequantize %x, %rows {axis = 0 : i64} : (tensor<2x4xui8>, tensor<2xf32>) -> tensor<2x4xf32>
  %2 = graph.matmul %xr, %g : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %xf = graph.dequantize %x, %s : (tensor<2x4xui8>, tensor<f32>) -> tensor<2x4xf32>
  %wd = graph.dequantize %w, %depth {axis = 0 : i64} : (tensor<4x3xi8>, tensor<4xf32>) -> tensor<4x3xf32>
  %3 = graph.matmul %xf, %wd : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %if = graph.dequantize %i, %s : (tensor<2x4xui16>, tensor<f32>) -> tensor<2x4xf32>
  %4 = graph.matmul %if, %g : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %lf = graph.dequantize %l, %s : (tensor<2x40000xui8>, tensor<f32>) -> tensor<2x40000xf32>
  %ll = graph.dequantize %large, %s : (tensor<40000x3xi8>, tensor<f32>) -> tensor<40000x3xf32>
  %5 = graph.matmul %lf, %ll : (tensor<2x40000xf32>, tensor<40000x3xf32>) -> tensor<2x3xf32>
  graph.return %0, %1, %2, %3, %4, %5 : tensor<2x3xf16>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// Sums that something else uses, a scale of another shape, and a number that is not positive.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: graph.quantized
// CHECK-NOT: graph.dynamic_quantized
// CHECK: graph.return
func.func @kept(%x: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %w = graph.constant dense<1> : tensor<4x3xi8>
  %rows = graph.constant dense<[[0.5], [0.25]]> : tensor<2x1xf32>
  %minus = graph.constant dense<-0.5> : tensor<f32>
  %y, %s, %z = graph.dynamic_quantize %x : (tensor<2x4xf32>) -> (tensor<2x4xui8>, tensor<f32>, tensor<ui8>)
  %m = graph.matmul_integer %y, %w, %z {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x4xui8>, tensor<4x3xi8>, tensor<ui8>) -> tensor<2x3xi32>
  %f = graph.cast %m {dtype = f32} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %0 = graph.mul %f, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %n = graph.matmul_integer %y, %w, %z {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x4xui8>, tensor<4x3xi8>, tensor<ui8>) -> tensor<2x3xi32>
  %g = graph.cast %n {dtype = f32} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %1 = graph.mul %g, %rows : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %o = graph.matmul_integer %y, %w, %z {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x4xui8>, tensor<4x3xi8>, tensor<ui8>) -> tensor<2x3xi32>
  %h = graph.cast %o {dtype = f32} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %2 = graph.mul %h, %minus : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  graph.return %0, %m, %1, %2 : tensor<2x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>, tensor<2x3xf32>
}

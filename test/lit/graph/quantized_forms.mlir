// Ops that move elements move integers instead of the floats that are made of them.
// RUN: tfrt_opt %s --graph-fuse=numerics=exact | FileCheck %s
// RUN: tfrt_opt %s --graph-pipeline | FileCheck %s --check-prefix=ALL

// CHECK-LABEL: func.func @moves(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4x4xui8>)
// CHECK: %[[POOL:.*]] = graph.max_pool %[[X]] {{.*}} : (tensor<2x3x4x4xui8>) -> tensor<2x3x2x2xui8>
// CHECK: %[[FLAT:.*]] = graph.reshape %[[POOL]], {{.*}} -> tensor<2x12xui8>
// CHECK: %[[Y:.*]] = graph.slice %[[FLAT]], {{.*}} -> tensor<1x12xui8>
// CHECK-NEXT: graph.return %[[Y]]
func.func @moves(%x: tensor<2x3x4x4xui8>) -> tensor<1x12xui8> {
  %s = graph.constant dense<0.5> : tensor<f32>
  %z = graph.constant dense<3> : tensor<ui8>
  %shape = graph.constant dense<[2, 12]> : tensor<2xi64>
  %one = graph.constant dense<[1]> : tensor<1xi64>
  %axis = graph.constant dense<0> : tensor<i64>
  %f = graph.dequantize %x, %s, %z : (tensor<2x3x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3x4x4xf32>
  %p = graph.max_pool %f {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<2x3x4x4xf32>) -> tensor<2x3x2x2xf32>
  %pq = graph.quantize %p, %s, %z : (tensor<2x3x2x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3x2x2xui8>
  %pf = graph.dequantize %pq, %s, %z : (tensor<2x3x2x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3x2x2xf32>
  %r = graph.reshape %pf, %shape : (tensor<2x3x2x2xf32>, tensor<2xi64>) -> tensor<2x12xf32>
  %g = graph.gather %r, %one, %axis : (tensor<2x12xf32>, tensor<1xi64>, tensor<i64>) -> tensor<1x12xf32>
  %q = graph.quantize %g, %s, %z : (tensor<1x12xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x12xui8>
  graph.return %q : tensor<1x12xui8>
}

// A product becomes integers before it is reshaped, or joined with other pieces.
// CHECK-LABEL: func.func @before(
// CHECK: %[[M:.*]] = graph.matmul
// CHECK: %[[Q:.*]] = graph.quantize %[[M]]
// CHECK: graph.concat %{{.*}}, %[[Q]], {{.*}} : (tensor<2x2xui8>, tensor<2x2xui8>, tensor<i64>) -> tensor<2x4xui8>
// CHECK-NOT: graph.quantize
func.func @before(%x: tensor<2x2xui8>, %a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x4xui8> {
  %s = graph.constant dense<0.5> : tensor<f32>
  %axis = graph.constant dense<1> : tensor<i64>
  %f = graph.dequantize %x, %s : (tensor<2x2xui8>, tensor<f32>) -> tensor<2x2xf32>
  %m = graph.matmul %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = graph.concat %f, %m, %axis : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<i64>) -> tensor<2x4xf32>
  %q = graph.quantize %c, %s : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xui8>
  graph.return %q : tensor<2x4xui8>
}

// Pieces of one scale, which are written twice, are joined as integers.
// CHECK-LABEL: func.func @joined(
// CHECK: %[[C:.*]] = graph.concat {{.*}} -> tensor<4xi8>
// CHECK: graph.dequantize %[[C]]
func.func @joined(%x: tensor<2xi8>, %y: tensor<2xi8>) -> tensor<4xf32> {
  %s = graph.constant dense<0.5> : tensor<f32>
  %t = graph.constant dense<0.5> : tensor<1xf32>
  %axis = graph.constant dense<0> : tensor<i64>
  %f = graph.dequantize %x, %s : (tensor<2xi8>, tensor<f32>) -> tensor<2xf32>
  %g = graph.dequantize %y, %t : (tensor<2xi8>, tensor<1xf32>) -> tensor<2xf32>
  %c = graph.concat %f, %g, %axis : (tensor<2xf32>, tensor<2xf32>, tensor<i64>) -> tensor<4xf32>
  graph.return %c : tensor<4xf32>
}

// Another scale, another dtype, an unknown scale, and scales of channels: all stay.
// CHECK-LABEL: func.func @stays(
// CHECK-COUNT-4: graph.quantize
// CHECK-NEXT: graph.reshape {{.*}} : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<8xf32>
func.func @stays(%x: tensor<2x4xui8>, %s: tensor<f32>) -> (tensor<2x4xui8>, tensor<2x4xi8>, tensor<2x4xui8>, tensor<2x4xui8>, tensor<8xf32>) {
  %t = graph.constant dense<0.5> : tensor<f32>
  %u = graph.constant dense<0.25> : tensor<f32>
  %z = graph.constant dense<0> : tensor<i8>
  %one = graph.constant dense<1> : tensor<ui8>
  %v = graph.constant dense<[0.25, 0.5]> : tensor<2xf32>
  %shape = graph.constant dense<8> : tensor<1xi64>
  %f = graph.dequantize %x, %t : (tensor<2x4xui8>, tensor<f32>) -> tensor<2x4xf32>
  %g = graph.dequantize %x, %s : (tensor<2x4xui8>, tensor<f32>) -> tensor<2x4xf32>
  %h = graph.dequantize %x, %v {axis = 0 : i64} : (tensor<2x4xui8>, tensor<2xf32>) -> tensor<2x4xf32>
  %0 = graph.quantize %f, %u : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xui8>
  %1 = graph.quantize %f, %t, %z : (tensor<2x4xf32>, tensor<f32>, tensor<i8>) -> tensor<2x4xi8>
  %2 = graph.quantize %g, %s : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xui8>
  %3 = graph.quantize %f, %t, %one : (tensor<2x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x4xui8>
  %4 = graph.reshape %h, %shape : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<8xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<2x4xui8>, tensor<2x4xi8>, tensor<2x4xui8>, tensor<2x4xui8>, tensor<8xf32>
}

// A window that may lie in the padding alone has the largest of no floats: an infinity.
// CHECK-LABEL: func.func @padded(
// CHECK: graph.max_pool {{.*}} : (tensor<1x1x4x4xui8>) -> tensor<1x1x4x4xui8>
// CHECK: graph.max_pool {{.*}} : (tensor<1x1x4x4xui8>) -> tensor<1x1x2x2xui8>
// CHECK: graph.max_pool {{.*}} : (tensor<1x1x4x4xf32>) -> tensor<1x1x7x7xf32>
// CHECK: graph.max_pool {{.*}} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK: graph.max_pool {{.*}} : (tensor<1x1x?x?xf32>) -> tensor<1x1x?x?xf32>
func.func @padded(%x: tensor<1x1x4x4xui8>, %y: tensor<1x1x?x?xui8>) -> (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x7x7xf32>, tensor<1x1x4x4xf32>, tensor<1x1x?x?xf32>) {
  %s = graph.constant dense<0.5> : tensor<f32>
  %f = graph.dequantize %x, %s : (tensor<1x1x4x4xui8>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %g = graph.dequantize %y, %s : (tensor<1x1x?x?xui8>, tensor<f32>) -> tensor<1x1x?x?xf32>
  %0 = graph.max_pool %f {kernel = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %1 = graph.max_pool %f {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "same_upper"} : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  %2 = graph.max_pool %f {kernel = array<i64: 2, 2>, pads = array<i64: 2, 2, 2, 2>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x7x7xf32>
  %3 = graph.max_pool %f {kernel = array<i64: 2, 2>, dilations = array<i64: 5, 5>, padding = "same_upper"} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %4 = graph.max_pool %g {kernel = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x?x?xf32>) -> tensor<1x1x?x?xf32>
  graph.return %0, %1, %2, %3, %4 : tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x7x7xf32>, tensor<1x1x4x4xf32>, tensor<1x1x?x?xf32>
}

// Bytes in, bytes out, in one loop.
// ALL-LABEL: func.func @sum(
// ALL: %[[Y:.*]] = graph.elementwise_tape %{{.*}}, %{{.*}} {constants = array<f32: 5.000000e-01, 1.280000e+02, 2.500000e-01, 0.000000e+00>, program = array<i64: 3, 0, 0, 2000, 2, 1, 1, 2001, 3, 1, 1001, 2002, 1, 0, 1000, 1001, 41, 0, 1000, 69, 0, 1000, 2000, 2003>}
// ALL-NEXT: graph.return %[[Y]]
func.func @sum(%x: tensor<2x3xi8>, %y: tensor<2x3xui8>) -> tensor<2x3xi8> {
  %s = graph.constant dense<0.5> : tensor<f32>
  %t = graph.constant dense<0.25> : tensor<f32>
  %z = graph.constant dense<128> : tensor<ui8>
  %zero = graph.constant dense<0> : tensor<i8>
  %f = graph.dequantize %x, %s : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xf32>
  %g = graph.dequantize %y, %t, %z : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %a = graph.add %f, %g : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = graph.relu %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %q = graph.quantize %r, %s, %zero : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  graph.return %q : tensor<2x3xi8>
}

// Ops check scales, tapes do not: one that is unknown, and one of 0, which is an error.
// ALL-LABEL: func.func @checked(
// ALL-NOT: graph.elementwise_tape
// ALL-COUNT-2: graph.quantize
func.func @checked(%x: tensor<2xf32>, %s: tensor<f32>) -> (tensor<2xui8>, tensor<2xui8>) {
  %none = graph.constant dense<0.0> : tensor<f32>
  %a = graph.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  %b = graph.sqrt %x : (tensor<2xf32>) -> tensor<2xf32>
  %0 = graph.quantize %a, %s : (tensor<2xf32>, tensor<f32>) -> tensor<2xui8>
  %1 = graph.quantize %b, %none : (tensor<2xf32>, tensor<f32>) -> tensor<2xui8>
  graph.return %0, %1 : tensor<2xui8>, tensor<2xui8>
}

// Transposes go below them, with the axis of scales of channels.
// ALL-LABEL: func.func @layout(
// ALL: graph.conv {{.*}} -> tensor<1x4x4x2xf32>
// ALL: graph.quantize %{{.*}} {axis = 3 : i64} : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xui8>
// ALL: graph.dequantize %{{.*}} : (tensor<1x4x4x2xui8>, tensor<f32>) -> tensor<1x4x4x2xf32>
// ALL-NEXT: graph.conv {{.*}} : (tensor<1x4x4x2xf32>
func.func @layout(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = graph.constant dense_resource<w> : tensor<2x2x1x1xf32>
  %s = graph.constant dense<[0.25, 0.5]> : tensor<2xf32>
  %t = graph.constant dense<0.5> : tensor<f32>
  %c = graph.conv %x, %w : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %q = graph.quantize %c, %s {axis = 1 : i64} : (tensor<1x2x4x4xf32>, tensor<2xf32>) -> tensor<1x2x4x4xui8>
  %f = graph.dequantize %q, %t : (tensor<1x2x4x4xui8>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %d = graph.conv %f, %w : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  graph.return %d : tensor<1x2x4x4xf32>
}

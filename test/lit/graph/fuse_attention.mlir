// Attention that programs write as products with a softmax between them.
// RUN: tfrt_opt %s --graph-fuse | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-fuse{numerics=exact}))' | FileCheck %s --check-prefix=EXACT

// As PyTorch's exporter on torch.export writes it: the root of the scale with q and k, an additive
// mask, 0 where a row is masked altogether. The steps come before the heads in all operands.
// CHECK-LABEL: func.func @torch_export(
// CHECK-SAME: %[[Q:.*]]: tensor<2x5x3x4xf32>, %[[K:.*]]: tensor<2x6x3x4xf32>, %[[V:.*]]: tensor<2x6x3x4xf32>, %[[M:.*]]: tensor<2x1x5x6xf32>
// CHECK: %[[Y:.*]] = graph.attention %[[Q]], %[[K]], %[[V]], %[[M]] {layout = "bshd", masked_rows_are_zero = true, scale = {{0.49999.*|5.000000e-01}} : f32}
// CHECK-NEXT: graph.return %[[Y]]
// EXACT-LABEL: func.func @torch_export(
// EXACT: graph.softmax
func.func @torch_export(%q: tensor<2x5x3x4xf32>, %k: tensor<2x6x3x4xf32>, %v: tensor<2x6x3x4xf32>, %mask: tensor<2x1x5x6xf32>) -> tensor<2x5x3x4xf32> {
  %swap = graph.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %root = graph.constant dense<0.70710677> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %0 = graph.transpose %q, %swap : (tensor<2x5x3x4xf32>, tensor<4xi64>) -> tensor<2x3x5x4xf32>
  %1 = graph.transpose %k, %swap : (tensor<2x6x3x4xf32>, tensor<4xi64>) -> tensor<2x3x6x4xf32>
  %2 = graph.transpose %v, %swap : (tensor<2x6x3x4xf32>, tensor<4xi64>) -> tensor<2x3x6x4xf32>
  %3 = graph.mul %0, %root : (tensor<2x3x5x4xf32>, tensor<f32>) -> tensor<2x3x5x4xf32>
  %4 = graph.transpose %1, %last : (tensor<2x3x6x4xf32>, tensor<4xi64>) -> tensor<2x3x4x6xf32>
  %5 = graph.mul %4, %root : (tensor<2x3x4x6xf32>, tensor<f32>) -> tensor<2x3x4x6xf32>
  %6 = graph.batch_matmul %3, %5 : (tensor<2x3x5x4xf32>, tensor<2x3x4x6xf32>) -> tensor<2x3x5x6xf32>
  %7 = graph.add %6, %mask : (tensor<2x3x5x6xf32>, tensor<2x1x5x6xf32>) -> tensor<2x3x5x6xf32>
  %8 = graph.softmax %7 : (tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %9 = graph.is_nan %8 : (tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xi1>
  %10 = graph.select %9, %zero, %8 : (tensor<2x3x5x6xi1>, tensor<f32>, tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %11 = graph.batch_matmul %10, %2 : (tensor<2x3x5x6xf32>, tensor<2x3x6x4xf32>) -> tensor<2x3x5x4xf32>
  %12 = graph.transpose %11, %swap : (tensor<2x3x5x4xf32>, tensor<4xi64>) -> tensor<2x5x3x4xf32>
  graph.return %12 : tensor<2x5x3x4xf32>
}

// As the TorchScript exporter does: scores divided by a root that the program computes, keys in the
// order of heads; then a mask by selection, which is the same as one that is added.
// CHECK-LABEL: func.func @torchscript(
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x5x4xf32>, %[[K:.*]]: tensor<2x3x6x4xf32>, %[[V:.*]]: tensor<2x3x6x4xf32>, %[[C:.*]]: tensor<5x6xi1>, %[[M:.*]]: tensor<2x1x1x6xf32>
// CHECK: %[[S:.*]] = graph.select %[[C]], %{{.*}}, %{{.*}} : (tensor<5x6xi1>, tensor<f32>, tensor<f32>) -> tensor<5x6xf32>
// CHECK: %[[BOTH:.*]] = graph.add %[[M]], %[[S]]
// CHECK: graph.attention %[[Q]], %[[K]], %[[V]], %[[BOTH]] {scale = 5.000000e-01 : f32} :
// CHECK-NEXT: graph.return
func.func @torchscript(%q: tensor<2x3x5x4xf32>, %k: tensor<2x3x6x4xf32>, %v: tensor<2x3x6x4xf32>, %c: tensor<5x6xi1>, %mask: tensor<2x1x1x6xf32>) -> tensor<2x3x5x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %four = graph.constant dense<4.0> : tensor<f32>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %root = graph.sqrt %four : (tensor<f32>) -> tensor<f32>
  %0 = graph.transpose %k, %last : (tensor<2x3x6x4xf32>, tensor<4xi64>) -> tensor<2x3x4x6xf32>
  %1 = graph.batch_matmul %q, %0 : (tensor<2x3x5x4xf32>, tensor<2x3x4x6xf32>) -> tensor<2x3x5x6xf32>
  %2 = graph.div %1, %root : (tensor<2x3x5x6xf32>, tensor<f32>) -> tensor<2x3x5x6xf32>
  %3 = graph.select %c, %2, %lowest : (tensor<5x6xi1>, tensor<2x3x5x6xf32>, tensor<f32>) -> tensor<2x3x5x6xf32>
  %4 = graph.add %mask, %3 : (tensor<2x1x1x6xf32>, tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %5 = graph.softmax %4 : (tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %6 = graph.batch_matmul %5, %v : (tensor<2x3x5x6xf32>, tensor<2x3x6x4xf32>) -> tensor<2x3x5x4xf32>
  graph.return %6 : tensor<2x3x5x4xf32>
}

// Heads that are repeated for groups of queries are not; a mask of one row for all queries neither.
// CHECK-LABEL: func.func @grouped(
// CHECK-SAME: %[[Q:.*]]: tensor<1x6x5x4xf32>, %[[K:.*]]: tensor<1x2x5x4xf32>, %[[V:.*]]: tensor<1x2x5x4xf32>, %[[M:.*]]: tensor<1x1x1x5xf32>
// CHECK: graph.attention %[[Q]], %[[K]], %[[V]], %[[M]] {scale = 2.000000e+00 : f32} :
// CHECK-NEXT: graph.return
func.func @grouped(%q: tensor<1x6x5x4xf32>, %k: tensor<1x2x5x4xf32>, %v: tensor<1x2x5x4xf32>, %m: tensor<1x1x1x5xf32>) -> tensor<1x6x5x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %axis = graph.constant dense<2> : tensor<i64>
  %wide = graph.constant dense<[1, 2, 3, 5, 4]> : tensor<5xi64>
  %rows = graph.constant dense<[1, 1, 5, 5]> : tensor<4xi64>
  %all = graph.constant dense<[1, 6, 5, 4]> : tensor<4xi64>
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %0 = graph.expand_dims %k, %axis : (tensor<1x2x5x4xf32>, tensor<i64>) -> tensor<1x2x1x5x4xf32>
  %1 = graph.broadcast_to %0, %wide : (tensor<1x2x1x5x4xf32>, tensor<5xi64>) -> tensor<1x2x3x5x4xf32>
  %2 = graph.reshape %1, %all : (tensor<1x2x3x5x4xf32>, tensor<4xi64>) -> tensor<1x6x5x4xf32>
  %3 = graph.expand_dims %v, %axis : (tensor<1x2x5x4xf32>, tensor<i64>) -> tensor<1x2x1x5x4xf32>
  %4 = graph.broadcast_to %3, %wide : (tensor<1x2x1x5x4xf32>, tensor<5xi64>) -> tensor<1x2x3x5x4xf32>
  %5 = graph.reshape %4, %all : (tensor<1x2x3x5x4xf32>, tensor<4xi64>) -> tensor<1x6x5x4xf32>
  %6 = graph.transpose %2, %last : (tensor<1x6x5x4xf32>, tensor<4xi64>) -> tensor<1x6x4x5xf32>
  %7 = graph.mul %q, %two : (tensor<1x6x5x4xf32>, tensor<f32>) -> tensor<1x6x5x4xf32>
  %8 = graph.batch_matmul %7, %6 : (tensor<1x6x5x4xf32>, tensor<1x6x4x5xf32>) -> tensor<1x6x5x5xf32>
  %mask = graph.broadcast_to %m, %rows : (tensor<1x1x1x5xf32>, tensor<4xi64>) -> tensor<1x1x5x5xf32>
  %9 = graph.add %8, %mask : (tensor<1x6x5x5xf32>, tensor<1x1x5x5xf32>) -> tensor<1x6x5x5xf32>
  %10 = graph.softmax %9 : (tensor<1x6x5x5xf32>) -> tensor<1x6x5x5xf32>
  %11 = graph.batch_matmul %10, %5 : (tensor<1x6x5x5xf32>, tensor<1x6x5x4xf32>) -> tensor<1x6x5x4xf32>
  graph.return %11 : tensor<1x6x5x4xf32>
}

// Only the keys are repeated, before they are scaled and transposed: their factor is in the scale,
// and in the keys no more.
// CHECK-LABEL: func.func @grouped_keys(
// CHECK-SAME: %[[Q:.*]]: tensor<1x6x5x4xf32>, %{{.*}}: tensor<1x2x5x4xf32>, %[[V:.*]]: tensor<1x6x5x4xf32>
// CHECK-NOT: graph.mul
// CHECK: %[[K:.*]] = graph.reshape %{{.*}} -> tensor<1x6x5x4xf32>
// CHECK-NOT: graph.mul
// CHECK: graph.attention %[[Q]], %[[K]], %[[V]] {scale = 2.500000e-01 : f32} :
// CHECK-NEXT: graph.return
func.func @grouped_keys(%q: tensor<1x6x5x4xf32>, %k: tensor<1x2x5x4xf32>, %v: tensor<1x6x5x4xf32>) -> tensor<1x6x5x4xf32> {
  %two = graph.constant dense<2> : tensor<i64>
  %wide = graph.constant dense<[1, 2, 3, 5, 4]> : tensor<5xi64>
  %heads = graph.constant dense<[1, 6, 5, 4]> : tensor<4xi64>
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.expand_dims %k, %two : (tensor<1x2x5x4xf32>, tensor<i64>) -> tensor<1x2x1x5x4xf32>
  %1 = graph.broadcast_to %0, %wide : (tensor<1x2x1x5x4xf32>, tensor<5xi64>) -> tensor<1x2x3x5x4xf32>
  %2 = graph.reshape %1, %heads : (tensor<1x2x3x5x4xf32>, tensor<4xi64>) -> tensor<1x6x5x4xf32>
  %3 = graph.mul %2, %half : (tensor<1x6x5x4xf32>, tensor<f32>) -> tensor<1x6x5x4xf32>
  %4 = graph.transpose %3, %last : (tensor<1x6x5x4xf32>, tensor<4xi64>) -> tensor<1x6x4x5xf32>
  %5 = graph.mul %q, %half : (tensor<1x6x5x4xf32>, tensor<f32>) -> tensor<1x6x5x4xf32>
  %6 = graph.batch_matmul %5, %4 : (tensor<1x6x5x4xf32>, tensor<1x6x4x5xf32>) -> tensor<1x6x5x5xf32>
  %7 = graph.softmax %6 : (tensor<1x6x5x5xf32>) -> tensor<1x6x5x5xf32>
  %8 = graph.batch_matmul %7, %v : (tensor<1x6x5x5xf32>, tensor<1x6x5x4xf32>) -> tensor<1x6x5x4xf32>
  graph.return %8 : tensor<1x6x5x4xf32>
}

// Weights that are needed themselves, numbers that do not mask, and keys that no transpose turned.
// CHECK-LABEL: func.func @not_attention(
// CHECK-NOT: graph.attention
func.func @not_attention(%q: tensor<1x3x5x4xf32>, %k: tensor<1x3x4x6xf32>, %v: tensor<1x3x6x4xf32>, %kt: tensor<1x3x6x4xf32>, %c: tensor<5x6xi1>) -> (tensor<1x3x5x6xf32>, tensor<1x3x5x4xf32>, tensor<1x3x5x4xf32>, tensor<1x3x5x4xf32>) {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %low = graph.constant dense<-10.0> : tensor<f32>
  %turned = graph.transpose %kt, %last : (tensor<1x3x6x4xf32>, tensor<4xi64>) -> tensor<1x3x4x6xf32>
  %0 = graph.batch_matmul %q, %turned : (tensor<1x3x5x4xf32>, tensor<1x3x4x6xf32>) -> tensor<1x3x5x6xf32>
  %1 = graph.softmax %0 : (tensor<1x3x5x6xf32>) -> tensor<1x3x5x6xf32>
  %2 = graph.batch_matmul %1, %v : (tensor<1x3x5x6xf32>, tensor<1x3x6x4xf32>) -> tensor<1x3x5x4xf32>
  %3 = graph.batch_matmul %2, %turned : (tensor<1x3x5x4xf32>, tensor<1x3x4x6xf32>) -> tensor<1x3x5x6xf32>
  %4 = graph.select %c, %3, %low : (tensor<5x6xi1>, tensor<1x3x5x6xf32>, tensor<f32>) -> tensor<1x3x5x6xf32>
  %5 = graph.softmax %4 : (tensor<1x3x5x6xf32>) -> tensor<1x3x5x6xf32>
  %6 = graph.batch_matmul %5, %v : (tensor<1x3x5x6xf32>, tensor<1x3x6x4xf32>) -> tensor<1x3x5x4xf32>
  %7 = graph.batch_matmul %q, %k : (tensor<1x3x5x4xf32>, tensor<1x3x4x6xf32>) -> tensor<1x3x5x6xf32>
  %8 = graph.softmax %7 : (tensor<1x3x5x6xf32>) -> tensor<1x3x5x6xf32>
  %9 = graph.batch_matmul %8, %v : (tensor<1x3x5x6xf32>, tensor<1x3x6x4xf32>) -> tensor<1x3x5x4xf32>
  graph.return %1, %2, %6, %9 : tensor<1x3x5x6xf32>, tensor<1x3x5x4xf32>, tensor<1x3x5x4xf32>, tensor<1x3x5x4xf32>
}

// Three products of one value become one, which attention reads as it lies; sizes that symbols
// stand for come from the program.
// CHECK-LABEL: func.func @projections(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x6xf32>
// CHECK: %[[W:.*]] = graph.concat %{{.*}} : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<i64>) -> tensor<6x24xf32>
// CHECK: %[[B:.*]] = graph.concat %{{.*}} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i64>) -> tensor<24xf32>
// CHECK: %[[QKV:.*]] = graph.fused_batch_matmul %[[X]], %[[W]], %[[B]]
// CHECK-NEXT: %[[Y:.*]] = graph.packed_attention %[[QKV]] {heads = 2 : i64, kv_heads = 2 : i64, scale = 5.000000e-01 : f32} : (tensor<?x?x24xf32>) -> tensor<?x?x8xf32>
// CHECK-NEXT: graph.return %[[Y]]
func.func @projections(%x: tensor<?x?x6xf32> {graph.dims = ["batch", "length", ""], graph.name = "x"}) -> tensor<?x?x8xf32> {
  %wq = graph.constant dense_resource<wq> : tensor<6x8xf32>
  %wk = graph.constant dense_resource<wk> : tensor<6x8xf32>
  %wv = graph.constant dense_resource<wv> : tensor<8x6xf32>
  %b = graph.constant dense_resource<b> : tensor<8xf32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %swap = graph.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
  %keys = graph.constant dense<[0, 2, 3, 1]> : tensor<4xi64>
  %turn = graph.constant dense<[1, 0]> : tensor<2xi64>
  %from = graph.constant dense<0> : tensor<1xi64>
  %two = graph.constant dense<2> : tensor<1xi64>
  %axis = graph.constant dense<0> : tensor<i64>
  %split = graph.constant dense<[2, 4]> : tensor<2xi64>
  %eight = graph.constant dense<8> : tensor<1xi64>
  %shape = graph.shape_of %x {dtype = i64} : (tensor<?x?x6xf32>) -> tensor<3xi64>
  %rows = graph.slice %shape, %from, %two : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %heads = graph.concat %rows, %split, %axis : (tensor<2xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
  %flat = graph.concat %rows, %eight, %axis : (tensor<2xi64>, tensor<1xi64>, tensor<i64>) -> tensor<3xi64>
  %0 = graph.batch_matmul %x, %wq : (tensor<?x?x6xf32>, tensor<6x8xf32>) -> tensor<?x?x8xf32>
  %1 = graph.add %0, %b : (tensor<?x?x8xf32>, tensor<8xf32>) -> tensor<?x?x8xf32>
  %2 = graph.reshape %1, %heads : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
  %q = graph.transpose %2, %swap : (tensor<?x?x2x4xf32>, tensor<4xi64>) -> tensor<?x2x?x4xf32>
  %3 = graph.batch_matmul %x, %wk : (tensor<?x?x6xf32>, tensor<6x8xf32>) -> tensor<?x?x8xf32>
  %4 = graph.reshape %3, %heads : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
  %k = graph.transpose %4, %keys : (tensor<?x?x2x4xf32>, tensor<4xi64>) -> tensor<?x2x4x?xf32>
  %wt = graph.transpose %wv, %turn : (tensor<8x6xf32>, tensor<2xi64>) -> tensor<6x8xf32>
  %5 = graph.batch_matmul %x, %wt : (tensor<?x?x6xf32>, tensor<6x8xf32>) -> tensor<?x?x8xf32>
  %6 = graph.add %5, %b : (tensor<?x?x8xf32>, tensor<8xf32>) -> tensor<?x?x8xf32>
  %7 = graph.reshape %6, %heads : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
  %v = graph.transpose %7, %swap : (tensor<?x?x2x4xf32>, tensor<4xi64>) -> tensor<?x2x?x4xf32>
  %8 = graph.batch_matmul %q, %k : (tensor<?x2x?x4xf32>, tensor<?x2x4x?xf32>) -> tensor<?x2x?x?xf32>
  %9 = graph.mul %8, %half : (tensor<?x2x?x?xf32>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %10 = graph.softmax %9 : (tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
  %11 = graph.batch_matmul %10, %v : (tensor<?x2x?x?xf32>, tensor<?x2x?x4xf32>) -> tensor<?x2x?x4xf32>
  %12 = graph.transpose %11, %swap : (tensor<?x2x?x4xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
  %13 = graph.reshape %12, %flat : (tensor<?x?x2x4xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
  graph.return %13 : tensor<?x?x8xf32>
}

// One product whose parts are taken with all kinds of movement. A part that is needed itself, or
// that lies elsewhere, is not read where it lies.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[X:.*]]: tensor<1x5x24xf32>
// CHECK: %[[Y:.*]] = graph.packed_attention %[[X]] {heads = 2 : i64, kv_heads = 2 : i64, scale = 5.000000e-01 : f32} : (tensor<1x5x24xf32>) -> tensor<1x5x8xf32>
// CHECK: graph.reshape %[[Y]]
// CHECK: graph.attention
func.func @packed(%x: tensor<1x5x24xf32>) -> (tensor<1x2x5x4xf32>, tensor<1x2x5x4xf32>) {
  %five = graph.constant dense<[1, 5, 3, 2, 4]> : tensor<5xi64>
  %perm = graph.constant dense<[2, 0, 3, 1, 4]> : tensor<5xi64>
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %zero = graph.constant dense<0> : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %two = graph.constant dense<2> : tensor<i64>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.reshape %x, %five : (tensor<1x5x24xf32>, tensor<5xi64>) -> tensor<1x5x3x2x4xf32>
  %1 = graph.transpose %0, %perm : (tensor<1x5x3x2x4xf32>, tensor<5xi64>) -> tensor<3x1x2x5x4xf32>
  %q = graph.gather %1, %zero, %zero : (tensor<3x1x2x5x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2x5x4xf32>
  %k = graph.gather %1, %one, %zero : (tensor<3x1x2x5x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2x5x4xf32>
  %v = graph.gather %1, %two, %zero : (tensor<3x1x2x5x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2x5x4xf32>
  %t = graph.transpose %k, %last : (tensor<1x2x5x4xf32>, tensor<4xi64>) -> tensor<1x2x4x5xf32>
  %2 = graph.batch_matmul %q, %t : (tensor<1x2x5x4xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x5x5xf32>
  %3 = graph.mul %2, %half : (tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5x5xf32>
  %4 = graph.softmax %3 : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %5 = graph.batch_matmul %4, %v : (tensor<1x2x5x5xf32>, tensor<1x2x5x4xf32>) -> tensor<1x2x5x4xf32>
  // Queries where the keys are.
  %6 = graph.attention %k, %q, %v : (tensor<1x2x5x4xf32>, tensor<1x2x5x4xf32>, tensor<1x2x5x4xf32>) -> tensor<1x2x5x4xf32>
  graph.return %5, %6 : tensor<1x2x5x4xf32>, tensor<1x2x5x4xf32>
}

// A projection of another value, by a matrix that the run gives, or that is needed itself: three products stay.
// CHECK-LABEL: func.func @not_merged(
// CHECK-NOT: graph.packed_attention
// CHECK-COUNT-3: graph.attention
// CHECK-NOT: graph.packed_attention
func.func @not_merged(%x: tensor<1x5x6xf32>, %y: tensor<1x5x6xf32>, %given: tensor<6x8xf32>)
    -> (tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>, tensor<1x5x8xf32>) {
  %w = graph.constant dense_resource<w> : tensor<6x8xf32>
  %u = graph.constant dense_resource<u> : tensor<6x8xf32>
  %heads = graph.constant dense<[1, 5, 2, 4]> : tensor<4xi64>
  %0 = graph.batch_matmul %x, %w : (tensor<1x5x6xf32>, tensor<6x8xf32>) -> tensor<1x5x8xf32>
  %q = graph.reshape %0, %heads : (tensor<1x5x8xf32>, tensor<4xi64>) -> tensor<1x5x2x4xf32>
  %1 = graph.batch_matmul %x, %u : (tensor<1x5x6xf32>, tensor<6x8xf32>) -> tensor<1x5x8xf32>
  %k = graph.reshape %1, %heads : (tensor<1x5x8xf32>, tensor<4xi64>) -> tensor<1x5x2x4xf32>
  %2 = graph.batch_matmul %y, %u : (tensor<1x5x6xf32>, tensor<6x8xf32>) -> tensor<1x5x8xf32>
  %v = graph.reshape %2, %heads : (tensor<1x5x8xf32>, tensor<4xi64>) -> tensor<1x5x2x4xf32>
  %a = graph.attention %q, %k, %v {layout = "bshd"} : (tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>) -> tensor<1x5x2x4xf32>
  %3 = graph.batch_matmul %x, %given : (tensor<1x5x6xf32>, tensor<6x8xf32>) -> tensor<1x5x8xf32>
  %v3 = graph.reshape %3, %heads : (tensor<1x5x8xf32>, tensor<4xi64>) -> tensor<1x5x2x4xf32>
  %6 = graph.batch_matmul %x, %w : (tensor<1x5x6xf32>, tensor<6x8xf32>) -> tensor<1x5x8xf32>
  %q6 = graph.reshape %6, %heads : (tensor<1x5x8xf32>, tensor<4xi64>) -> tensor<1x5x2x4xf32>
  %7 = graph.batch_matmul %x, %u : (tensor<1x5x6xf32>, tensor<6x8xf32>) -> tensor<1x5x8xf32>
  %k7 = graph.reshape %7, %heads : (tensor<1x5x8xf32>, tensor<4xi64>) -> tensor<1x5x2x4xf32>
  %b = graph.attention %q6, %k7, %v3 {layout = "bshd"} : (tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>) -> tensor<1x5x2x4xf32>
  %4 = graph.batch_matmul %y, %w : (tensor<1x5x6xf32>, tensor<6x8xf32>) -> tensor<1x5x8xf32>
  %q4 = graph.reshape %4, %heads : (tensor<1x5x8xf32>, tensor<4xi64>) -> tensor<1x5x2x4xf32>
  %5 = graph.batch_matmul %y, %u : (tensor<1x5x6xf32>, tensor<6x8xf32>) -> tensor<1x5x8xf32>
  %k5 = graph.reshape %5, %heads : (tensor<1x5x8xf32>, tensor<4xi64>) -> tensor<1x5x2x4xf32>
  %8 = graph.batch_matmul %y, %w : (tensor<1x5x6xf32>, tensor<6x8xf32>) -> tensor<1x5x8xf32>
  %v8 = graph.reshape %8, %heads : (tensor<1x5x8xf32>, tensor<4xi64>) -> tensor<1x5x2x4xf32>
  %c = graph.attention %q4, %k5, %v8 {layout = "bshd"} : (tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>) -> tensor<1x5x2x4xf32>
  graph.return %a, %b, %c, %5 : tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>, tensor<1x5x8xf32>
}

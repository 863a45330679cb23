// Normalisations of rows that programs spell out.
// RUN: tfrt_opt %s --graph-fuse | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-fuse{numerics=exact}))' | FileCheck %s --check-prefix=EXACT

// As PyTorch's TorchScript exporter writes it.
// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK: %[[Y:.*]] = graph.layer_norm %[[X]], %[[SCALE:.*]], %[[OFFSET:.*]] {epsilon = 9.99999974E-6 : f32} : (tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT: graph.return %[[Y]]
// EXACT-LABEL: func.func @layer_norm(
// EXACT: graph.sqrt
func.func @layer_norm(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %axis = graph.constant dense<-1> : tensor<1xi64>
  %two = graph.constant dense<2.0> : tensor<f32>
  %epsilon = graph.constant dense<1.0e-5> : tensor<f32>
  %scale = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %offset = graph.constant dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %mean = graph.reduce_mean %x, %axis {keep_dims = true} : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %centred = graph.sub %x, %mean : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  %square = graph.pow %centred, %two : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  %variance = graph.reduce_mean %square, %axis {keep_dims = true} : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %sum = graph.add %variance, %epsilon : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
  %deviation = graph.sqrt %sum : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %normal = graph.div %centred, %deviation : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  %scaled = graph.mul %normal, %scale : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %0 = graph.add %scaled, %offset : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  graph.return %0 : tensor<?x4xf32>
}

// The root inverted, constants with dimensions of 1, or none of them.
// CHECK-LABEL: func.func @other_spellings(
// CHECK: graph.layer_norm %{{.*}} {epsilon = 1.000000e+00 : f32} : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK-NOT: graph.reduce_mean
// CHECK: graph.layer_norm %{{.*}} {epsilon = 1.000000e+00 : f32} : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: graph.return
func.func @other_spellings(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %axis = graph.constant dense<2> : tensor<1xi64>
  %one = graph.constant dense<1.0> : tensor<f32>
  %scale = graph.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %mean = graph.reduce_mean %x, %axis {keep_dims = true} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x3x1xf32>
  %centred = graph.sub %x, %mean : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %square = graph.mul %centred, %centred : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %variance = graph.reduce_mean %square, %axis {keep_dims = true} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x3x1xf32>
  %sum = graph.add %one, %variance : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %inverse = graph.rsqrt %sum : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %normal = graph.mul %inverse, %centred : (tensor<2x3x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %scaled = graph.mul %scale, %normal : (tensor<1x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %mean2 = graph.reduce_mean %scaled, %axis {keep_dims = true} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x3x1xf32>
  %centred2 = graph.sub %scaled, %mean2 : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %square2 = graph.mul %centred2, %centred2 : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %variance2 = graph.reduce_mean %square2, %axis {keep_dims = true} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x3x1xf32>
  %sum2 = graph.add %variance2, %one : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %deviation2 = graph.sqrt %sum2 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %inverse2 = graph.reciprocal %deviation2 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %normal2 = graph.mul %centred2, %inverse2 : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  graph.return %scaled, %normal2 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// Without a mean, as language models have it: the inverse root times the value, the scale in front or behind.
// CHECK-LABEL: func.func @rms_norm(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK: %[[A:.*]] = graph.rms_norm %[[X]], %[[SCALE:.*]] {epsilon = 9.99999997E-7 : f32} : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
// CHECK-NOT: graph.mul
// CHECK: %[[B:.*]] = graph.rms_norm %[[A]], %{{.*}} {epsilon = 1.000000e+00 : f32} : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT: graph.return %[[B]]
// EXACT-LABEL: func.func @rms_norm(
// EXACT-NOT: graph.rms_norm
// EXACT: graph.rsqrt
func.func @rms_norm(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %axis = graph.constant dense<-1> : tensor<1xi64>
  %two = graph.constant dense<2.0> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %epsilon = graph.constant dense<1.0e-6> : tensor<f32>
  %scale = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %square = graph.pow %x, %two : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  %mean = graph.reduce_mean %square, %axis {keep_dims = true} : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %sum = graph.add %mean, %epsilon : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
  %inverse = graph.rsqrt %sum : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %normal = graph.mul %x, %inverse : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  %a = graph.mul %scale, %normal : (tensor<4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %square2 = graph.mul %a, %a : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %mean2 = graph.reduce_mean %square2, %axis {keep_dims = true} : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %sum2 = graph.add %mean2, %one : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
  %root2 = graph.sqrt %sum2 : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %normal2 = graph.div %a, %root2 : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  %b = graph.mul %normal2, %scale : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  graph.return %b : tensor<?x4xf32>
}

// The root of another value's squares, a sum instead of a mean, a factor for each row, f64.
// CHECK-LABEL: func.func @not_rms_norms(
// CHECK-NOT: graph.rms_norm
// CHECK: graph.rms_norm %{{.*}} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
// CHECK: graph.mul
// CHECK-NOT: graph.rms_norm
func.func @not_rms_norms(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>, %rows: tensor<3x1xf32>, %d: tensor<3x4xf64>)
    -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf64>) {
  %axis = graph.constant dense<1> : tensor<1xi64>
  %epsilon = graph.constant dense<1.0e-6> : tensor<f32>
  %small = graph.constant dense<1.0e-6> : tensor<f64>
  %square = graph.mul %y, %y : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %mean = graph.reduce_mean %square, %axis {keep_dims = true} : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<3x1xf32>
  %sum = graph.add %mean, %epsilon : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
  %root = graph.sqrt %sum : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %0 = graph.div %x, %root : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %square1 = graph.mul %x, %x : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %total = graph.reduce_sum %square1, %axis {keep_dims = true} : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<3x1xf32>
  %sum1 = graph.add %total, %epsilon : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
  %root1 = graph.sqrt %sum1 : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %1 = graph.div %x, %root1 : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %square2 = graph.mul %x, %x : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %mean2 = graph.reduce_mean %square2, %axis {keep_dims = true} : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<3x1xf32>
  %sum2 = graph.add %mean2, %epsilon : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
  %root2 = graph.sqrt %sum2 : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %normal2 = graph.div %x, %root2 : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %2 = graph.mul %normal2, %rows : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %square3 = graph.mul %d, %d : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %mean3 = graph.reduce_mean %square3, %axis {keep_dims = true} : (tensor<3x4xf64>, tensor<1xi64>) -> tensor<3x1xf64>
  %sum3 = graph.add %mean3, %small : (tensor<3x1xf64>, tensor<f64>) -> tensor<3x1xf64>
  %root3 = graph.sqrt %sum3 : (tensor<3x1xf64>) -> tensor<3x1xf64>
  %3 = graph.div %d, %root3 : (tensor<3x4xf64>, tensor<3x1xf64>) -> tensor<3x4xf64>
  graph.return %0, %1, %2, %3 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf64>
}

// Over the columns, of a variance that is needed itself, and with the squares of something else.
// CHECK-LABEL: func.func @not_norms(
// CHECK-NOT: graph.layer_norm
// CHECK-NOT: graph.rms_norm
func.func @not_norms(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x1xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %rows = graph.constant dense<0> : tensor<1xi64>
  %axis = graph.constant dense<1> : tensor<1xi64>
  %epsilon = graph.constant dense<1.0e-5> : tensor<f32>
  %mean = graph.reduce_mean %x, %rows {keep_dims = true} : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  %centred = graph.sub %x, %mean : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  %square = graph.mul %centred, %centred : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %variance = graph.reduce_mean %square, %rows {keep_dims = true} : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  %sum = graph.add %variance, %epsilon : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
  %deviation = graph.sqrt %sum : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %0 = graph.div %centred, %deviation : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  %mean1 = graph.reduce_mean %x, %axis {keep_dims = true} : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<3x1xf32>
  %centred1 = graph.sub %x, %mean1 : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %square1 = graph.mul %centred1, %centred1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %variance1 = graph.reduce_mean %square1, %axis {keep_dims = true} : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<3x1xf32>
  %sum1 = graph.add %variance1, %epsilon : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
  %deviation1 = graph.sqrt %sum1 : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %1 = graph.div %centred1, %deviation1 : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %square2 = graph.mul %y, %y : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %variance2 = graph.reduce_mean %square2, %axis {keep_dims = true} : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<3x1xf32>
  %sum2 = graph.add %variance2, %epsilon : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
  %deviation2 = graph.sqrt %sum2 : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %2 = graph.div %centred1, %deviation2 : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  graph.return %0, %variance1, %1, %2 : tensor<3x4xf32>, tensor<3x1xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}

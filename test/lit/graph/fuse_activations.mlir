// Activations that programs spell out.
// RUN: tfrt_opt %s --graph-fuse | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-fuse{numerics=exact}))' | FileCheck %s --check-prefix=EXACT

// As PyTorch's TorchScript exporter writes it: x * (erf(x / 1.4142) + 1) * 0.5.
// CHECK-LABEL: func.func @gelu_torchscript(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[Y:.*]] = graph.gelu %[[X]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: graph.return %[[Y]]
// EXACT-LABEL: func.func @gelu_torchscript(
// EXACT: graph.erf
func.func @gelu_torchscript(%x: tensor<4xf32>) -> tensor<4xf32> {
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.div %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.mul %3, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  graph.return %4 : tensor<4xf32>
}

// The root may have been written with 16 bits, f16 or bf16; another number near to it is not it.
// CHECK-LABEL: func.func @gelu_of_halves(
// CHECK: graph.gelu
// CHECK: graph.gelu
// CHECK: graph.erf
func.func @gelu_of_halves(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %f16 = graph.constant dense<1.4140625> : tensor<f32>
  %bf16 = graph.constant dense<0.70703125> : tensor<f32>
  %other = graph.constant dense<1.41412> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.div %x, %f16 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.mul %3, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = graph.mul %x, %bf16 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.erf %5 : (tensor<4xf32>) -> tensor<4xf32>
  %7 = graph.add %6, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %8 = graph.mul %x, %7 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %9 = graph.mul %8, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %10 = graph.div %x, %other : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %11 = graph.erf %10 : (tensor<4xf32>) -> tensor<4xf32>
  %12 = graph.add %11, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %13 = graph.mul %x, %12 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %14 = graph.mul %13, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  graph.return %4, %9, %14 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// As tf2onnx and Paddle do: the half with x or with the sum, the root as a factor.
// CHECK-LABEL: func.func @gelu_others(
// CHECK: %[[A:.*]] = graph.gelu %[[X:.*]] :
// CHECK-NEXT: %[[B:.*]] = graph.gelu %[[A]] :
// CHECK-NEXT: graph.return %[[B]]
func.func @gelu_others(%x: tensor<4xf32>) -> tensor<4xf32> {
  %root = graph.constant dense<0.707106769> : tensor<1xf32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.mul %root, %x : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.add %one, %1 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.mul %half, %2 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.mul %x, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = graph.mul %4, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.mul %4, %root : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %7 = graph.erf %6 : (tensor<4xf32>) -> tensor<4xf32>
  %8 = graph.add %7, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %9 = graph.mul %5, %8 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %9 : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu_tanh(
// CHECK: %[[A:.*]] = graph.gelu %[[X:.*]] {approximate = true} :
// CHECK-NEXT: %[[B:.*]] = graph.gelu %[[A]] {approximate = true} :
// CHECK-NEXT: graph.return %[[B]]
func.func @gelu_tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %three = graph.constant dense<3.0> : tensor<f32>
  %cubic = graph.constant dense<0.044715> : tensor<f32>
  %root = graph.constant dense<0.797884583> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.pow %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.mul %0, %cubic : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.add %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.mul %2, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = graph.tanh %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = graph.add %4, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.mul %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.mul %6, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // With x * x, and x in front of the sum.
  %8 = graph.mul %cubic, %7 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %9 = graph.mul %8, %7 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %10 = graph.add %one, %9 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %11 = graph.mul %7, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %12 = graph.mul %11, %10 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %13 = graph.tanh %12 : (tensor<4xf32>) -> tensor<4xf32>
  %14 = graph.add %13, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %15 = graph.mul %14, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %16 = graph.mul %15, %7 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %16 : tensor<4xf32>
}

// CHECK-LABEL: func.func @swish(
// CHECK: %[[A:.*]] = graph.swish %[[X:.*]] {alpha = 1.000000e+00 : f32} :
// CHECK-NEXT: %[[B:.*]] = graph.swish %[[A]] {alpha = 1.702000e+00 : f32} :
// CHECK-NEXT: %[[C:.*]] = graph.swish %[[B]] {alpha = 1.000000e+00 : f32} :
// CHECK-NEXT: graph.return %[[C]]
func.func @swish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = graph.constant dense<1.0> : tensor<f32>
  %alpha = graph.constant dense<1.702> : tensor<f32>
  %0 = graph.sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.mul %0, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.mul %1, %alpha : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.sigmoid %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.mul %1, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = graph.neg %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.exp %5 : (tensor<4xf32>) -> tensor<4xf32>
  %7 = graph.add %6, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %8 = graph.div %4, %7 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %8 : tensor<4xf32>
}

// CHECK-LABEL: func.func @hard_swish(
// CHECK: %[[A:.*]] = graph.hard_swish %[[X:.*]] :
// CHECK-NEXT: %[[B:.*]] = graph.hard_swish %[[A]] :
// CHECK-NEXT: %[[C:.*]] = graph.hard_swish %[[B]] :
// CHECK-NEXT: graph.return %[[C]]
func.func @hard_swish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %three = graph.constant dense<3.0> : tensor<f32>
  %six = graph.constant dense<6.0> : tensor<f32>
  %0 = graph.hard_sigmoid %x {alpha = 0.166666672 : f32, beta = 5.000000e-01 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.mul %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // Paddle: x * clip(x + 3, 0, 6) / 6.
  %2 = graph.add %1, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.clip %2, %zero, %six {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %4 = graph.mul %1, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = graph.div %4, %six : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // PyTorch: x * (clip(x + 3, 0, 6) / 6), the clip as max and min.
  %6 = graph.add %three, %5 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = graph.maximum %6, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %8 = graph.minimum %7, %six : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %9 = graph.div %8, %six : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %10 = graph.mul %9, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %10 : tensor<4xf32>
}

// CHECK-LABEL: func.func @mish(
// CHECK: graph.mish %[[X:.*]] :
// CHECK-NEXT: graph.return
func.func @mish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.add %one, %0 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.log %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.tanh %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.mul %3, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %4 : tensor<4xf32>
}

// clip(x + 3, 0, 6) / 6, and log(1 + exp(x)).
// CHECK-LABEL: func.func @hard_sigmoid_and_softplus(
// CHECK: %[[A:.*]] = graph.hard_sigmoid %[[X:.*]] {alpha = 0.166666672 : f32, beta = 5.000000e-01 : f32} :
// CHECK-NEXT: %[[B:.*]] = graph.softplus %[[A]] :
// CHECK-NEXT: graph.return %[[B]]
func.func @hard_sigmoid_and_softplus(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %three = graph.constant dense<3.0> : tensor<f32>
  %six = graph.constant dense<6.0> : tensor<f32>
  %0 = graph.add %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.clip %0, %zero, %six {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.div %1, %six : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.exp %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.add %3, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = graph.log %4 : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %5 : tensor<4xf32>
}

// CHECK-LABEL: func.func @powers(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[A:.*]] = graph.mul %[[X]], %[[X]] :
// CHECK-NEXT: %[[B:.*]] = graph.sqrt %[[A]] :
// CHECK-NEXT: %[[C:.*]] = graph.rsqrt %[[B]] :
// CHECK-NEXT: %[[D:.*]] = graph.reciprocal %[[C]] :
// CHECK-NEXT: graph.return %[[D]]
func.func @powers(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %minus_half = graph.constant dense<-0.5> : tensor<1xf32>
  %minus_one = graph.constant dense<-1.0> : tensor<f32>
  %0 = graph.pow %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.pow %0, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.pow %1, %minus_half : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %3 = graph.pow %2, %minus_one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  graph.return %3 : tensor<4xf32>
}

// Other bounds, another sum, another exponent, one that makes the result larger, and f64.
// CHECK-LABEL: func.func @not_spelled_out(
// CHECK-NOT: graph.hard_sigmoid
// CHECK-NOT: graph.softplus
// CHECK-NOT: graph.sqrt
// CHECK-COUNT-3: graph.pow
func.func @not_spelled_out(%x: tensor<4xf32>, %d: tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf64>) {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %two = graph.constant dense<2.0> : tensor<f32>
  %three = graph.constant dense<3.0> : tensor<f32>
  %five = graph.constant dense<5.0> : tensor<f32>
  %six = graph.constant dense<6.0> : tensor<f32>
  %halves = graph.constant dense<0.5> : tensor<2x1xf32>
  %half = graph.constant dense<0.5> : tensor<f64>
  %0 = graph.add %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.clip %0, %zero, %five {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.div %1, %six : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.add %3, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = graph.log %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.pow %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.pow %x, %halves : (tensor<4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %8 = graph.pow %d, %half : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  graph.return %2, %5, %6, %7, %8 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf64>
}

// Other factors and coefficients than those of an activation, and a value that is larger than its sigmoid.
// CHECK-LABEL: func.func @not_swish_or_gelu(
// CHECK-NOT: graph.swish
// CHECK-NOT: graph.gelu
// CHECK-NOT: graph.hard_swish
// CHECK-NOT: graph.mish
func.func @not_swish_or_gelu(%x: tensor<4xf32>, %wide: tensor<2x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = graph.constant dense<1.0> : tensor<f32>
  %two = graph.constant dense<2.0> : tensor<f32>
  %third = graph.constant dense<0.333333343> : tensor<f32>
  %root = graph.constant dense<0.797884583> : tensor<f32>
  %cubic = graph.constant dense<0.05> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  // 2 * x * sigmoid(x)
  %0 = graph.sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.mul %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.mul %1, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // x * hard_sigmoid(x) of another slope
  %3 = graph.hard_sigmoid %x {alpha = 2.000000e-01 : f32, beta = 5.000000e-01 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.mul %x, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // wider than its sigmoid
  %5 = graph.sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.mul %wide, %5 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  // another coefficient of the cube
  %7 = graph.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = graph.mul %7, %cubic : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %9 = graph.add %8, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %10 = graph.mul %9, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %11 = graph.mul %10, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %12 = graph.tanh %11 : (tensor<4xf32>) -> tensor<4xf32>
  %13 = graph.add %12, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %14 = graph.mul %x, %13 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %15 = graph.mul %14, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // x / 3 * tanh(softplus(x))
  %16 = graph.softplus %x : (tensor<4xf32>) -> tensor<4xf32>
  %17 = graph.tanh %16 : (tensor<4xf32>) -> tensor<4xf32>
  %18 = graph.mul %x, %third : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %19 = graph.mul %18, %17 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %2, %4, %6, %15, %19 : tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A part that is needed itself, another number, another value, and another dtype.
// CHECK-LABEL: func.func @not_activations(
// CHECK-NOT: graph.gelu
// CHECK-NOT: graph.swish
// CHECK-NOT: graph.mish
func.func @not_activations(%x: tensor<4xf32>, %y: tensor<4xf32>, %d: tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf64>) {
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.div %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.mul %3, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = graph.erf %x : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.add %5, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.mul %x, %6 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = graph.mul %7, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %9 = graph.sigmoid %y : (tensor<4xf32>) -> tensor<4xf32>
  %10 = graph.mul %x, %9 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %11 = graph.sigmoid %d : (tensor<4xf64>) -> tensor<4xf64>
  %12 = graph.mul %d, %11 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  graph.return %2, %4, %8, %10, %12 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf64>
}

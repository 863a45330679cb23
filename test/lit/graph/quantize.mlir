// RUN: tfrt_opt %s --graph-quantize="remarks=true" -split-input-file 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: tfrt_opt %s --graph-quantize -split-input-file 2>&1 | FileCheck %s --check-prefix=QUIET
// QUIET-NOT: remark

// Each column has a scale: its largest magnitude is 127. Halves are rounded to even.
// CHECK-LABEL: func.func @columns
// CHECK-DAG:     %[[B:.*]] = graph.constant dense<{{\[\[}}127, -64], [0, 127], [2, 2]]> : tensor<3x2xi8>
// CHECK-DAG:     %[[S:.*]] = graph.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK:         graph.dynamic_quantized_matmul %arg0, %[[B]], %[[S]] {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<?x3xf32>, tensor<3x2xi8>, tensor<2xf32>) -> tensor<?x2xf32>
// REMARK: remark: 1 of 1 products with constant matrices are in 8 bits: 0.0 kB of weights became 0.0 kB
func.func @columns(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %w = graph.constant dense<[[127.0, -127.0], [0.5, 254.0], [1.5, 5.0]]> : tensor<3x2xf32>
  %y = graph.matmul %x, %w : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  graph.return %y : tensor<?x2xf32>
}

// -----

// Rows of a transposed matrix are the columns. A column of zeros has a scale, too. Two products
// share the constants. Bias, activation, scale and addend stay what they are.
// CHECK-LABEL: func.func @tails
// CHECK-DAG:     %[[B:.*]] = graph.constant dense<{{\[\[}}127, 64], [0, 0]]> : tensor<2x2xi8>
// CHECK-DAG:     %[[S:.*]] = graph.constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK-DAG:     %[[BIAS:.*]] = graph.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NOT:     xi8>
// CHECK:         %[[Y:.*]] = graph.dynamic_quantized_matmul %arg0, %[[B]], %[[S]], %[[BIAS]] {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>, transpose_b = true}
// CHECK:         %[[HALVES:.*]] = graph.mul %[[S]], %
// CHECK:         %[[P:.*]] = graph.dynamic_quantized_matmul %[[Y]], %[[B]], %[[HALVES]] {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, transpose_b = true}
// CHECK:         %[[A:.*]] = graph.add %[[P]], %arg0
// CHECK:         graph.gelu %[[A]] {approximate = true}
// REMARK: remark: 2 of 2 products
func.func @tails(%x: tensor<5x7x2xf32>) -> tensor<5x7x2xf32> {
  %w = graph.constant dense<[[254.0, 128.0], [0.0, 0.0]]> : tensor<2x2xf32>
  %b = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = graph.fused_batch_matmul %x, %w, %b {activation = "relu", transpose_b = true, operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<5x7x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<5x7x2xf32>
  %z = graph.fused_batch_matmul %y, %w, %x {activation = "gelu_tanh", scale = 0.5 : f32, transpose_b = true, operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<5x7x2xf32>, tensor<2x2xf32>, tensor<5x7x2xf32>) -> tensor<5x7x2xf32>
  graph.return %z : tensor<5x7x2xf32>
}

// -----

// The numbers of clip, and those of other activations, behind an addend.
// CHECK-LABEL: func.func @activations
// CHECK:         graph.clip %{{.*}}, %{{.*}}, %{{.*}}
// CHECK:         graph.hard_sigmoid %{{.*}} {alpha = 2.500000e-01 : f32, beta = 5.000000e-01 : f32}
func.func @activations(%x: tensor<7x2xf32>) -> tensor<7x2xf32> {
  %w = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = graph.fused_batch_matmul %x, %w, %x {activation = "clip", alpha = -1.0 : f32, beta = 6.0 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<7x2xf32>, tensor<2x2xf32>, tensor<7x2xf32>) -> tensor<7x2xf32>
  %z = graph.fused_batch_matmul %y, %w, %x {activation = "hard_sigmoid", alpha = 0.25 : f32, beta = 0.5 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<7x2xf32>, tensor<2x2xf32>, tensor<7x2xf32>) -> tensor<7x2xf32>
  graph.return %z : tensor<7x2xf32>
}

// -----

// Other products are left, with the reason; those without a constant matrix are not spoken of.
// CHECK-LABEL: func.func @left
// CHECK-NOT:     dynamic_quantized_matmul
// REMARK: 'computed' stays in f32: its second factor is computed
// REMARK: 'batch' stays in f32: its second factor is more than one matrix
// REMARK: 'turned' stays in f32: its first factor is transposed
// REMARK: 'infinite' stays in f32: its matrix has elements that are not finite
// REMARK: 'same' stays in f32: its matrix has no elements, or one number for all
// REMARK: 'negative' stays in f32: its scale is not positive
// REMARK: an unnamed product stays in f32: its matrix has elements that are not finite
// REMARK: 'tiny' stays in f32: a scale of its columns would not be a normal number
// REMARK: 'product' stays in f32: a scale of its columns would not be a normal number
// REMARK: remark: 0 of 9 products
func.func @left(%x: tensor<2x2xf32>, %n: tensor<3x2x2xf32>, %m: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<3x2x2xf32>) {
  %w = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v = graph.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]> : tensor<3x2x2xf32>
  %i = graph.constant dense<[[1.0, 0x7F800000], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = graph.constant dense<1.0> : tensor<2x2xf32>
  %e = graph.exp %w : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = graph.matmul %x, %m : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("free"("m.onnx: MatMul"))
  %1 = graph.matmul %0, %e : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("computed"("m.onnx: MatMul"))
  %b = graph.batch_matmul %n, %v : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32> loc("batch"("m.onnx: MatMul"))
  %2 = graph.matmul %1, %w {transpose_a = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("turned"("m.onnx: Gemm"))
  %3 = graph.matmul %2, %i : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("infinite"("m.onnx: MatMul"))
  %4 = graph.matmul %3, %s : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("same"("m.onnx: MatMul"))
  %5 = graph.fused_batch_matmul %4, %w {scale = -1.0 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("negative"("m.onnx: Gemm"))
  %6 = graph.matmul %5, %i : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %t = graph.constant dense<[[1.0, 1.0e-37], [3.0, 0.0]]> : tensor<2x2xf32>
  %7 = graph.matmul %6, %t : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("tiny"("m.onnx: MatMul"))
  %8 = graph.fused_batch_matmul %7, %w {scale = 2.0e-38 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("product"("m.onnx: Gemm"))
  graph.return %8, %b : tensor<2x2xf32>, tensor<3x2x2xf32>
}

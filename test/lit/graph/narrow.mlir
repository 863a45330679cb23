// RUN: tfrt_opt %s --graph-narrow="remarks=true" -split-input-file 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: tfrt_opt %s --graph-narrow=dtype=f16 --graph-pack -split-input-file 2>&1 | FileCheck %s --check-prefix=PACK
// RUN: tfrt_opt %s --graph-narrow --graph-canonicalize --graph-pack -split-input-file 2>&1 | FileCheck %s --check-prefix=CANONICAL
// RUN: not tfrt_opt %s --graph-narrow=dtype=f64 -split-input-file 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not tfrt_opt %s --graph-narrow="keep=typo" -split-input-file 2>&1 | FileCheck %s --check-prefix=TYPO
// DTYPE: error: cannot narrow to 'f64', but to bf16 and f16
// TYPO: error: no product or convolution with constant weights is named 'typo'

// Halves are rounded to even. Two products share the constant. It stays for others that read it.
// CHECK-LABEL: func.func @products
// CHECK:         %[[W:.*]] = graph.constant dense<{{\[\[}}1.000000e+00, 2.562500e+02], [-2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
// CHECK:         %[[H:.*]] = graph.constant dense<{{\[\[}}1.000000e+00, 2.560000e+02], [-2.000000e+00, 3.000000e+00]]> : tensor<2x2xbf16>
// CHECK:         %[[C:.*]] = graph.cast %[[H]] {dtype = f32}
// CHECK:         %[[Y:.*]] = graph.matmul %arg0, %[[C]]
// CHECK:         graph.fused_batch_matmul %[[Y]], %[[C]], %[[W]]
// REMARK: remark: 2 of 2 products and convolutions with constant weights have them in bf16: 0.0 kB became 0.0 kB
// PACK-LABEL: func.func @products
// PACK:         %[[H:.*]] = graph.constant dense<{{.*}}> : tensor<2x2xf16>
// PACK:         graph.pack_matrix %[[H]] {rows = 2 : i64, transpose_b = true, widen = true} : (tensor<2x2xf16>) -> tensor<2x2xf32>
// PACK:         graph.pack_matrix %[[H]] {rows = 2 : i64, transpose_b = false, widen = true} : (tensor<2x2xf16>) -> tensor<2x2xf32>
func.func @products(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = graph.constant dense<[[1.0, 256.25], [-2.0, 3.0]]> : tensor<2x2xf32>
  %y = graph.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = graph.fused_batch_matmul %y, %w, %w {transpose_b = true, operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  graph.return %z : tensor<2x2xf32>
}

// -----

// A filter that is transposed when the program is loaded is packed from 16 bits, too.
// CHECK-LABEL: func.func @filters
// CHECK:         graph.constant dense<{{.*}}> : tensor<2x1x1x1xbf16>
// REMARK: 'last' stays in f32: its weights have 16 bits already
// REMARK: remark: 1 of 2 products and convolutions
// PACK-LABEL: func.func @filters
// PACK:         %[[F:.*]] = graph.constant dense<{{.*}}> : tensor<2x1x1x1xf16>
// PACK:         graph.pack_filter %[[F]] {{{.*}}widen = true} : (tensor<2x1x1x1xf16>) -> tensor<2x1x1x1xf32>
// PACK:         %[[T:.*]] = graph.transpose %{{.*}}, %{{.*}} : (tensor<2x1x1x1xbf16>, tensor<4xi64>) -> tensor<1x1x1x2xbf16>
// PACK:         graph.pack_filter %[[T]] {{{.*}}widen = true} : (tensor<1x1x1x2xbf16>) -> tensor<1x1x1x2xf32>
func.func @filters(%x: tensor<1x1x5x1xf32>, %z: tensor<1x5x1x1xf32>) -> (tensor<1x2x5x1xf32>, tensor<1x5x1x2xf32>) {
  %w = graph.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %first = graph.conv %x, %w : (tensor<1x1x5x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x5x1xf32>
  %half = graph.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xbf16>
  %wide = graph.cast %half {dtype = f32} : (tensor<2x1x1x1xbf16>) -> tensor<2x1x1x1xf32>
  %turn = graph.constant dense<[2, 3, 1, 0]> : tensor<4xi64>
  %turned = graph.transpose %wide, %turn : (tensor<2x1x1x1xf32>, tensor<4xi64>) -> tensor<1x1x1x2xf32>
  %last = graph.conv %z, %turned {channels_last = true} : (tensor<1x5x1x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x5x1x2xf32> loc("last")
  graph.return %first, %last : tensor<1x2x5x1xf32>, tensor<1x5x1x2xf32>
}

// -----

// Some weights stay in f32, for a reason. Products without constant weights are not spoken of.
// CHECK-LABEL: func.func @left
// CHECK-NOT:     xbf16>
// REMARK: 'one' stays in f32: its weights are one number, or none
// REMARK: 'large' stays in f32: its weights are too large or too small for bf16
// REMARK: 'half' stays in f32: its weights have 16 bits already
// REMARK: remark: 0 of 3 products and convolutions
func.func @left(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %one = graph.constant dense<1.5> : tensor<2x2xf32>
  %large = graph.constant dense<[[3.4028234e38, 1.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %a = graph.matmul %x, %one : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("one")
  %b = graph.matmul %a, %large : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("large")
  %c = graph.matmul %b, %x : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %half = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
  %wide = graph.cast %half {dtype = f32} : (tensor<2x2xf16>) -> tensor<2x2xf32>
  %d = graph.matmul %c, %wide : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("half")
  graph.return %d : tensor<2x2xf32>
}

// -----

// Weights that are computed when the program is loaded, such as filters of which a normalisation has
// become a part, are rounded then. The largest of f16 may be too small for them.
// CHECK-LABEL: func.func @computed
// CHECK:         %[[M:.*]] = graph.mul
// CHECK:         %[[H:.*]] = graph.cast %[[M]] {dtype = bf16}
// CHECK:         %[[W:.*]] = graph.cast %[[H]] {dtype = f32}
// CHECK:         graph.matmul %arg0, %[[W]]
// REMARK: remark: 1 of 1 products and convolutions with constant weights have them in bf16: 0.0 kB became 0.0 kB; 1 are computed, and then rounded, when it is loaded
// CANONICAL-LABEL: func.func @computed
// CANONICAL:     graph.pack_matrix %{{.*}} {{{.*}}widen = true} : (tensor<2x2xbf16>) -> tensor<2x2xf32>
// PACK-LABEL: func.func @computed
// PACK-NOT:      widen
// PACK:          graph.return
func.func @computed(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v = graph.constant dense<[[1.0], [3.0]]> : tensor<2x1xf32>
  %m = graph.mul %w, %v : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %y = graph.matmul %x, %m : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  graph.return %y : tensor<2x2xf32>
}

// -----

// Numbers of which f16 keeps few digits.
// CHECK-LABEL: func.func @small
// PACK-LABEL: func.func @small
// PACK-NOT:      xf16>
// PACK:          graph.return
func.func @small(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = graph.constant dense<[[1.0e-6, 2.0e-6], [3.0e-8, 4.0e-8]]> : tensor<2x2xf32>
  %y = graph.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  graph.return %y : tensor<2x2xf32>
}

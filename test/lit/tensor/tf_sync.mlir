// Sync kernels tf_sync.*, which write their last operand.
// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck %s

// CHECK-LABEL: --- Running 'binary':
func.func @binary() attributes {tfrt.sync} {
  %a = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2, 2], values = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32]} : () -> !tfrt_tensor.tensor
  %b = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2, 2], values = [8.0 : f32, 4.0 : f32, 2.0 : f32, 0.5 : f32]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  "tf_sync.AddV2.f32"(%a, %b, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: shape = [2, 2], values = [9.000000e+00, 6.000000e+00, 5.000000e+00, 4.500000e+00]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.Sub.f32"(%a, %b, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [-7.000000e+00, -2.000000e+00, 1.000000e+00, 3.500000e+00]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.Mul.f32"(%a, %b, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [8.000000e+00, 8.000000e+00, 6.000000e+00, 2.000000e+00]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.RealDiv.f32"(%a, %b, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [1.250000e-01, 5.000000e-01, 1.500000e+00, 8.000000e+00]
  tfrt_dht_sync.print_tensor %out
  tfrt.return
}

// A row, a column, a tensor of rank 0; the output may be an input of its shape.
// CHECK-LABEL: --- Running 'broadcast':
func.func @broadcast() attributes {tfrt.sync} {
  %a = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2, 3], values = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32]} : () -> !tfrt_tensor.tensor
  %row = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [3], values = [10.0 : f32, 20.0 : f32, 30.0 : f32]} : () -> !tfrt_tensor.tensor
  %column = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2, 1], values = [1.0 : f32, -1.0 : f32]} : () -> !tfrt_tensor.tensor
  %one = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [], values = [0.5 : f32]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  "tf_sync.AddV2.f32"(%a, %row, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [1.100000e+01, 2.200000e+01, 3.300000e+01, 1.400000e+01, 2.500000e+01, 3.600000e+01]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.Mul.f32"(%column, %row, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [1.000000e+01, 2.000000e+01, 3.000000e+01, -1.000000e+01, -2.000000e+01, -3.000000e+01]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.Sub.f32"(%a, %one, %a) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [5.000000e-01, 1.500000e+00, 2.500000e+00, 3.500000e+00, 4.500000e+00, 5.500000e+00]
  tfrt_dht_sync.print_tensor %a
  "tf_sync.RealDiv.f32"(%a, %a, %a) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00]
  tfrt_dht_sync.print_tensor %a
  tfrt.return
}

// CHECK-LABEL: --- Running 'unary':
func.func @unary() attributes {tfrt.sync} {
  %x = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [3], values = [1.0 : f32, 4.0 : f32, 0.25 : f32]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [3]
  "tf_sync.Log.f32"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [0.000000e+00, 1.386294e+00, -1.386294e+00]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.Log1p.f32"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [6.931472e-01, 1.609438e+00, 2.231435e-01]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.Rsqrt.f32"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [1.000000e+00, 5.000000e-01, 2.000000e+00]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.Sigmoid.f32"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [7.310586e-01, 9.820138e-01, 5.621765e-01]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.Rsqrt.f32"(%x, %x) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [1.000000e+00, 5.000000e-01, 2.000000e+00]
  tfrt_dht_sync.print_tensor %x
  tfrt.return
}

// CHECK-LABEL: --- Running 'softmax':
func.func @softmax() attributes {tfrt.sync} {
  %x = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2, 2], values = [0.0 : f32, 0.0 : f32, 100.0 : f32, 0.0 : f32]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  "tf_sync.Softmax.f32"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [5.000000e-01, 5.000000e-01, 1.000000e+00, 3.783506e-44]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.LogSoftmax.f32"(%x, %x) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [-6.931472e-01, -6.931472e-01, 0.000000e+00, -1.000000e+02]
  tfrt_dht_sync.print_tensor %x
  tfrt.return
}

// Multiples of i32 and of i64.
// CHECK-LABEL: --- Running 'tile':
func.func @tile() attributes {tfrt.sync} {
  %x = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2, 2], values = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32]} : () -> !tfrt_tensor.tensor
  %i32s = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [2], values = [1 : i32, 2 : i32]} : () -> !tfrt_tensor.tensor
  %wide = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 4]
  "tf_sync.Tile.f32"(%x, %i32s, %wide) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: shape = [2, 4], values = [1.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 3.000000e+00, 4.000000e+00]
  tfrt_dht_sync.print_tensor %wide
  %i64s = "tfrt_dht_sync.create_dense_tensor.i64"() {shape = [2], values = [2, 1]} : () -> !tfrt_tensor.tensor
  %long = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [4, 2]
  "tf_sync.Tile.f32"(%x, %i64s, %long) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: shape = [4, 2], values = [1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]
  tfrt_dht_sync.print_tensor %long
  %s = "tfrt_sht_sync.create_tensor"() {shape = [2], value = ["a", "a string that does not fit in place"]} : () -> !tfrt_tensor.tensor
  %three = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [1], values = [2 : i32]} : () -> !tfrt_tensor.tensor
  %strings = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [4]} : () -> !tfrt_tensor.tensor
  "tf_sync.Tile.string"(%s, %three, %strings) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: StringHostTensor shape = [4], values = ["a", "a string that does not fit in place", "a", "a string that does not fit in place"]
  tfrt_dht_sync.print_tensor %strings
  tfrt.return
}

// CHECK-LABEL: --- Running 'fused_matmul':
func.func @fused_matmul() attributes {tfrt.sync} {
  %a = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2, 3], values = [1.0 : f32, 2.0 : f32, 3.0 : f32, -1.0 : f32, 0.0 : f32, 1.0 : f32]} : () -> !tfrt_tensor.tensor
  %b = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2, 3], values = [1.0 : f32, 0.0 : f32, 1.0 : f32, -1.0 : f32, 1.0 : f32, -2.0 : f32]} : () -> !tfrt_tensor.tensor
  %bias = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2], values = [4.0 : f32, 0.5 : f32]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %out) {fused_ops = ["BiasAdd"], transpose_a = false, transpose_b = true}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [8.000000e+00, -4.500000e+00, 4.000000e+00, -5.000000e-01]
  tfrt_dht_sync.print_tensor %out
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %out) {fused_ops = ["BiasAdd", "Relu"], transpose_a = false, transpose_b = true}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [8.000000e+00, 0.000000e+00, 4.000000e+00, 0.000000e+00]
  tfrt_dht_sync.print_tensor %out
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %out) {fused_ops = ["BiasAdd", "Relu6"], transpose_a = false, transpose_b = true}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [6.000000e+00, 0.000000e+00, 4.000000e+00, 0.000000e+00]
  tfrt_dht_sync.print_tensor %out
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %out) {fused_ops = ["BiasAdd", "Elu"], transpose_a = false, transpose_b = true}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [8.000000e+00, -9.888910e-01, 4.000000e+00, -3.934693e-01]
  tfrt_dht_sync.print_tensor %out
  // The output before the bias.
  "tf_sync._FusedMatMul.f32"(%a, %b, %out, %bias) {fused_ops = ["BiasAdd"], transpose_a = false, transpose_b = true}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [8.000000e+00, -4.500000e+00, 4.000000e+00, -5.000000e-01]
  tfrt_dht_sync.print_tensor %out
  // a^T b
  %three = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [3], values = [0.0 : f32]} : () -> !tfrt_tensor.tensor
  %square = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [3, 3]
  "tf_sync._FusedMatMul.f32"(%a, %b, %three, %square) {fused_ops = ["BiasAdd"], transpose_a = true, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [2.000000e+00, -1.000000e+00, 3.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, 2.000000e+00, 1.000000e+00, 1.000000e+00]
  tfrt_dht_sync.print_tensor %square
  tfrt.return
}

// Without elements; the product of matrices without inner dimension is the bias.
// CHECK-LABEL: --- Running 'empty':
func.func @empty() attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [0, 2]
  %row = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  "tf_sync.AddV2.f32"(%x, %row, %x) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  "tf_sync.Log1p.f32"(%x, %x) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  "tf_sync.Softmax.f32"(%x, %x) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %flat = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 0]
  "tf_sync.LogSoftmax.f32"(%flat, %flat) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %none = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [1], values = [0 : i32]} : () -> !tfrt_tensor.tensor
  %nothing = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [0]
  "tf_sync.Tile.f32"(%row, %none, %nothing) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [0], values = []
  tfrt_dht_sync.print_tensor %nothing
  %s = "tfrt_sht_sync.create_tensor"() {shape = [1], value = ["a"]} : () -> !tfrt_tensor.tensor
  %strings = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [0]} : () -> !tfrt_tensor.tensor
  "tf_sync.Tile.string"(%s, %none, %strings) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: StringHostTensor shape = [0], values = []
  tfrt_dht_sync.print_tensor %strings
  %bias = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2], values = [7.0 : f32, 9.0 : f32]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  "tf_sync._FusedMatMul.f32"(%flat, %x, %bias, %out) {fused_ops = ["BiasAdd", "Relu6"], transpose_a = false, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [6.000000e+00, 6.000000e+00, 6.000000e+00, 6.000000e+00]
  tfrt_dht_sync.print_tensor %out
  tfrt.return
}

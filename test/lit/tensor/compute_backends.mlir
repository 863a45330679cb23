// Products and convolutions give the same whoever computes them.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor --compute_backend=eigen %t.bef | FileCheck %s
// RUN: bef_executor --compute_backend=auto %t.bef | FileCheck %s
// RUN: env TFRT_MODULE_PATH=%t.none bef_executor %t.bef 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t.err
// RUN: env TFRT_MODULE_PATH=%t.none not bef_executor --compute_backend=onednn %t.bef 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING

// WARNING: matrix products and convolutions use Eigen, which is slower: cannot load the module tfrt_onednn.so
// MISSING: error: {{.*}}cannot load the module tfrt_onednn.so

// CHECK-LABEL: --- Running 'products'
// CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2, 2], values = [1.000000e+00, 0.000000e+00, 3.000000e+00, 4.000000e+00]
// CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2, 2], values = [1.000000e+00, 0.000000e+00, 3.000000e+00, 4.000000e+00]
// CHECK-NEXT: DenseHostTensor dtype = f32, shape = [1, 2, 2], values = [5.000000e-01, -1.000000e+00, 1.500000e+00, 2.000000e+00]
func.func @products() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %a = "tfrt_test.const_dense_attr"() {value = dense<[[1.0, -2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> !tfrt_tensor.tensor
  %b = "tfrt_test.const_dense_attr"() {value = dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>} : () -> !tfrt_tensor.tensor
  %zero = "tfrt_test.const_dense_attr"() {value = dense<0.0> : tensor<2xf32>} : () -> !tfrt_tensor.tensor
  %out = "tfrt_dht.create_uninitialized_tensor.f32.2"() {shape = [2, 2]} : () -> !tfrt_tensor.tensor
  %c1 = "tfrt_cpu.matmul.bias.f32"(%a, %b, %zero, %out, %c0) {activation = "relu", transpose_a = false, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_dht.print_tensor"(%out, %c1) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain

  %packed = "tfrt_cpu.pack_matrix.f32"(%b) {rows = 2 : i64, transpose_b = false} : (!tfrt_tensor.tensor) -> !tfrt_cpu.packed_matrix
  %c3 = "tfrt_cpu.matmul.bias.f32"(%a, %packed, %zero, %out, %c2) {activation = "relu", transpose_a = false, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_cpu.packed_matrix, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c4 = "tfrt_dht.print_tensor"(%out, %c3) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain

  %a3 = "tfrt_test.const_dense_attr"() {value = dense<[[[1.0, -2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>} : () -> !tfrt_tensor.tensor
  %b3 = "tfrt_test.const_dense_attr"() {value = dense<[[[1.0, 0.0], [0.0, 1.0]]]> : tensor<1x2x2xf32>} : () -> !tfrt_tensor.tensor
  %out3 = "tfrt_dht.create_uninitialized_tensor.f32.3"() {shape = [1, 2, 2]} : () -> !tfrt_tensor.tensor
  %c5 = "tfrt_cpu.batch_matmul.f32"(%a3, %b3, %out3, %c4) {alpha = 0.5 : f32, transpose_a = false, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c6 = "tfrt_dht.print_tensor"(%out3, %c5) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c6 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'convolutions'
// CHECK-NEXT: DenseHostTensor dtype = f32, shape = [1, 2, 2, 1], values = [1.000000e+01, 6.000000e+00, 7.000000e+00, 4.000000e+00]
// CHECK-NEXT: DenseHostTensor dtype = f32, shape = [1, 2, 2, 1], values = [2.100000e+01, 1.300000e+01, 1.500000e+01, 9.000000e+00]
func.func @convolutions() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %in = "tfrt_test.const_dense_attr"() {value = dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>} : () -> !tfrt_tensor.tensor
  %filter = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<2x2x1x1xf32>} : () -> !tfrt_tensor.tensor
  %one = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<1xf32>} : () -> !tfrt_tensor.tensor
  %out = "tfrt_dht.create_uninitialized_tensor.f32.4"() {shape = [1, 2, 2, 1]} : () -> !tfrt_tensor.tensor
  %c1 = "tfrt_cpu.conv2d.f32"(%in, %filter, %out, %c0) {dilations = [1, 1], padding = [0, 1, 0, 1], strides = [1, 1]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_dht.print_tensor"(%out, %c1) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %shape = "ts.build_shape"() {value = [1, 2, 2, 1]} : () -> !ts.shape
  %packed = "tfrt_cpu.pack_filter.f32"(%filter, %shape) {dilations = [1, 1], padding = [0, 1, 0, 1], strides = [1, 1]}
      : (!tfrt_tensor.tensor, !ts.shape) -> !tfrt_cpu.packed_filter
  %c3 = "tfrt_cpu.conv2d.bias.add.f32"(%in, %packed, %one, %out, %c2) {activation = "relu", dilations = [1, 1], padding = [0, 1, 0, 1], strides = [1, 1]}
      : (!tfrt_tensor.tensor, !tfrt_cpu.packed_filter, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c4 = "tfrt_dht.print_tensor"(%out, %c3) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c4 : !tfrt.chain
}

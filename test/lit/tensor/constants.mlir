// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef --v0-exact %s | bef_executor | FileCheck %s

// CHECK-LABEL: --- Running 'constants':
func.func @constants() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %0 = "tfrt_test.const_dense_attr"() {value = dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2, 2], values = [1, -2, 3, 4]
  %c1 = "tfrt_dht.print_tensor"(%0, %c0) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %1 = "tfrt_test.const_dense_attr"() {value = dense<true> : tensor<3xi1>}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: DenseHostTensor dtype = i1, shape = [3], values = [1, 1, 1]
  %c2 = "tfrt_dht.print_tensor"(%1, %c1) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %2 = "tfrt_test.const_dense_attr"() {value = dense<1.5> : tensor<bf16>}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: DenseHostTensor dtype = bf16, shape = [], values = [bf16(16320)]
  %c3 = "tfrt_dht.print_tensor"(%2, %c2) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %3 = "tfrt_test.const_dense_attr"() {value = dense<0.5> : tensor<100xf64>}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: DenseHostTensor dtype = f64, shape = [100], values = [5.000000e-01, {{.*}}5.000000e-01, ... ]
  %c4 = "tfrt_dht.print_tensor"(%3, %c3) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %4 = "tfrt_test.const_dense_attr"() {value = dense<"0x0000803F000000C0"> : tensor<2xf32>}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2], values = [1.000000e+00, -2.000000e+00]
  %c5 = "tfrt_dht.print_tensor"(%4, %c4) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %5 = "tfrt_test.const_dense_attr"() {value = dense<(1.0, 2.0)> : tensor<1xcomplex<f64>>}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: DenseHostTensor dtype = complex128, shape = [1], values = [(1.000000e+00,2.000000e+00)]
  %c6 = "tfrt_dht.print_tensor"(%5, %c5) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: 'constants' returned !tfrt.chain value
  tfrt.return %c6 : !tfrt.chain
}

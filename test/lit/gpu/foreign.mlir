// What other dialects and kernels without a definition bring along.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: mlir_to_bef %s | bef_to_mlir | FileCheck %s

// CHECK: func.func @attributes(%arg0: !tfrt_gpu.buffer
// CHECK-SAME: attributes {{.*}}tfrt_gpu.hint = "x"
func.func @attributes(%b: !tfrt_gpu.buffer) attributes {result_xla_shape = "f32[2]", tfrt_gpu.hint = "x"} {
  // CHECK-NEXT: %0 = "tfrt_gpu.my_kernel"(%arg0) : (!tfrt_gpu.buffer) -> !tfrt_gpu.my.type
  %0 = "tfrt_gpu.my_kernel"(%b) : (!tfrt_gpu.buffer) -> !tfrt_gpu.my.type
  tfrt.return
}

// The older name of host tensors, whose values ops with a custom form make.
// CHECK: func.func @tensor(%arg0: !tfrt.chain) -> !tfrt_tensor.tensor
func.func @tensor(%c: !tfrt.chain) -> !t.tensor {
  %0 = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  // CHECK: "tfrt_gpu.my_tensor"(%0) : (!tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  %1 = "tfrt_gpu.my_tensor"(%0) : (!t.tensor) -> !t.tensor
  tfrt.return %1 : !t.tensor
}

// Kernels that are known but not there yet: programs load, and say which it was.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s

// CHECK-LABEL: 'rendezvous'
// CHECK-NEXT: 'rendezvous' returned <<error: tfrt_gpu.ccl.unique_id is not implemented>>
func.func @rendezvous() -> !tfrt_gpu.ccl.id {
  // expected-error @+1 {{runtime error: tfrt_gpu.ccl.unique_id is not implemented}}
  %0 = tfrt_gpu.ccl.unique_id CUDA
  tfrt.return %0 : !tfrt_gpu.ccl.id
}

// The lite tool has no eigen kernels.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: not bef_executor_lite %t.bef 2>&1 | FileCheck %s
// CHECK: runtime error: unknown kernel name 'eigen.matmul.f32'
func.func @main(%one: f32, %t: !tfrt_tensor.tensor, %c: !tfrt.chain) -> !tfrt.chain {
  %d = "eigen.matmul.f32"(%one, %t, %t, %one, %t, %c) : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %d : !tfrt.chain
}

// One buffer that cannot be had takes all planned tensors with it.
// RUN: mlir_to_bef --plan-memory %s | not bef_executor --host_allocator_type=test_fixed_size_1k 2>&1 | FileCheck %s
// CHECK: error: unexpected error: runtime error: Cannot allocate host buffer
// CHECK: 'too_large' returned <<error: Cannot allocate host buffer>>

func.func @too_large() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [4]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [400]
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %a, %c0 1.0 : f32
  %c2 = tfrt_dht.fill_tensor_with_constant.f32 %b, %c0 1.0 : f32
  %c3 = tfrt.merge.chains %c1, %c2 : !tfrt.chain, !tfrt.chain
  tfrt.return %c3 : !tfrt.chain
}

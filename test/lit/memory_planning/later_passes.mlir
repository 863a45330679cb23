// What comes after the plan must not take dependencies away: merges keep their operands, calls are not inlined.
// RUN: tfrt_opt %s -tfrt-plan-memory -canonicalize -inline | FileCheck %s
// RUN: tfrt_opt %s -canonicalize -inline -tfrt-plan-memory | FileCheck %s --check-prefix=BEFORE

// CHECK-LABEL: func.func @planned
// BEFORE-LABEL: func.func @planned
func.func @planned(%c0: !tfrt.chain) -> (!tfrt.chain, !tfrt.chain) {
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  // CHECK: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 0
  // CHECK: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 0
  // BEFORE: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 0
  // BEFORE: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 256
  // CHECK: %[[DONE:.*]] = tfrt_dht.fill_tensor_with_constant.f32
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %a, %c0 1.0 : f32
  // CHECK: %[[CALLED:.*]] = tfrt.call @callee(%[[DONE]])
  %c2 = tfrt.call @callee(%c1) : (!tfrt.chain) -> !tfrt.chain
  // CHECK: tfrt.merge.chains %[[DONE]], %[[CALLED]]
  %c3 = tfrt.merge.chains %c1, %c2 : !tfrt.chain, !tfrt.chain
  %c4 = tfrt_dht.fill_tensor_with_constant.f32 %b, %c3 2.0 : f32
  tfrt.return %c1, %c4 : !tfrt.chain, !tfrt.chain
}
// Into a function without a plan of its own the callee's plan would come without what protects it.
// CHECK-LABEL: func.func @unplanned
// CHECK: tfrt.call @planned
func.func @unplanned(%c0: !tfrt.chain) -> (!tfrt.chain, !tfrt.chain) {
  %r:2 = tfrt.call @planned(%c0) : (!tfrt.chain) -> (!tfrt.chain, !tfrt.chain)
  tfrt.return %r#0, %r#1 : !tfrt.chain, !tfrt.chain
}
func.func @callee(%c: !tfrt.chain) -> !tfrt.chain {
  %new = tfrt.new.chain
  tfrt.return %new : !tfrt.chain
}

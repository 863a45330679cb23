// The allocator with 1024 bytes: what it logs, and what happens when it is full.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor --host_allocator_type=test_fixed_size_1k --functions=small %t.bef 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: bef_executor --host_allocator_type=test_fixed_size_1k --functions=large %t.bef 2>&1 | FileCheck %s --check-prefix=LARGE

// SMALL: ] Allocating [[#SIZE:]] bytes. [[#]] remaining.
// SMALL: ] Freeing [[#SIZE]] bytes. [[#]] available.
func.func @small() {
  %t = "tfrt_dht.create_uninitialized_tensor.f32.1"() {shape = [100]} : () -> !tfrt_tensor.tensor
  tfrt.return
}
// LARGE: ] Attempted to allocate [[#]] bytes. However current capacity is only [[#]].
// LARGE: 'large' returned <<error: {{.*}}llocate tensor
func.func @large() -> !tfrt_tensor.tensor {
  // expected-error@+1 {{llocate tensor}}
  %t = "tfrt_dht.create_uninitialized_tensor.f32.1"() {shape = [1000]} : () -> !tfrt_tensor.tensor
  tfrt.return %t : !tfrt_tensor.tensor
}

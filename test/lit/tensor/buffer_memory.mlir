// RUN: mlir_to_bef %s | bef_executor --host_allocator_type=test_fixed_size_1k | FileCheck %s

// CHECK-LABEL: --- Running 'no_memory':
func.func @no_memory() -> !ht.host_buffer {
  %size = tfrt.constant.i64 2000
  %align = tfrt.constant.i64 8
  // expected-error@+1 {{Cannot allocate host buffer}}
  %b = tfrt_dht.allocate_buffer %size, %align
  // CHECK: 'no_memory' returned <<error: Cannot allocate host buffer>>
  tfrt.return %b : !ht.host_buffer
}

// CHECK-LABEL: --- Running 'no_memory_for_a_shape':
func.func @no_memory_for_a_shape() -> !tfrt_tensor.tensor {
  %shape = ts.build_shape [2000]
  // expected-error@+1 {{Cannot allocate tensor}}
  %t = "tfrt_dht.allocate_tensor.ui8"(%shape) : (!ts.shape) -> !tfrt_tensor.tensor
  // CHECK: 'no_memory_for_a_shape' returned <<error: Cannot allocate tensor>>
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'no_memory_for_strings':
func.func @no_memory_for_strings() -> !tfrt_tensor.tensor attributes {tfrt.sync} {
  // expected-error@+1 {{Failed to create SHT}}
  %t = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [100]} : () -> !tfrt_tensor.tensor
  // CHECK: 'no_memory_for_strings' returned <<error: Failed to create SHT>>
  tfrt.return %t : !tfrt_tensor.tensor
}

// Under the single-threaded queue, allocations that can be refused and kernels that can fail keep their
// order, even if nothing else can be seen of them: here first (stream 3), third (1), second (2).
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor --host_allocator_type=test_fixed_size_1k --functions=tensors %t.bef 2>&1 | FileCheck %s --check-prefix=TENSORS
// RUN: bef_executor --host_allocator_type=test_fixed_size_1k --functions=strings %t.bef 2>&1 | FileCheck %s --check-prefix=STRINGS
// RUN: not bef_executor --functions=errors %t.bef 2>&1 | FileCheck %s --check-prefix=ERRORS

// Each allocation has 64 bytes more than its elements.
// TENSORS:      --- Running 'tensors':
// TENSORS-NEXT: ] Allocating 192 bytes. 832 remaining.
// TENSORS-NEXT: ] Freeing 192 bytes.
// TENSORS-NEXT: ] Attempted to allocate 4160 bytes. However current capacity is only 1024.
// TENSORS-NEXT: ] Allocating 256 bytes. 768 remaining.
// TENSORS-NEXT: ] Freeing 256 bytes.
func.func @tensors() {
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [32]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [48]
  // expected-error@+1 {{Cannot allocate tensor}}
  %c = tfrt_dht.create_uninitialized_tensor.f32.1 [1024]
  tfrt.return
}

// STRINGS:      --- Running 'strings':
// STRINGS-NEXT: ] Allocating 96 bytes.
// STRINGS-NEXT: ] Freeing 96 bytes.
// STRINGS-NEXT: ] Allocating 264 bytes.
// STRINGS-NEXT: ] Freeing 264 bytes.
// STRINGS-NEXT: ] Allocating 128 bytes.
func.func @strings() {
  %a = "tfrt_sht.create_tensor"() {shape = [2], value = ["a", "b"]} : () -> !tfrt_tensor.tensor
  %b = "tfrt_sht.create_tensor"() {shape = [3], value = ["a", "b", "c"]} : () -> !tfrt_tensor.tensor
  %c = "corert.create_dense_tensor.i32"() {shape = [50], value = [1 : i32]} : () -> !corert.tensorhandle
  tfrt.return
}

// ERRORS: error: unexpected error: runtime error: shape [-1]
// ERRORS: error: unexpected error: runtime error: shape [-3]
// ERRORS: error: unexpected error: runtime error: shape [-2]
func.func @errors() {
  %a = ts.build_shape [-1]
  %b = ts.build_shape [-2]
  %c = ts.build_shape [-3]
  tfrt.return
}

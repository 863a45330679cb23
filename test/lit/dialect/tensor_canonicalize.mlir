// Unused pure ops of the tensor dialects go, the others stay.
// RUN: tfrt_opt -canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @pure
// CHECK-NEXT: tfrt.return
func.func @pure(%t: !tfrt_tensor.tensor, %s: !ts.shape) {
  %0 = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  %1 = tfrt_dht.get_tensor_shape %t
  %2 = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %3 = tfrt_dht_sync.get_tensor_shape %t
  %4 = ts.build_shape [1]
  %5 = ts.build_partial_shape [-1]
  %6 = ts.build_unranked_partial_shape
  %7 = ts.as_fixed_rank_shape.1 %s
  tfrt.return
}

// CHECK-LABEL: func.func @with_effects
func.func @with_effects(%n: i64, %s: !ts.shape, %p: !ts.partial_shape, %t: !tfrt_tensor.tensor,
                        %c: !tfrt.chain) {
  // CHECK-NEXT: tfrt_dht.allocate_buffer
  %0 = tfrt_dht.allocate_buffer %n, %n
  // CHECK-NEXT: ts.equal_shape
  %1 = ts.equal_shape %s, %s
  // CHECK-NEXT: ts.get_num_elements
  %2 = ts.get_num_elements %s
  // CHECK-NEXT: ts.to_shape
  %3 = ts.to_shape %p
  // CHECK-NEXT: ts.to_partial_shape
  %4 = ts.to_partial_shape %s
  // CHECK-NEXT: coo.convert_dht_to_coo.f32.1
  %5, %6 = coo.convert_dht_to_coo.f32.1 %t, %c
  // CHECK-NEXT: tfrt_dht.tensor_equal.f32
  %7, %8 = tfrt_dht.tensor_equal.f32 %t, %t, %c
  tfrt.return
}

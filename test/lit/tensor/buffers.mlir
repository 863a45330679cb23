// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'share_a_buffer':
func.func @share_a_buffer() -> (i1, i1) {
  %c0 = tfrt.new.chain
  %size = tfrt.constant.i64 24
  %align = tfrt.constant.i64 16
  %half = tfrt.constant.i64 12
  %zero = tfrt.constant.i64 0
  %buffer = tfrt_dht.allocate_buffer %size, %align
  %shape = ts.build_shape [2, 3]
  %whole, %c1 = tfrt_dht.make_tensor.f32 %buffer, %shape, %c0
  %c2 = tfrt_dht.set_tensor_with_constant_values.f32 %whole, %c1 [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32]
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2, 3], values = [1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]
  %c3 = tfrt_dht.print_tensor %whole, %c2

  %same, %c4 = tfrt_dht.get_buffer %whole, %c3
  // CHECK-NEXT: {{^}}HostBuffer<pointer=0x{{[0-9a-f]+}}, size=24>{{$}}
  %c5 = tfrt_dht.print_buffer %same, %c4
  %slice = tfrt_dht.get_buffer_slice %same, %half, %half
  %row_shape = ts.build_shape [3]
  %row, %c6 = tfrt_dht.make_tensor.f32 %slice, %row_shape, %c5
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [3], values = [4.000000e+00, 5.000000e+00, 6.000000e+00]
  %c7 = tfrt_dht.print_tensor %row, %c6
  // What is written through one tensor is seen through the other.
  %c8 = tfrt_dht.fill_tensor_with_constant.f32 %row, %c7 0.5 : f32
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2, 3], values = [1.000000e+00, 2.000000e+00, 3.000000e+00, 5.000000e-01, 5.000000e-01, 5.000000e-01]
  %c9 = tfrt_dht.print_tensor %whole, %c8
  %e1, %c10 = tfrt_dht.tensor_equal.f32 %whole, %whole, %c9
  %e2, %c11 = tfrt_dht.tensor_equal.f32 %whole, %row, %c10
  // CHECK-NEXT: 'share_a_buffer' returned 1,0
  tfrt.return %e1, %e2 : i1, i1
}

// CHECK-LABEL: --- Running 'computed_shape':
func.func @computed_shape() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %t = "tfrt_test.const_dense_attr"() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>}
      : () -> !tfrt_tensor.tensor
  %shape = tfrt_dht.get_tensor_shape %t
  %u = "tfrt_dht.allocate_tensor.i32"(%shape) : (!ts.shape) -> !tfrt_tensor.tensor
  %c1 = "tfrt_test.add.i32"(%t, %t, %u, %c0) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2, 2], values = [2, 4, 6, 8]
  %c2 = tfrt_dht.print_tensor %u, %c1
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'negative_size':
func.func @negative_size() -> !ht.host_buffer {
  %size = tfrt.constant.i64 -1
  %align = tfrt.constant.i64 8
  // expected-error@+1 {{Cannot allocate host buffer: the size -1 is negative}}
  %b = tfrt_dht.allocate_buffer %size, %align
  // CHECK-NEXT: 'negative_size' returned <<error: Cannot allocate host buffer: the size -1 is negative>>
  tfrt.return %b : !ht.host_buffer
}

// CHECK-LABEL: --- Running 'odd_alignment':
func.func @odd_alignment() -> !ht.host_buffer {
  %size = tfrt.constant.i64 8
  %align = tfrt.constant.i64 3
  // expected-error@+1 {{Cannot allocate host buffer: the alignment 3 is no power of two}}
  %b = tfrt_dht.allocate_buffer %size, %align
  // CHECK-NEXT: 'odd_alignment' returned <<error: Cannot allocate host buffer: the alignment 3 is no power of two>>
  tfrt.return %b : !ht.host_buffer
}

// CHECK-LABEL: --- Running 'slice_outside':
func.func @slice_outside() -> !ht.host_buffer {
  %size = tfrt.constant.i64 8
  %one = tfrt.constant.i64 1
  %b = tfrt_dht.allocate_buffer %size, %size
  // expected-error@+1 {{Cannot allocate host buffer.}}
  %s = tfrt_dht.get_buffer_slice %b, %one, %size
  // CHECK-NEXT: 'slice_outside' returned <<error: Cannot allocate host buffer.>>
  tfrt.return %s : !ht.host_buffer
}

// CHECK-LABEL: --- Running 'other_size':
func.func @other_size() -> !tfrt_tensor.tensor {
  %c0 = tfrt.new.chain
  %size = tfrt.constant.i64 20
  %align = tfrt.constant.i64 8
  %b = tfrt_dht.allocate_buffer %size, %align
  %shape = ts.build_shape [2, 3]
  // expected-error@+1 {{dht.make_tensor failed: buffer_size (20) is not equal to the number of elements in shape ([2, 3]) times element size (4)}}
  %t, %c1 = tfrt_dht.make_tensor.i32 %b, %shape, %c0
  // CHECK-NEXT: 'other_size' returned <<error: dht.make_tensor failed:
  tfrt.return %t : !tfrt_tensor.tensor
}

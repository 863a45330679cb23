// The kernels on tensors and shapes for sync functions.
// RUN: mlir_to_bef %s | bef_executor | FileCheck %s

// CHECK-LABEL: --- Running 'create':
func.func @create() attributes {tfrt.sync} {
  %t = tfrt_dht_sync.create_uninitialized_tensor.i32.2 [1, 2]
  tfrt_dht_sync.set_tensor_with_constant_values.i32 %t [1 : i32, 2 : i32]
  // CHECK-NEXT: {{^}}DenseHostTensor dtype = i32, shape = [1, 2], values = [1, 2]{{$}}
  tfrt_dht_sync.print_tensor %t
  %z = tfrt_dht_sync.create_uninitialized_tensor.complex64.1 [1]
  tfrt_dht_sync.set_tensor_with_constant_values.complex64 %z [1.0 : f32, -2.0 : f32]
  // CHECK-NEXT: {{^}}DenseHostTensor dtype = complex64, shape = [1], values = [(1.000000e+00,-2.000000e+00)]{{$}}
  tfrt_dht_sync.print_tensor %z
  %d = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2], values = [1.0 : f32, 2.0 : f32]} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: {{^}}DenseHostTensor dtype = f32, shape = [2], values = [1.000000e+00, 2.000000e+00]{{$}}
  tfrt_dht_sync.print_tensor %d
  %s = "tfrt_dht_sync.create_dense_tensor.bool"() {shape = [3], values = [true]} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: {{^}}DenseHostTensor dtype = i1, shape = [3], values = [1, 1, 1]{{$}}
  tfrt_dht_sync.print_tensor %s
  %c = "tfrt_dht_sync.create_dense_tensor.complex128"() {shape = [2], values = [1.0, 2.0]} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: {{^}}DenseHostTensor dtype = complex128, shape = [2], values = [(1.000000e+00,2.000000e+00), (1.000000e+00,2.000000e+00)]{{$}}
  tfrt_dht_sync.print_tensor %c
  %a = "tfrt_test.sync.const_dense_attr"() {value = dense<[1, 2]> : tensor<2xi64>} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: {{^}}DenseHostTensor dtype = i64, shape = [2], values = [1, 2]{{$}}
  tfrt_dht_sync.print_tensor %a
  tfrt.return
}

// CHECK-LABEL: --- Running 'scalars':
func.func @scalars() attributes {tfrt.sync} {
  %f = "tfrt_dht_sync.create_from_scalar.f32"() {shape = [2, 3], value = 0.25 : f32} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: {{^}}ScalarHostTensor dtype = f32, shape = [2, 3], value = 2.500000e-01{{$}}
  tfrt_dht_sync.print_tensor %f
  %b = "tfrt_dht_sync.create_from_scalar.bool"() {shape = [], value = true} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: {{^}}ScalarHostTensor dtype = i1, shape = [], value = 1{{$}}
  tfrt_dht_sync.print_tensor %b
  tfrt.return
}

// CHECK-LABEL: --- Running 'buffers':
func.func @buffers() -> i64 attributes {tfrt.sync} {
  %sixteen = "tfrt.constant_s.i64"() {value = 16 : i64} : () -> i64
  %eight = "tfrt.constant_s.i64"() {value = 8 : i64} : () -> i64
  %buffer = tfrt_dht_sync.allocate_buffer %sixteen, %eight
  %shape = "ts_sync.build_shape"() {value = [2]} : () -> !ts.shape
  %slice = tfrt_dht_sync.get_buffer_slice %buffer, %eight, %eight
  %t = tfrt_dht_sync.make_tensor.i32 %slice, %shape
  tfrt_dht_sync.set_tensor_with_constant_values.i32 %t [3 : i32, 4 : i32]
  // CHECK-NEXT: {{^}}DenseHostTensor dtype = i32, shape = [2], values = [3, 4]{{$}}
  tfrt_dht_sync.print_tensor %t
  %back = tfrt_dht_sync.get_tensor_shape %t
  %n = "ts_sync.get_num_elements"(%back) : (!ts.shape) -> i64
  // CHECK-NEXT: 'buffers' returned 2
  tfrt.return %n : i64
}

// CHECK-LABEL: --- Running 'partial_shapes':
func.func @partial_shapes() -> i64 attributes {tfrt.sync} {
  %s = "ts_sync.build_shape"() {value = [3, 4]} : () -> !ts.shape
  %p = "ts_sync.to_partial_shape"(%s) : (!ts.shape) -> !ts.partial_shape
  %q = "ts_sync.to_shape"(%p) : (!ts.partial_shape) -> !ts.shape
  %n = "ts_sync.get_num_elements"(%q) : (!ts.shape) -> i64
  // CHECK-NEXT: 'partial_shapes' returned 12
  tfrt.return %n : i64
}

// CHECK-LABEL: --- Running 'unknown_dimension':
func.func @unknown_dimension() -> !ts.shape attributes {tfrt.sync} {
  %p = "ts_sync.build_partial_shape"() {value = [3, -1]} : () -> !ts.partial_shape
  // expected-error@+1 {{Unknown dimensions at following indices = [1]}}
  %q = "ts_sync.to_shape"(%p) : (!ts.partial_shape) -> !ts.shape
  // CHECK-NEXT: 'unknown_dimension' returned <<error: Unknown dimensions at following indices = [1]>>
  tfrt.return %q : !ts.shape
}

// CHECK-LABEL: --- Running 'other_size':
func.func @other_size() -> !tfrt_tensor.tensor attributes {tfrt.sync} {
  %eight = "tfrt.constant_s.i64"() {value = 8 : i64} : () -> i64
  %buffer = tfrt_dht_sync.allocate_buffer %eight, %eight
  %shape = "ts_sync.build_shape"() {value = [3]} : () -> !ts.shape
  // expected-error@+1 {{tfrt_dht_sync.make_tensor failed: buffer_size (8) is not equal to the number of elements in shape ([3]) times element size (4)}}
  %t = tfrt_dht_sync.make_tensor.f32 %buffer, %shape
  // CHECK-NEXT: 'other_size' returned <<error: tfrt_dht_sync.make_tensor failed:
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'value_count':
func.func @value_count() -> !tfrt_tensor.tensor attributes {tfrt.sync} {
  // expected-error@+1 {{Incorrect number of values for the tensor: 2, but expected 3}}
  %t = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [3], values = [1 : i32, 2 : i32]} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'value_count' returned <<error: Incorrect number of values for the tensor: 2, but expected 3>>
  tfrt.return %t : !tfrt_tensor.tensor
}

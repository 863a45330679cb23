// Shapes with more than 2^63-1 elements can be built, printed, compared and taken apart. Their number of
// elements, and tensors of them, are errors.
// RUN: mlir_to_bef %s | bef_executor 2>&1 | FileCheck %s

// CHECK-LABEL: --- Running 'look':
// CHECK: shape = [65535, 65535, 65535, 65535, 65535]
// CHECK-NEXT: fixed_rank_shape = [4294967295, 4294967295, 4294967295]
// CHECK-NEXT: partial_tensor_shape = [9223372036854775807, 9223372036854775807]
// CHECK-NEXT: shape = [0, 9223372036854775807, 9223372036854775807]
// CHECK-NEXT: 'look' returned 1,0,1,4294967295,0
func.func @look() -> (i1, i1, i1, i64, i64) {
  %c0 = tfrt.new.chain
  %a = ts.build_shape [65535, 65535, 65535, 65535, 65535]
  %c1 = ts.print_shape %a, %c0
  %b = ts.build_shape [4294967295, 4294967295, 4294967295]
  %f = ts.as_fixed_rank_shape.3 %b
  %c2 = ts.print_fixed_rank_shape.3 %f, %c1
  %p = ts.build_partial_shape [9223372036854775807, 9223372036854775807]
  %c3 = ts.print_partial_shape %p, %c2
  %s = ts.to_shape %p
  %q = ts.to_partial_shape %s
  %t = ts.to_shape %q
  %same = ts.equal_shape %s, %t
  %other = ts.equal_shape %a, %b
  %a2 = ts.build_shape [65535, 65535, 65535, 65535, 65535]
  %same2 = ts.equal_shape %a, %a2
  %two = tfrt.constant.i32 2
  %dim = ts.get_dimension %b, %two
  %z = ts.build_shape [0, 9223372036854775807, 9223372036854775807]
  %c4 = ts.print_shape %z, %c3
  %none = ts.get_num_elements %z
  %done = "tfrt.alias.value"(%c4, %none) : (!tfrt.chain, i64) -> i64
  tfrt.return %same, %other, %same2, %dim, %done : i1, i1, i1, i64, i64
}

// CHECK-LABEL: --- Running 'count':
func.func @count() -> i64 {
  %s = ts.build_shape [65536, 65536, 65536, 65536]
  // CHECK-NEXT: 'count' returned <<error: shape [65536, 65536, 65536, 65536] has more than 9223372036854775807 elements>>
  // expected-error@+1 {{shape [65536, 65536, 65536, 65536] has more than 9223372036854775807 elements}}
  %n = ts.get_num_elements %s
  tfrt.return %n : i64
}

// The largest number that there is.
// CHECK-LABEL: --- Running 'count_most':
// CHECK-NEXT: 'count_most' returned 9223372036854775807
func.func @count_most() -> i64 {
  %s = ts.build_shape [9223372036854775807, 1]
  %n = ts.get_num_elements %s
  tfrt.return %n : i64
}

// CHECK-LABEL: --- Running 'allocate':
func.func @allocate() -> !tfrt_tensor.tensor {
  %s = ts.build_shape [4294967296, 4294967296]
  // CHECK-NEXT: 'allocate' returned <<error: shape [4294967296, 4294967296] has more than
  // expected-error@+1 {{shape [4294967296, 4294967296] has more than 9223372036854775807 elements}}
  %t = "tfrt_dht.allocate_tensor.ui8"(%s) : (!ts.shape) -> !tfrt_tensor.tensor
  tfrt.return %t : !tfrt_tensor.tensor
}

// No elements, but coordinates that nothing can count.
// CHECK-LABEL: --- Running 'allocate_none':
func.func @allocate_none() -> !tfrt_tensor.tensor {
  %s = ts.build_shape [0, 4294967296, 4294967296]
  // CHECK-NEXT: 'allocate_none' returned <<error: shape [0, 4294967296, 4294967296] has more than
  // expected-error@+1 {{shape [0, 4294967296, 4294967296] has more than 9223372036854775807 elements}}
  %t = "tfrt_dht.allocate_tensor.i32"(%s) : (!ts.shape) -> !tfrt_tensor.tensor
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'make':
func.func @make() -> !tfrt_tensor.tensor {
  %c0 = tfrt.new.chain
  %size = tfrt.constant.i64 16
  %buffer = tfrt_dht.allocate_buffer %size, %size
  %s = ts.build_shape [4294967296, 4294967296, 16]
  // CHECK-NEXT: 'make' returned <<error: dht.make_tensor failed: buffer_size (16) is not equal to the number of elements in shape ([4294967296, 4294967296, 16]) times element size (1)>>
  // expected-error@+1 {{dht.make_tensor failed: buffer_size (16) is not equal to the number of elements in shape}}
  %t, %c1 = tfrt_dht.make_tensor.ui8 %buffer, %s, %c0
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'shape_of_result':
func.func @shape_of_result() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s = ts.build_shape [4294967296, 4294967296]
  %r = "tfrt_cpu.relu_shape"(%s) : (!ts.shape) -> !ts.shape
  // CHECK-NEXT: shape = [4294967296, 4294967296]
  %c1 = ts.print_shape %r, %c0
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'shape_of_product':
func.func @shape_of_product() -> !ts.shape {
  %s = ts.build_shape [4294967296, 4294967296]
  // CHECK: 'shape_of_product' returned <<error: shape [4294967296, 4294967296] has more than
  // expected-error@+1 {{shape [4294967296, 4294967296] has more than 9223372036854775807 elements}}
  %r = "tfrt_cpu.matmul_shape"(%s, %s) {transpose_a = false, transpose_b = false} : (!ts.shape, !ts.shape) -> !ts.shape
  tfrt.return %r : !ts.shape
}

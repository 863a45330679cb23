// The kernel that plans consist of, and what it refuses.
// RUN: mlir_to_bef %s | bef_executor | FileCheck %s

// CHECK-LABEL: --- Running 'shared_bytes':
func.func @shared_bytes() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %size = tfrt.constant.i64 128
  %alignment = tfrt.constant.i64 64
  %buffer = tfrt_dht.allocate_buffer %size, %alignment
  %all = tfrt_dht.tensor_in_buffer.i32 %buffer [2, 3] at 64
  %row = tfrt_dht.tensor_in_buffer.i32 %buffer [3] at 76
  %empty = tfrt_dht.tensor_in_buffer.f64 %buffer [0] at 128
  %c1 = tfrt_dht.set_tensor_with_constant_values.i32 %all, %c0 [1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32]
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [3], values = [4, 5, 6]
  %c2 = tfrt_dht.print_tensor %row, %c1
  // CHECK-NEXT: DenseHostTensor dtype = f64, shape = [0], values = []
  %c3 = tfrt_dht.print_tensor %empty, %c2
  tfrt.return %c3 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'errors':
func.func @errors() -> (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) {
  %size = tfrt.constant.i64 64
  %buffer = tfrt_dht.allocate_buffer %size, %size
  // expected-error@+1 {{runtime error: tensor_in_buffer: 20 bytes at offset 48 are not inside a buffer of 64 bytes}}
  %large = tfrt_dht.tensor_in_buffer.i32 %buffer [5] at 48
  // expected-error@+1 {{runtime error: tensor_in_buffer: the offset -8 is negative}}
  %negative = tfrt_dht.tensor_in_buffer.i32 %buffer [5] at -8
  // expected-error@+1 {{runtime error: tensor_in_buffer: offset 6 of the buffer is not aligned to 4 bytes, which i32 needs}}
  %unaligned = tfrt_dht.tensor_in_buffer.i32 %buffer [1] at 6
  // expected-error@+1 {{runtime error: tensor_in_buffer: a tensor of complex128 with the shape [1152921504606846976] has too many bytes}}
  %huge = tfrt_dht.tensor_in_buffer.complex128 %buffer [1152921504606846976] at 0
  tfrt.return %large, %negative, %unaligned, %huge : !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor
}

// Bytes that other tensors wrote may be no bools: every byte but 0 is true.
// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s

// CHECK-LABEL: --- Running 'bytes_as_bools':
// CHECK-NEXT: DenseHostTensor dtype = i1, shape = [4], values = [0, 1, 1, 1]
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [4], values = [0, 1, 1, 1]
// CHECK-NEXT: int1 = 1
func.func @bytes_as_bools() {
  %c0 = tfrt.new.chain
  %bytes = tfrt_dht.create_uninitialized_tensor.ui8.1 [4 : i64]
  %c1 = tfrt_dht.set_tensor_with_constant_values.ui8 %bytes, %c0 [0 : ui8, 1 : ui8, 2 : ui8, 255 : ui8]
  %buffer, %c2 = tfrt_dht.get_buffer %bytes, %c1
  %shape = ts.build_shape [4]
  %bools, %c3 = tfrt_dht.make_tensor.bool %buffer, %shape, %c2
  %c4 = tfrt_dht.print_tensor %bools, %c3
  %numbers = tfrt_dht.create_uninitialized_tensor.i32.1 [4 : i64]
  %c5 = "tfrt_cpu.cast.bool_to_i32"(%bools, %numbers, %c4) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c6 = tfrt_dht.print_tensor %numbers, %c5
  %same = tfrt_dht.create_uninitialized_tensor.bool.1 [4 : i64]
  %c7 = tfrt_dht.set_tensor_with_constant_values.bool %same, %c6 [false, true, true, true]
  %equal, %c8 = tfrt_dht.tensor_equal.bool %bools, %same, %c7
  %c9 = tfrt.print.i1 %equal, %c8
  tfrt.return
}

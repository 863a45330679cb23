// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s

// CHECK-LABEL: --- Running 'dense'
// CHECK-NEXT: dtype = u8, shape = [2], values = [1, 255]
// CHECK-NEXT: dtype = u16, shape = [1], values = [65535]
// CHECK-NEXT: dtype = u32, shape = [1], values = [4294967295]
// CHECK-NEXT: dtype = u64, shape = [1], values = [7]
// CHECK-NEXT: dtype = i1, shape = [3], values = [1, 0, 1]
// CHECK-NEXT: dtype = i8, shape = [1], values = [-1]
// CHECK-NEXT: dtype = i16, shape = [1], values = [-2]
// CHECK-NEXT: dtype = i64, shape = [], values = [-3]
// CHECK-NEXT: dtype = f16, shape = [1], values = [fp16(15872)]
// CHECK-NEXT: dtype = bf16, shape = [1], values = [bf16(16320)]
// CHECK-NEXT: dtype = f64, shape = [1, 2], values = [1.500000e+00, -2.000000e+00]
func.func @dense() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ui8 = "corert.create_dense_tensor.ui8"() {shape = [2], value = [1 : ui8, 255 : ui8]} : () -> !corert.tensorhandle
  %ui16 = "corert.create_dense_tensor.ui16"() {shape = [1], value = [65535 : ui16]} : () -> !corert.tensorhandle
  %ui32 = "corert.create_dense_tensor.ui32"() {shape = [1], value = [4294967295 : ui32]} : () -> !corert.tensorhandle
  %ui64 = "corert.create_dense_tensor.ui64"() {shape = [1], value = [7 : ui64]} : () -> !corert.tensorhandle
  %i1 = corert.create_dense_tensor.i1 {shape = [3], value = [true, false, true]}
  %i8 = corert.create_dense_tensor.i8 {shape = [1], value = [-1 : i8]}
  %i16 = corert.create_dense_tensor.i16 {shape = [1], value = [-2 : i16]}
  %i64 = corert.create_dense_tensor.i64 {shape = [], value = [-3 : i64]}
  %f16 = corert.create_dense_tensor.f16 {shape = [1], value = [1.5 : f16]}
  %bf16 = corert.create_dense_tensor.bf16 {shape = [1], value = [1.5 : bf16]}
  %f64 = corert.create_dense_tensor.f64 {shape = [1, 2], value = [1.5 : f64, -2.0 : f64]}
  %c1 = "corert.print_tensorhandle"(%ui8, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c2 = "corert.print_tensorhandle"(%ui16, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c3 = "corert.print_tensorhandle"(%ui32, %c2) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c4 = "corert.print_tensorhandle"(%ui64, %c3) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c5 = "corert.print_tensorhandle"(%i1, %c4) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c6 = "corert.print_tensorhandle"(%i8, %c5) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c7 = "corert.print_tensorhandle"(%i16, %c6) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c8 = "corert.print_tensorhandle"(%i64, %c7) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c9 = "corert.print_tensorhandle"(%f16, %c8) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c10 = "corert.print_tensorhandle"(%bf16, %c9) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c11 = "corert.print_tensorhandle"(%f64, %c10) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c11 : !tfrt.chain
}

// Complex values are pairs of numbers; one value stands for all elements.
// CHECK-LABEL: --- Running 'complex_and_repeated'
// CHECK-NEXT: dtype = complex64, shape = [2], values = [(1.000000e+00,2.000000e+00), (3.000000e+00,-4.000000e+00)]
// CHECK-NEXT: dtype = complex128, shape = [2], values = [(1.000000e+00,2.000000e+00), (1.000000e+00,2.000000e+00)]
// CHECK-NEXT: dtype = i32, shape = [3], values = [5, 5, 5]
// CHECK-NEXT: dtype = f32, shape = [0], values = []
// CHECK-NEXT: dtype = i32, shape = [1], values = [6]
func.func @complex_and_repeated() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %c64 = "corert.create_dense_tensor.complex64"() {shape = [2], value = [1.0 : f32, 2.0 : f32, 3.0 : f32, -4.0 : f32]} : () -> !corert.tensorhandle
  %c128 = "corert.create_dense_tensor.complex128"() {shape = [2], value = [1.0 : f64, 2.0 : f64]} : () -> !corert.tensorhandle
  %i32 = corert.create_dense_tensor.i32 {shape = [3], value = [5 : i32]}
  %f32 = corert.create_dense_tensor.f32 {shape = [0], value = []}
  %sync = "corert_sync.create_dense_tensor.i32"() {shape = [1], value = [6 : i32]} : () -> !corert.tensorhandle
  %c1 = "corert.print_tensorhandle"(%c64, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c2 = "corert.print_tensorhandle"(%c128, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c3 = "corert.print_tensorhandle"(%i32, %c2) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c4 = "corert.print_tensorhandle"(%f32, %c3) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c5 = "corert.print_tensorhandle"(%sync, %c4) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c5 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'strings'
// CHECK-NEXT: StringHostTensor shape = [2, 1], values = ["up", "down"]
// CHECK-NEXT: StringHostTensor shape = [3], values = ["x", "x", "x"]
// CHECK-NEXT: StringHostTensor shape = [0], values = []
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2, 2], values = [1, 2, 3, 4]
func.func @strings() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %two = corert.const_string_tensor {shape = [2, 1], value = ["up", "down"]}
  %same = corert.const_string_tensor {shape = [3], value = ["x"]}
  %none = corert.const_string_tensor {shape = [0], value = []}
  %dense = corert.const_dense_tensor dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %c1 = "corert.print_tensorhandle"(%two, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c2 = "corert.print_tensorhandle"(%same, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c3 = "corert.print_tensorhandle"(%none, %c2) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c4 = "corert.print_tensorhandle"(%dense, %c3) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c4 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'wrong_counts'
func.func @wrong_counts() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  // expected-error @+1 {{runtime error: a tensor of shape [3] needs 3 values, or one for all, but there are 2}}
  %a = corert.create_dense_tensor.i32 {shape = [3], value = [1 : i32, 2 : i32]}
  // expected-error @+1 {{runtime error: a tensor of shape [2] needs 2 values, or one for all, but there are 3}}
  %b = corert.const_string_tensor {shape = [2], value = ["a", "b", "c"]}
  // expected-error @+1 {{runtime error: complex values come as real and imaginary parts, but there are 3 numbers}}
  %e = "corert.create_dense_tensor.complex64"() {shape = [1], value = [1.0 : f32, 2.0 : f32, 3.0 : f32]} : () -> !corert.tensorhandle
  // expected-error @+1 {{shape}}
  %f = corert.create_dense_tensor.i32 {shape = [-3], value = [1 : i32]}
  tfrt.return %c0 : !tfrt.chain
}

// The ops of tfrt_dht: each as it prints, from its own and from the generic form, and through a BEF file.
// RUN: tfrt_opt %s | FileCheck %s --strict-whitespace
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: tfrt_opt -mlir-print-op-generic %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: mlir_to_bef %s | bef_to_mlir | FileCheck %s --strict-whitespace


// CHECK-LABEL:func.func @create_uninitialized_tensor(
func.func @create_uninitialized_tensor() {
  // CHECK-NEXT:    %0 = tfrt_dht.create_uninitialized_tensor.ui8.0 []{{$}}
  %0 = tfrt_dht.create_uninitialized_tensor.ui8.0 []
  // CHECK-NEXT:    %1 = tfrt_dht.create_uninitialized_tensor.ui8.1 [2]{{$}}
  %1 = tfrt_dht.create_uninitialized_tensor.ui8.1 [2]
  // CHECK-NEXT:    %2 = tfrt_dht.create_uninitialized_tensor.ui8.2 [2, 3]{{$}}
  %2 = tfrt_dht.create_uninitialized_tensor.ui8.2 [2, 3]
  // CHECK-NEXT:    %3 = tfrt_dht.create_uninitialized_tensor.ui8.3 [2, 3, 4]{{$}}
  %3 = tfrt_dht.create_uninitialized_tensor.ui8.3 [2, 3, 4]
  // CHECK-NEXT:    %4 = tfrt_dht.create_uninitialized_tensor.ui8.4 [2, 3, 4, 5]{{$}}
  %4 = tfrt_dht.create_uninitialized_tensor.ui8.4 [2, 3, 4, 5]
  // CHECK-NEXT:    %5 = tfrt_dht.create_uninitialized_tensor.ui16.0 []{{$}}
  %5 = tfrt_dht.create_uninitialized_tensor.ui16.0 []
  // CHECK-NEXT:    %6 = tfrt_dht.create_uninitialized_tensor.ui16.1 [2]{{$}}
  %6 = tfrt_dht.create_uninitialized_tensor.ui16.1 [2]
  // CHECK-NEXT:    %7 = tfrt_dht.create_uninitialized_tensor.ui16.2 [2, 3]{{$}}
  %7 = tfrt_dht.create_uninitialized_tensor.ui16.2 [2, 3]
  // CHECK-NEXT:    %8 = tfrt_dht.create_uninitialized_tensor.ui16.3 [2, 3, 4]{{$}}
  %8 = tfrt_dht.create_uninitialized_tensor.ui16.3 [2, 3, 4]
  // CHECK-NEXT:    %9 = tfrt_dht.create_uninitialized_tensor.ui16.4 [2, 3, 4, 5]{{$}}
  %9 = tfrt_dht.create_uninitialized_tensor.ui16.4 [2, 3, 4, 5]
  // CHECK-NEXT:    %10 = tfrt_dht.create_uninitialized_tensor.ui32.0 []{{$}}
  %10 = tfrt_dht.create_uninitialized_tensor.ui32.0 []
  // CHECK-NEXT:    %11 = tfrt_dht.create_uninitialized_tensor.ui32.1 [2]{{$}}
  %11 = tfrt_dht.create_uninitialized_tensor.ui32.1 [2]
  // CHECK-NEXT:    %12 = tfrt_dht.create_uninitialized_tensor.ui32.2 [2, 3]{{$}}
  %12 = tfrt_dht.create_uninitialized_tensor.ui32.2 [2, 3]
  // CHECK-NEXT:    %13 = tfrt_dht.create_uninitialized_tensor.ui32.3 [2, 3, 4]{{$}}
  %13 = tfrt_dht.create_uninitialized_tensor.ui32.3 [2, 3, 4]
  // CHECK-NEXT:    %14 = tfrt_dht.create_uninitialized_tensor.ui32.4 [2, 3, 4, 5]{{$}}
  %14 = tfrt_dht.create_uninitialized_tensor.ui32.4 [2, 3, 4, 5]
  // CHECK-NEXT:    %15 = tfrt_dht.create_uninitialized_tensor.ui64.0 []{{$}}
  %15 = tfrt_dht.create_uninitialized_tensor.ui64.0 []
  // CHECK-NEXT:    %16 = tfrt_dht.create_uninitialized_tensor.ui64.1 [2]{{$}}
  %16 = tfrt_dht.create_uninitialized_tensor.ui64.1 [2]
  // CHECK-NEXT:    %17 = tfrt_dht.create_uninitialized_tensor.ui64.2 [2, 3]{{$}}
  %17 = tfrt_dht.create_uninitialized_tensor.ui64.2 [2, 3]
  // CHECK-NEXT:    %18 = tfrt_dht.create_uninitialized_tensor.ui64.3 [2, 3, 4]{{$}}
  %18 = tfrt_dht.create_uninitialized_tensor.ui64.3 [2, 3, 4]
  // CHECK-NEXT:    %19 = tfrt_dht.create_uninitialized_tensor.ui64.4 [2, 3, 4, 5]{{$}}
  %19 = tfrt_dht.create_uninitialized_tensor.ui64.4 [2, 3, 4, 5]
  // CHECK-NEXT:    %20 = tfrt_dht.create_uninitialized_tensor.i32.0 []{{$}}
  %20 = tfrt_dht.create_uninitialized_tensor.i32.0 []
  // CHECK-NEXT:    %21 = tfrt_dht.create_uninitialized_tensor.i32.1 [2]{{$}}
  %21 = tfrt_dht.create_uninitialized_tensor.i32.1 [2]
  // CHECK-NEXT:    %22 = tfrt_dht.create_uninitialized_tensor.i32.2 [2, 3]{{$}}
  %22 = tfrt_dht.create_uninitialized_tensor.i32.2 [2, 3]
  // CHECK-NEXT:    %23 = tfrt_dht.create_uninitialized_tensor.i32.3 [2, 3, 4]{{$}}
  %23 = tfrt_dht.create_uninitialized_tensor.i32.3 [2, 3, 4]
  // CHECK-NEXT:    %24 = tfrt_dht.create_uninitialized_tensor.i32.4 [2, 3, 4, 5]{{$}}
  %24 = tfrt_dht.create_uninitialized_tensor.i32.4 [2, 3, 4, 5]
  // CHECK-NEXT:    %25 = tfrt_dht.create_uninitialized_tensor.f32.0 []{{$}}
  %25 = tfrt_dht.create_uninitialized_tensor.f32.0 []
  // CHECK-NEXT:    %26 = tfrt_dht.create_uninitialized_tensor.f32.1 [2]{{$}}
  %26 = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  // CHECK-NEXT:    %27 = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 3]{{$}}
  %27 = tfrt_dht.create_uninitialized_tensor.f32.2 [2, 3]
  // CHECK-NEXT:    %28 = tfrt_dht.create_uninitialized_tensor.f32.3 [2, 3, 4]{{$}}
  %28 = tfrt_dht.create_uninitialized_tensor.f32.3 [2, 3, 4]
  // CHECK-NEXT:    %29 = tfrt_dht.create_uninitialized_tensor.f32.4 [2, 3, 4, 5]{{$}}
  %29 = tfrt_dht.create_uninitialized_tensor.f32.4 [2, 3, 4, 5]
  // CHECK-NEXT:    %30 = tfrt_dht.create_uninitialized_tensor.i64.0 []{{$}}
  %30 = tfrt_dht.create_uninitialized_tensor.i64.0 []
  // CHECK-NEXT:    %31 = tfrt_dht.create_uninitialized_tensor.i64.1 [2]{{$}}
  %31 = tfrt_dht.create_uninitialized_tensor.i64.1 [2]
  // CHECK-NEXT:    %32 = tfrt_dht.create_uninitialized_tensor.i64.2 [2, 3]{{$}}
  %32 = tfrt_dht.create_uninitialized_tensor.i64.2 [2, 3]
  // CHECK-NEXT:    %33 = tfrt_dht.create_uninitialized_tensor.i64.3 [2, 3, 4]{{$}}
  %33 = tfrt_dht.create_uninitialized_tensor.i64.3 [2, 3, 4]
  // CHECK-NEXT:    %34 = tfrt_dht.create_uninitialized_tensor.i64.4 [2, 3, 4, 5]{{$}}
  %34 = tfrt_dht.create_uninitialized_tensor.i64.4 [2, 3, 4, 5]
  // CHECK-NEXT:    %35 = tfrt_dht.create_uninitialized_tensor.bool.0 []{{$}}
  %35 = tfrt_dht.create_uninitialized_tensor.bool.0 []
  // CHECK-NEXT:    %36 = tfrt_dht.create_uninitialized_tensor.bool.1 [2]{{$}}
  %36 = tfrt_dht.create_uninitialized_tensor.bool.1 [2]
  // CHECK-NEXT:    %37 = tfrt_dht.create_uninitialized_tensor.bool.2 [2, 3]{{$}}
  %37 = tfrt_dht.create_uninitialized_tensor.bool.2 [2, 3]
  // CHECK-NEXT:    %38 = tfrt_dht.create_uninitialized_tensor.bool.3 [2, 3, 4]{{$}}
  %38 = tfrt_dht.create_uninitialized_tensor.bool.3 [2, 3, 4]
  // CHECK-NEXT:    %39 = tfrt_dht.create_uninitialized_tensor.bool.4 [2, 3, 4, 5]{{$}}
  %39 = tfrt_dht.create_uninitialized_tensor.bool.4 [2, 3, 4, 5]
  // CHECK-NEXT:    %40 = tfrt_dht.create_uninitialized_tensor.complex64.0 []{{$}}
  %40 = tfrt_dht.create_uninitialized_tensor.complex64.0 []
  // CHECK-NEXT:    %41 = tfrt_dht.create_uninitialized_tensor.complex64.1 [2]{{$}}
  %41 = tfrt_dht.create_uninitialized_tensor.complex64.1 [2]
  // CHECK-NEXT:    %42 = tfrt_dht.create_uninitialized_tensor.complex64.2 [2, 3]{{$}}
  %42 = tfrt_dht.create_uninitialized_tensor.complex64.2 [2, 3]
  // CHECK-NEXT:    %43 = tfrt_dht.create_uninitialized_tensor.complex64.3 [2, 3, 4]{{$}}
  %43 = tfrt_dht.create_uninitialized_tensor.complex64.3 [2, 3, 4]
  // CHECK-NEXT:    %44 = tfrt_dht.create_uninitialized_tensor.complex64.4 [2, 3, 4, 5]{{$}}
  %44 = tfrt_dht.create_uninitialized_tensor.complex64.4 [2, 3, 4, 5]
  // CHECK-NEXT:    %45 = tfrt_dht.create_uninitialized_tensor.complex128.0 []{{$}}
  %45 = tfrt_dht.create_uninitialized_tensor.complex128.0 []
  // CHECK-NEXT:    %46 = tfrt_dht.create_uninitialized_tensor.complex128.1 [2]{{$}}
  %46 = tfrt_dht.create_uninitialized_tensor.complex128.1 [2]
  // CHECK-NEXT:    %47 = tfrt_dht.create_uninitialized_tensor.complex128.2 [2, 3]{{$}}
  %47 = tfrt_dht.create_uninitialized_tensor.complex128.2 [2, 3]
  // CHECK-NEXT:    %48 = tfrt_dht.create_uninitialized_tensor.complex128.3 [2, 3, 4]{{$}}
  %48 = tfrt_dht.create_uninitialized_tensor.complex128.3 [2, 3, 4]
  // CHECK-NEXT:    %49 = tfrt_dht.create_uninitialized_tensor.complex128.4 [2, 3, 4, 5]{{$}}
  %49 = tfrt_dht.create_uninitialized_tensor.complex128.4 [2, 3, 4, 5]
  tfrt.return
}

// CHECK-LABEL:func.func @ops_per_element_type(
func.func @ops_per_element_type(%arg0: !tfrt_tensor.tensor, %arg1: !ht.host_buffer, %arg2: !ts.shape, %arg3: !tfrt.chain) {
  // CHECK-NEXT:    %0 = tfrt_dht.fill_tensor_with_constant.ui8 %arg0, %arg3 7 : ui8{{$}}
  %0 = tfrt_dht.fill_tensor_with_constant.ui8 %arg0, %arg3 7 : ui8
  // CHECK-NEXT:    %1 = tfrt_dht.set_tensor_with_constant_values.ui8 %arg0, %arg3 [7 : ui8, 7 : ui8]{{$}}
  %1 = tfrt_dht.set_tensor_with_constant_values.ui8 %arg0, %arg3 [7 : ui8, 7 : ui8]
  // CHECK-NEXT:    %2:2 = tfrt_dht.make_tensor.ui8 %arg1, %arg2, %arg3{{$}}
  %2:2 = tfrt_dht.make_tensor.ui8 %arg1, %arg2, %arg3
  // CHECK-NEXT:    %3:2 = tfrt_dht.tensor_equal.ui8 %arg0, %arg0, %arg3{{$}}
  %3:2 = tfrt_dht.tensor_equal.ui8 %arg0, %arg0, %arg3
  // CHECK-NEXT:    %4 = tfrt_dht.fill_tensor_with_constant.ui16 %arg0, %arg3 7 : ui16{{$}}
  %4 = tfrt_dht.fill_tensor_with_constant.ui16 %arg0, %arg3 7 : ui16
  // CHECK-NEXT:    %5 = tfrt_dht.set_tensor_with_constant_values.ui16 %arg0, %arg3 [7 : ui16, 7 : ui16]{{$}}
  %5 = tfrt_dht.set_tensor_with_constant_values.ui16 %arg0, %arg3 [7 : ui16, 7 : ui16]
  // CHECK-NEXT:    %6:2 = tfrt_dht.make_tensor.ui16 %arg1, %arg2, %arg3{{$}}
  %6:2 = tfrt_dht.make_tensor.ui16 %arg1, %arg2, %arg3
  // CHECK-NEXT:    %7:2 = tfrt_dht.tensor_equal.ui16 %arg0, %arg0, %arg3{{$}}
  %7:2 = tfrt_dht.tensor_equal.ui16 %arg0, %arg0, %arg3
  // CHECK-NEXT:    %8 = tfrt_dht.fill_tensor_with_constant.ui32 %arg0, %arg3 7 : ui32{{$}}
  %8 = tfrt_dht.fill_tensor_with_constant.ui32 %arg0, %arg3 7 : ui32
  // CHECK-NEXT:    %9 = tfrt_dht.set_tensor_with_constant_values.ui32 %arg0, %arg3 [7 : ui32, 7 : ui32]{{$}}
  %9 = tfrt_dht.set_tensor_with_constant_values.ui32 %arg0, %arg3 [7 : ui32, 7 : ui32]
  // CHECK-NEXT:    %10:2 = tfrt_dht.make_tensor.ui32 %arg1, %arg2, %arg3{{$}}
  %10:2 = tfrt_dht.make_tensor.ui32 %arg1, %arg2, %arg3
  // CHECK-NEXT:    %11:2 = tfrt_dht.tensor_equal.ui32 %arg0, %arg0, %arg3{{$}}
  %11:2 = tfrt_dht.tensor_equal.ui32 %arg0, %arg0, %arg3
  // CHECK-NEXT:    %12 = tfrt_dht.fill_tensor_with_constant.ui64 %arg0, %arg3 7 : ui64{{$}}
  %12 = tfrt_dht.fill_tensor_with_constant.ui64 %arg0, %arg3 7 : ui64
  // CHECK-NEXT:    %13 = tfrt_dht.set_tensor_with_constant_values.ui64 %arg0, %arg3 [7 : ui64, 7 : ui64]{{$}}
  %13 = tfrt_dht.set_tensor_with_constant_values.ui64 %arg0, %arg3 [7 : ui64, 7 : ui64]
  // CHECK-NEXT:    %14:2 = tfrt_dht.make_tensor.ui64 %arg1, %arg2, %arg3{{$}}
  %14:2 = tfrt_dht.make_tensor.ui64 %arg1, %arg2, %arg3
  // CHECK-NEXT:    %15:2 = tfrt_dht.tensor_equal.ui64 %arg0, %arg0, %arg3{{$}}
  %15:2 = tfrt_dht.tensor_equal.ui64 %arg0, %arg0, %arg3
  // CHECK-NEXT:    %16 = tfrt_dht.fill_tensor_with_constant.i32 %arg0, %arg3 -7 : i32{{$}}
  %16 = tfrt_dht.fill_tensor_with_constant.i32 %arg0, %arg3 -7 : i32
  // CHECK-NEXT:    %17 = tfrt_dht.set_tensor_with_constant_values.i32 %arg0, %arg3 [-7 : i32, -7 : i32]{{$}}
  %17 = tfrt_dht.set_tensor_with_constant_values.i32 %arg0, %arg3 [-7 : i32, -7 : i32]
  // CHECK-NEXT:    %18:2 = tfrt_dht.make_tensor.i32 %arg1, %arg2, %arg3{{$}}
  %18:2 = tfrt_dht.make_tensor.i32 %arg1, %arg2, %arg3
  // CHECK-NEXT:    %19:2 = tfrt_dht.tensor_equal.i32 %arg0, %arg0, %arg3{{$}}
  %19:2 = tfrt_dht.tensor_equal.i32 %arg0, %arg0, %arg3
  // CHECK-NEXT:    %20 = tfrt_dht.fill_tensor_with_constant.f32 %arg0, %arg3 2.500000e-01 : f32{{$}}
  %20 = tfrt_dht.fill_tensor_with_constant.f32 %arg0, %arg3 2.500000e-01 : f32
  // CHECK-NEXT:    %21 = tfrt_dht.set_tensor_with_constant_values.f32 %arg0, %arg3 [2.500000e-01 : f32, 2.500000e-01 : f32]{{$}}
  %21 = tfrt_dht.set_tensor_with_constant_values.f32 %arg0, %arg3 [2.500000e-01 : f32, 2.500000e-01 : f32]
  // CHECK-NEXT:    %22:2 = tfrt_dht.make_tensor.f32 %arg1, %arg2, %arg3{{$}}
  %22:2 = tfrt_dht.make_tensor.f32 %arg1, %arg2, %arg3
  // CHECK-NEXT:    %23:2 = tfrt_dht.tensor_equal.f32 %arg0, %arg0, %arg3{{$}}
  %23:2 = tfrt_dht.tensor_equal.f32 %arg0, %arg0, %arg3
  // CHECK-NEXT:    %24 = tfrt_dht.fill_tensor_with_constant.i64 %arg0, %arg3 -7 : i64{{$}}
  %24 = tfrt_dht.fill_tensor_with_constant.i64 %arg0, %arg3 -7 : i64
  // CHECK-NEXT:    %25 = tfrt_dht.set_tensor_with_constant_values.i64 %arg0, %arg3 [-7, 8]{{$}}
  %25 = tfrt_dht.set_tensor_with_constant_values.i64 %arg0, %arg3 [-7, 8]
  // CHECK-NEXT:    %26:2 = tfrt_dht.make_tensor.i64 %arg1, %arg2, %arg3{{$}}
  %26:2 = tfrt_dht.make_tensor.i64 %arg1, %arg2, %arg3
  // CHECK-NEXT:    %27:2 = tfrt_dht.tensor_equal.i64 %arg0, %arg0, %arg3{{$}}
  %27:2 = tfrt_dht.tensor_equal.i64 %arg0, %arg0, %arg3
  // CHECK-NEXT:    %28 = tfrt_dht.fill_tensor_with_constant.bool %arg0, %arg3 true{{$}}
  %28 = tfrt_dht.fill_tensor_with_constant.bool %arg0, %arg3 true
  // CHECK-NEXT:    %29 = tfrt_dht.set_tensor_with_constant_values.bool %arg0, %arg3 [true, false]{{$}}
  %29 = tfrt_dht.set_tensor_with_constant_values.bool %arg0, %arg3 [true, false]
  // CHECK-NEXT:    %30:2 = tfrt_dht.make_tensor.bool %arg1, %arg2, %arg3{{$}}
  %30:2 = tfrt_dht.make_tensor.bool %arg1, %arg2, %arg3
  // CHECK-NEXT:    %31:2 = tfrt_dht.tensor_equal.bool %arg0, %arg0, %arg3{{$}}
  %31:2 = tfrt_dht.tensor_equal.bool %arg0, %arg0, %arg3
  // CHECK-NEXT:    %32 = tfrt_dht.fill_tensor_with_constant.complex64 %arg0, %arg3 1.000000e+00 : f32{{$}}
  %32 = tfrt_dht.fill_tensor_with_constant.complex64 %arg0, %arg3 1.000000e+00 : f32
  // CHECK-NEXT:    %33 = tfrt_dht.set_tensor_with_constant_values.complex64 %arg0, %arg3 [1.000000e+00 : f32, 1.000000e+00 : f32]{{$}}
  %33 = tfrt_dht.set_tensor_with_constant_values.complex64 %arg0, %arg3 [1.000000e+00 : f32, 1.000000e+00 : f32]
  // CHECK-NEXT:    %34:2 = tfrt_dht.make_tensor.complex64 %arg1, %arg2, %arg3{{$}}
  %34:2 = tfrt_dht.make_tensor.complex64 %arg1, %arg2, %arg3
  // CHECK-NEXT:    %35:2 = tfrt_dht.tensor_equal.complex64 %arg0, %arg0, %arg3{{$}}
  %35:2 = tfrt_dht.tensor_equal.complex64 %arg0, %arg0, %arg3
  // CHECK-NEXT:    %36 = tfrt_dht.fill_tensor_with_constant.complex128 %arg0, %arg3 1.000000e+00 : f64{{$}}
  %36 = tfrt_dht.fill_tensor_with_constant.complex128 %arg0, %arg3 1.000000e+00 : f64
  // CHECK-NEXT:    %37 = tfrt_dht.set_tensor_with_constant_values.complex128 %arg0, %arg3 [1.000000e+00, 2.000000e+00]{{$}}
  %37 = tfrt_dht.set_tensor_with_constant_values.complex128 %arg0, %arg3 [1.000000e+00, 2.000000e+00]
  // CHECK-NEXT:    %38:2 = tfrt_dht.make_tensor.complex128 %arg1, %arg2, %arg3{{$}}
  %38:2 = tfrt_dht.make_tensor.complex128 %arg1, %arg2, %arg3
  // CHECK-NEXT:    %39:2 = tfrt_dht.tensor_equal.complex128 %arg0, %arg0, %arg3{{$}}
  %39:2 = tfrt_dht.tensor_equal.complex128 %arg0, %arg0, %arg3
  tfrt.return
}

// CHECK-LABEL:func.func @tensors_and_buffers(
func.func @tensors_and_buffers(%arg0: !tfrt_tensor.tensor, %arg1: !ht.host_buffer, %arg2: i64, %arg3: !tfrt.chain) {
  // CHECK-NEXT:    %0 = tfrt_dht.print_tensor %arg0, %arg3{{$}}
  %0 = tfrt_dht.print_tensor %arg0, %arg3
  // CHECK-NEXT:    %1 = tfrt_dht.get_tensor_shape %arg0{{$}}
  %1 = tfrt_dht.get_tensor_shape %arg0
  // CHECK-NEXT:    %2 = tfrt_dht.allocate_buffer %arg2, %arg2{{$}}
  %2 = tfrt_dht.allocate_buffer %arg2, %arg2
  // CHECK-NEXT:    %3:2 = tfrt_dht.get_buffer %arg0, %arg3{{$}}
  %3:2 = tfrt_dht.get_buffer %arg0, %arg3
  // CHECK-NEXT:    %4 = tfrt_dht.get_buffer_slice %arg1, %arg2, %arg2{{$}}
  %4 = tfrt_dht.get_buffer_slice %arg1, %arg2, %arg2
  // CHECK-NEXT:    %5 = tfrt_dht.print_buffer %arg1, %arg3{{$}}
  %5 = tfrt_dht.print_buffer %arg1, %arg3
  tfrt.return
}

// CHECK-LABEL:func.func @attribute_dictionaries(
func.func @attribute_dictionaries(%arg0: !tfrt_tensor.tensor, %arg1: !tfrt.chain) {
  // CHECK-NEXT:    %0 = tfrt_dht.create_uninitialized_tensor.f32.1 [2] {k = 1 : i32}{{$}}
  %0 = tfrt_dht.create_uninitialized_tensor.f32.1 [2] {k = 1 : i32}
  // CHECK-NEXT:    %1 = tfrt_dht.fill_tensor_with_constant.f32 %arg0, %arg1 0x7FC00000 : f32 {k = 1 : i32}{{$}}
  %1 = tfrt_dht.fill_tensor_with_constant.f32 %arg0, %arg1 0x7FC00000 : f32 {k = 1 : i32}
  // CHECK-NEXT:    %2 = tfrt_dht.set_tensor_with_constant_values.f32 %arg0, %arg1 [] {k = 1 : i32}{{$}}
  %2 = tfrt_dht.set_tensor_with_constant_values.f32 %arg0, %arg1 [] {k = 1 : i32}
  // CHECK-NEXT:    %3 = tfrt_dht.print_tensor %arg0, %arg1 {k = 1 : i32}{{$}}
  %3 = tfrt_dht.print_tensor %arg0, %arg1 {k = 1 : i32}
  tfrt.return
}

// CHECK-LABEL:func.func @tensor_in_buffer(
func.func @tensor_in_buffer(%arg0: !ht.host_buffer) {
  // CHECK-NEXT:    %0 = tfrt_dht.tensor_in_buffer.ui8 %arg0 [2, 0] at 0{{$}}
  %0 = tfrt_dht.tensor_in_buffer.ui8 %arg0 [2, 0] at 0
  // CHECK-NEXT:    %1 = tfrt_dht.tensor_in_buffer.ui32 %arg0 [2, 1] at 64{{$}}
  %1 = tfrt_dht.tensor_in_buffer.ui32 %arg0 [2, 1] at 64
  // CHECK-NEXT:    %2 = tfrt_dht.tensor_in_buffer.ui64 %arg0 [2, 2] at 128{{$}}
  %2 = tfrt_dht.tensor_in_buffer.ui64 %arg0 [2, 2] at 128
  // CHECK-NEXT:    %3 = tfrt_dht.tensor_in_buffer.i8 %arg0 [2, 3] at 192{{$}}
  %3 = tfrt_dht.tensor_in_buffer.i8 %arg0 [2, 3] at 192
  // CHECK-NEXT:    %4 = tfrt_dht.tensor_in_buffer.i32 %arg0 [2, 4] at 256{{$}}
  %4 = tfrt_dht.tensor_in_buffer.i32 %arg0 [2, 4] at 256
  // CHECK-NEXT:    %5 = tfrt_dht.tensor_in_buffer.i64 %arg0 [2, 5] at 320{{$}}
  %5 = tfrt_dht.tensor_in_buffer.i64 %arg0 [2, 5] at 320
  // CHECK-NEXT:    %6 = tfrt_dht.tensor_in_buffer.f16 %arg0 [2, 6] at 384{{$}}
  %6 = tfrt_dht.tensor_in_buffer.f16 %arg0 [2, 6] at 384
  // CHECK-NEXT:    %7 = tfrt_dht.tensor_in_buffer.bf16 %arg0 [2, 7] at 448{{$}}
  %7 = tfrt_dht.tensor_in_buffer.bf16 %arg0 [2, 7] at 448
  // CHECK-NEXT:    %8 = tfrt_dht.tensor_in_buffer.f32 %arg0 [2, 8] at 512{{$}}
  %8 = tfrt_dht.tensor_in_buffer.f32 %arg0 [2, 8] at 512
  // CHECK-NEXT:    %9 = tfrt_dht.tensor_in_buffer.f64 %arg0 [2, 9] at 576{{$}}
  %9 = tfrt_dht.tensor_in_buffer.f64 %arg0 [2, 9] at 576
  // CHECK-NEXT:    %10 = tfrt_dht.tensor_in_buffer.bool %arg0 [2, 10] at 640{{$}}
  %10 = tfrt_dht.tensor_in_buffer.bool %arg0 [2, 10] at 640
  // CHECK-NEXT:    %11 = tfrt_dht.tensor_in_buffer.complex64 %arg0 [2, 11] at 704{{$}}
  %11 = tfrt_dht.tensor_in_buffer.complex64 %arg0 [2, 11] at 704
  // CHECK-NEXT:    %12 = tfrt_dht.tensor_in_buffer.complex128 %arg0 [2, 12] at 768{{$}}
  %12 = tfrt_dht.tensor_in_buffer.complex128 %arg0 [2, 12] at 768
  // CHECK-NEXT:    %13 = tfrt_dht.tensor_in_buffer.f32 %arg0 [] at -1 {k = 1 : i32}{{$}}
  %13 = tfrt_dht.tensor_in_buffer.f32 %arg0 [] at -1 {k = 1 : i32}
  tfrt.return
}

// The ops of corert_sync.
// RUN: tfrt_opt %s | FileCheck %s --strict-whitespace
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: tfrt_opt -mlir-print-op-generic %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: mlir_to_bef %s | bef_to_mlir | FileCheck %s --strict-whitespace

// CHECK-LABEL:func.func @create_dense_tensor(
func.func @create_dense_tensor(%unused: i32) attributes {tfrt.sync} {
  // CHECK-NEXT:    %0 = corert_sync.create_dense_tensor.ui8 {shape = [2], value = [7 : ui8, 8 : ui8]}{{$}}
  %0 = corert_sync.create_dense_tensor.ui8 {shape = [2], value = [7 : ui8, 8 : ui8]}
  // CHECK-NEXT:    %1 = corert_sync.create_dense_tensor.ui16 {shape = [2], value = [7 : ui16, 8 : ui16]}{{$}}
  %1 = corert_sync.create_dense_tensor.ui16 {shape = [2], value = [7 : ui16, 8 : ui16]}
  // CHECK-NEXT:    %2 = corert_sync.create_dense_tensor.ui32 {shape = [2], value = [7 : ui32, 8 : ui32]}{{$}}
  %2 = corert_sync.create_dense_tensor.ui32 {shape = [2], value = [7 : ui32, 8 : ui32]}
  // CHECK-NEXT:    %3 = corert_sync.create_dense_tensor.ui64 {shape = [2], value = [7 : ui64, 8 : ui64]}{{$}}
  %3 = corert_sync.create_dense_tensor.ui64 {shape = [2], value = [7 : ui64, 8 : ui64]}
  // CHECK-NEXT:    %4 = corert_sync.create_dense_tensor.i1 {shape = [2], value = [true, false]}{{$}}
  %4 = corert_sync.create_dense_tensor.i1 {shape = [2], value = [true, false]}
  // CHECK-NEXT:    %5 = corert_sync.create_dense_tensor.i8 {shape = [2], value = [-7 : i8, 8 : i8]}{{$}}
  %5 = corert_sync.create_dense_tensor.i8 {shape = [2], value = [-7 : i8, 8 : i8]}
  // CHECK-NEXT:    %6 = corert_sync.create_dense_tensor.i16 {shape = [2], value = [-7 : i16, 8 : i16]}{{$}}
  %6 = corert_sync.create_dense_tensor.i16 {shape = [2], value = [-7 : i16, 8 : i16]}
  // CHECK-NEXT:    %7 = corert_sync.create_dense_tensor.i32 {shape = [2], value = [-7 : i32, 8 : i32]}{{$}}
  %7 = corert_sync.create_dense_tensor.i32 {shape = [2], value = [-7 : i32, 8 : i32]}
  // CHECK-NEXT:    %8 = corert_sync.create_dense_tensor.i64 {shape = [2], value = [-7, 8]}{{$}}
  %8 = corert_sync.create_dense_tensor.i64 {shape = [2], value = [-7, 8]}
  // CHECK-NEXT:    %9 = corert_sync.create_dense_tensor.bf16 {shape = [2], value = [1.500000e+00 : bf16, 2.500000e-01 : bf16]}{{$}}
  %9 = corert_sync.create_dense_tensor.bf16 {shape = [2], value = [1.5 : bf16, 0.25 : bf16]}
  // CHECK-NEXT:    %10 = corert_sync.create_dense_tensor.f16 {shape = [2], value = [1.500000e+00 : f16, 2.500000e-01 : f16]}{{$}}
  %10 = corert_sync.create_dense_tensor.f16 {shape = [2], value = [1.5 : f16, 0.25 : f16]}
  // CHECK-NEXT:    %11 = corert_sync.create_dense_tensor.f32 {shape = [2], value = [1.500000e+00 : f32, 2.500000e-01 : f32]}{{$}}
  %11 = corert_sync.create_dense_tensor.f32 {shape = [2], value = [1.5 : f32, 0.25 : f32]}
  // CHECK-NEXT:    %12 = corert_sync.create_dense_tensor.f64 {shape = [2], value = [1.500000e+00, -2.000000e+00]}{{$}}
  %12 = corert_sync.create_dense_tensor.f64 {shape = [2], value = [1.5, -2.0]}
  // CHECK-NEXT:    %13 = corert_sync.create_dense_tensor.complex64 {shape = [1], value = [1.000000e+00 : f32, 2.000000e+00 : f32]}{{$}}
  %13 = corert_sync.create_dense_tensor.complex64 {shape = [1], value = [1.0 : f32, 2.0 : f32]}
  // CHECK-NEXT:    %14 = corert_sync.create_dense_tensor.complex128 {shape = [1], value = [1.000000e+00, 2.000000e+00]}{{$}}
  %14 = corert_sync.create_dense_tensor.complex128 {shape = [1], value = [1.0, 2.0]}
  tfrt.return
}

// CHECK-LABEL:func.func @other_ops(
func.func @other_ops(%arg0: !corert_sync.any) attributes {tfrt.sync} {
  // CHECK-NEXT:    %0 = corert_sync.const_dense_tensor dense<7> : tensor<1xi32>{{$}}
  %0 = corert_sync.const_dense_tensor dense<7> : tensor<1xi32>
  // CHECK-NEXT:    %1 = corert_sync.get_op_handler "cpu"{{$}}
  %1 = corert_sync.get_op_handler "cpu"
  // CHECK-NEXT:    "corert_sync.print_tensorhandle"(%0) : (!corert.tensorhandle) -> (){{$}}
  "corert_sync.print_tensorhandle"(%0) : (!corert.tensorhandle) -> ()
  tfrt.return
}

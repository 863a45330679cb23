// Every constant op prints its literal without a type, and reads back what it printed.
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK-NEXT: tfrt.constant.i1 true
  %0 = tfrt.constant.i1 true
  // CHECK-NEXT: tfrt.constant.i1 false
  %1 = tfrt.constant.i1 0
  // CHECK-NEXT: tfrt.constant.i1 true
  %2 = tfrt.constant.i1 -1
  // CHECK-NEXT: tfrt.constant.i32 -7
  %3 = tfrt.constant.i32 -7
  // CHECK-NEXT: tfrt.constant.i64 255
  %4 = tfrt.constant.i64 0xFF
  // CHECK-NEXT: tfrt.constant.ui32 4000000000
  %5 = tfrt.constant.ui32 4000000000
  // CHECK-NEXT: tfrt.constant.ui64 5
  %6 = tfrt.constant.ui64 5
  // CHECK-NEXT: tfrt.constant.bf16 2.000000e+00
  %7 = tfrt.constant.bf16 2.0
  // CHECK-NEXT: tfrt.constant.f16 5.000000e-01
  %8 = tfrt.constant.f16 0.5
  // CHECK-NEXT: tfrt.constant.f32 1.000000e+00
  %9 = tfrt.constant.f32 0x3F800000
  // CHECK-NEXT: tfrt.constant.f32 0x7F800000
  %10 = tfrt.constant.f32 0x7F800000
  // CHECK-NEXT: tfrt.constant.f64 1.000000e+300
  %11 = tfrt.constant.f64 1.0e300
  // CHECK-NEXT: tfrt.constant.complex64 1.500000e+00, -2.500000e+00
  %12 = tfrt.constant.complex64 1.5, -2.5
  // CHECK-NEXT: tfrt.constant.complex128 0.000000e+00, 1.000000e+00
  %13 = tfrt.constant.complex128 0.0, 1.0
  // CHECK-NEXT: tfrt.constant_s.i64 3
  %14 = tfrt.constant_s.i64 3
  // CHECK-NEXT: tfrt.constant_s.f16 1.000000e+00
  %15 = tfrt.constant_s.f16 1.0
  // CHECK-NEXT: tfrt.constant_s.f32 1.000000e+00 {note = "kept"}
  %16 = tfrt.constant_s.f32 1.0 {note = "kept"}
  // CHECK-NEXT: tfrt.constant_s.f64 1.000000e+00
  %17 = tfrt.constant_s.f64 1.0
  // CHECK-NEXT: tfrt.constant.i32 9
  %18 = "tfrt.constant.i32"() {value = 9 : i32} : () -> i32
  tfrt.return
}

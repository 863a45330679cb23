// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'scalars':
func.func @scalars() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %i1 = tfrt.constant.i1 true
  %i32 = tfrt.constant.i32 -12
  %i64 = tfrt.constant.i64 9223372036854775807
  %f16 = tfrt.constant.f16 1.5
  %f32 = tfrt.constant.f32 1.5
  %f64 = tfrt.constant.f64 -0.0
  // CHECK-NEXT: int1 = 1
  %c1 = tfrt.print.i1 %i1, %c0
  // CHECK-NEXT: int32 = -12
  %c2 = tfrt.print.i32 %i32, %c1
  // CHECK-NEXT: int64 = 9223372036854775807
  %c3 = tfrt.print.i64 %i64, %c2
  // CHECK-NEXT: f16 = 15872
  %c4 = "tfrt.print.f16"(%f16, %c3) : (f16, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: f32 = 1.500000
  %c5 = tfrt.print.f32 %f32, %c4
  // CHECK-NEXT: f64 = -0.000000
  %c6 = tfrt.print.f64 %f64, %c5
  // CHECK-NEXT: 'scalars' returned !tfrt.chain value
  tfrt.return %c6 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'special_values':
func.func @special_values() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %inf = tfrt.constant.f32 0x7F800000
  %minus_inf = tfrt.constant.f32 0xFF800000
  %nan = tfrt.constant.f32 0x7FC00000
  %minus_nan = tfrt.constant.f32 0xFFC00000
  // CHECK-NEXT: f32 = inf
  %c1 = tfrt.print.f32 %inf, %c0
  // CHECK-NEXT: f32 = -inf
  %c2 = tfrt.print.f32 %minus_inf, %c1
  // CHECK-NEXT: f32 = nan
  %c3 = tfrt.print.f32 %nan, %c2
  // CHECK-NEXT: f32 = -nan
  %c4 = tfrt.print.f32 %minus_nan, %c3
  tfrt.return %c4 : !tfrt.chain
}

// The plus sign stands there even before a negative part.
// CHECK-LABEL: --- Running 'complex':
func.func @complex() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %a = "tfrt.constant.complex64"() {imaginary = -2.5 : f32, real = 1.5 : f32} : () -> complex<f32>
  %b = "tfrt.constant.complex128"() {imaginary = 2.0 : f64, real = 1.0 : f64} : () -> complex<f64>
  // CHECK-NEXT: complex64 = 1.500000+-2.500000i
  %c1 = "tfrt.print.complex64"(%a, %c0) : (complex<f32>, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: complex128 = 1.000000+2.000000i
  %c2 = "tfrt.print.complex128"(%b, %c1) : (complex<f64>, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'other_constants':
// CHECK-NEXT: 'other_constants' returned f16 value,bf16 value
func.func @other_constants() -> (f16, bf16) {
  %a = tfrt.constant.f16 1.0
  %b = tfrt.constant.bf16 1.0
  tfrt.return %a, %b : f16, bf16
}

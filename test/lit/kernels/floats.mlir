// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'f32':
// CHECK-NEXT: 'f32' returned 2.000000e+00,7.500000e-01,3.000000e+00,5.000000e-01
func.func @f32() -> (f32, f32, f32, f32) {
  %a = tfrt.constant.f32 1.5
  %b = tfrt.constant.f32 0.5
  %sum = "tfrt.add.f32"(%a, %b) : (f32, f32) -> f32
  %product = "tfrt.multiply.f32"(%a, %b) : (f32, f32) -> f32
  %quotient = "tfrt.div.f32"(%a, %b) : (f32, f32) -> f32
  %least = "tfrt.minimum.f32"(%a, %b) : (f32, f32) -> f32
  tfrt.return %sum, %product, %quotient, %least : f32, f32, f32, f32
}

// CHECK-LABEL: --- Running 'f64':
// CHECK-NEXT: 'f64' returned -7.500000e-01,-5.000000e-01,-2.000000e+00,-1.000000e+00
func.func @f64() -> (f64, f64, f64, f64) {
  %a = tfrt.constant.f64 -1.0
  %b = tfrt.constant.f64 0.5
  %c = tfrt.constant.f64 0.25
  %sum = "tfrt.add.f64"(%a, %c) : (f64, f64) -> f64
  %product = "tfrt.multiply.f64"(%a, %b) : (f64, f64) -> f64
  %quotient = "tfrt.div.f64"(%a, %b) : (f64, f64) -> f64
  %least = "tfrt.minimum.f64"(%a, %b) : (f64, f64) -> f64
  tfrt.return %sum, %product, %quotient, %least : f64, f64, f64, f64
}

// CHECK-LABEL: --- Running 'casts':
// CHECK-NEXT: 'casts' returned 3.000000e+00,3.000000e+00,-2,-2,-9223372036854775808
func.func @casts() -> (f32, f64, i64, i64, i64) {
  %n = tfrt.constant.i64 3
  %x = tfrt.constant.f32 -2.5
  %y = tfrt.constant.f64 -2.5
  %huge = tfrt.constant.f32 1.0e30
  %0 = "tfrt.cast.i64_to_f32"(%n) : (i64) -> f32
  %1 = "tfrt.cast.i64_to_f64"(%n) : (i64) -> f64
  %2 = "tfrt.cast.f32_to_i64"(%x) : (f32) -> i64
  %3 = "tfrt.cast.f64_to_i64"(%y) : (f64) -> i64
  %4 = "tfrt.cast.f32_to_i64"(%huge) : (f32) -> i64
  tfrt.return %0, %1, %2, %3, %4 : f32, f64, i64, i64, i64
}

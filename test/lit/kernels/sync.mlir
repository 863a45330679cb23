// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'arithmetic':
// CHECK-NEXT: 'arithmetic' returned 5,6,3000000000,2000000000000,6
func.func @arithmetic() -> (i32, i32, i64, i64, i32) attributes {tfrt.sync} {
  %a = "tfrt.constant_s.i32"() {value = 2 : i32} : () -> i32
  %b = "tfrt.constant_s.i32"() {value = 3 : i32} : () -> i32
  %c = "tfrt.constant_s.i64"() {value = 1000000000 : i64} : () -> i64
  %d = "tfrt.constant_s.i64"() {value = 2000000000 : i64} : () -> i64
  %k = "tfrt.constant_s.i64"() {value = 1000 : i64} : () -> i64
  %sum = "tfrt.add_s.i32"(%a, %b) : (i32, i32) -> i32
  %product = "tfrt.mul_s.i32"(%a, %b) : (i32, i32) -> i32
  %sum64 = "tfrt.add_s.i64"(%c, %d) : (i64, i64) -> i64
  %product64 = "tfrt.mul_s.i64"(%d, %k) : (i64, i64) -> i64
  %attributes = "tfrt_test.sync_sum_attributes"() {a = 1 : i32, b = 2 : i32, c = 3 : i32} : () -> i32
  tfrt.return %sum, %product, %sum64, %product64, %attributes : i32, i32, i64, i64, i32
}

// CHECK-LABEL: --- Running 'floats':
// CHECK-NEXT: 'floats' returned 1.500000e+00,2.500000e+00,f16 value,bf16 value
func.func @floats() -> (f32, f64, f16, bf16) attributes {tfrt.sync} {
  %a = "tfrt.constant_s.f32"() {value = 1.5 : f32} : () -> f32
  %b = "tfrt.constant_s.f64"() {value = 2.5 : f64} : () -> f64
  %c = "tfrt.constant_s.f16"() {value = 1.0 : f16} : () -> f16
  %d = "tfrt.constant_s.bf16"() {value = 1.0 : bf16} : () -> bf16
  tfrt.return %a, %b, %c, %d : f32, f64, f16, bf16
}

func.func @sum(%a: i32, %b: i32) -> i32 attributes {tfrt.sync} {
  %c = "tfrt_test.sync_sum"(%a, %b, %b) : (i32, i32, i32) -> i32
  tfrt.return %c : i32
}
func.func @sum_and_product(%a: i32, %b: i32) -> (i32, i32) attributes {tfrt.sync} {
  %c = "tfrt_test.sync_sum2"(%a, %b) : (i32, i32) -> i32
  %d = "tfrt.mul_s.i32"(%a, %b) : (i32, i32) -> i32
  tfrt.return %c, %d : i32, i32
}
// CHECK-LABEL: --- Running 'invoke':
// CHECK-NEXT: 'invoke' returned 8,8,5,6,5,6
func.func @invoke() -> (i32, i32, i32, i32, i32, i32) {
  %a = tfrt.constant.i32 2
  %b = tfrt.constant.i32 3
  %0 = "tfrt_test.invoke_sync_function.i32_i32.i32"(%a, %b) {fn = @sum} : (i32, i32) -> i32
  %1 = "tfrt_test.sync_function_runner.i32_i32.i32"(%a, %b) {fn = @sum} : (i32, i32) -> i32
  %2, %3 = "tfrt_test.invoke_sync_function.i32_i32.i32_i32"(%a, %b) {fn = @sum_and_product}
      : (i32, i32) -> (i32, i32)
  %4, %5 = "tfrt_test.sync_function_runner.i32_i32.i32_i32"(%a, %b) {fn = @sum_and_product}
      : (i32, i32) -> (i32, i32)
  tfrt.return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}

// CHECK-LABEL: --- Running 'fail':
// CHECK-NEXT: 'fail' returned <<error: something bad happened>>
func.func @fail() -> i32 attributes {tfrt.sync} {
  // expected-error@+1 {{something bad happened}}
  %a = "tfrt_test.fail_s"() : () -> i32
  tfrt.return %a : i32
}

// CHECK-LABEL: --- Running 'error':
// CHECK-NEXT: 'error' returned <<error: something bad happened>>
func.func @error() attributes {tfrt.sync} {
  // expected-error@+1 {{something bad happened}}
  "tfrt_test.error_s"() : () -> ()
  tfrt.return
}

// Its results, if there are any, are the error.
// CHECK-LABEL: --- Running 'error_result':
// CHECK-NEXT: 'error_result' returned <<error: something bad happened>>
func.func @error_result() -> i32 attributes {tfrt.sync} {
  // expected-error@+1 {{something bad happened}}
  %a = "tfrt_test.error_s"() : () -> i32
  tfrt.return %a : i32
}

// CHECK-LABEL: --- Running 'error_results':
// CHECK-NEXT: 'error_results' returned <<error: something bad happened>>{{$}}
func.func @error_results() -> (f32, i32) attributes {tfrt.sync} {
  // expected-error@+1 {{something bad happened}}
  %a, %b = "tfrt_test.error_s"() : () -> (i32, f32)
  // Nothing runs after the error.
  %c = "tfrt_test.sync_sum"(%a, %a) : (i32, i32) -> i32
  tfrt.return %b, %c : f32, i32
}

// CHECK-LABEL: --- Running 'debug_info':
// CHECK-NEXT: Kernel has no debug info
func.func @debug_info() attributes {tfrt.sync} {
  %s = tfrt_test.get_string_sync {value = "abc"}
  "tfrt_test.sync_print_debug_info"() : () -> ()
  tfrt.return
}

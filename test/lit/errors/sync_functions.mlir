// Errors of sync functions: each is diagnosed once, where it happened.
// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --max_call_depth=20 | FileCheck %s --check-prefix=DEPTH

func.func @float(%a: i32, %b: i32) -> f32 attributes {tfrt.sync} {
  %0 = "tfrt.constant_s.f32"() {value = 1.0 : f32} : () -> f32
  tfrt.return %0 : f32
}

// CHECK-LABEL: --- Running 'wrong_type':
// CHECK-NEXT: 'wrong_type' returned <<error: result 0 of sync function 'float' has type 'float', not 'int'>>
func.func @wrong_type() -> i32 {
  %a = tfrt.constant.i32 1
  // expected-error@+1 {{result 0 of sync function 'float' has type 'float', not 'int'}}
  %0 = "tfrt_test.invoke_sync_function.i32_i32.i32"(%a, %a) {fn = @float} : (i32, i32) -> i32
  tfrt.return %0 : i32
}

func.func @one(%a: i32) -> i32 attributes {tfrt.sync} {
  %0 = "tfrt.add_s.i32"(%a, %a) : (i32, i32) -> i32
  tfrt.return %0 : i32
}

// CHECK-LABEL: --- Running 'wrong_arity':
// CHECK-NEXT: 'wrong_arity' returned <<error: sync function 'one' takes 1 arguments and has 1 results, but got 2 and 1>>
func.func @wrong_arity() -> i32 {
  %a = tfrt.constant.i32 1
  // expected-error@+1 {{sync function 'one' takes 1 arguments and has 1 results, but got 2 and 1}}
  %0 = "tfrt_test.invoke_sync_function.i32_i32.i32"(%a, %a) {fn = @one} : (i32, i32) -> i32
  tfrt.return %0 : i32
}

// CHECK-LABEL: --- Running 'without_end':
// CHECK-NEXT: 'without_end' returned <<error: no stack left to call sync function 'without_end'>>
// DEPTH: 'without_end' returned <<error: call depth limit of 20 exceeded in 'without_end'>>
func.func @without_end() attributes {tfrt.sync} {
  // expected-error@+1 {{'without_end'}}
  tfrt_test.sync_benchmark @without_end() duration_secs = 1, max_count = 1, num_warmup_runs = 1
  tfrt.return
}

// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'select':
// CHECK-NEXT: 'select' returned 1,2
func.func @select() -> (i32, i32) {
  %true = tfrt.constant.i1 true
  %false = "tfrt_test.async_constant.i1"() {value = false} : () -> i1
  %a = tfrt.constant.i32 1
  %b = "tfrt_test.async_constant.i32"() {value = 2 : i32} : () -> i32
  %r = "tfrt_test.nonstrict_select"(%true, %a, %b) : (i1, i32, i32) -> i32
  %s = "tfrt_test.nonstrict_select"(%false, %a, %b) : (i1, i32, i32) -> i32
  tfrt.return %r, %s : i32, i32
}

// The error in the operand that is not selected does not matter.
// CHECK-LABEL: --- Running 'ignores_an_error':
// CHECK-NEXT: 'ignores_an_error' returned 1
func.func @ignores_an_error() -> i32 {
  %true = tfrt.constant.i1 true
  %a = tfrt.constant.i32 1
  // expected-error@+1 {{something bad happened}}
  %b = "tfrt_test.fail"() : () -> i32
  %r = "tfrt_test.nonstrict_select"(%true, %a, %b) : (i1, i32, i32) -> i32
  tfrt.return %r : i32
}

// Strict execution would wait for ever: %late is there only after %r.
// CHECK-LABEL: --- Running 'feedback':
// CHECK-NEXT: 'feedback' returned 7,7
func.func @feedback() -> (i32, i32) {
  %first = tfrt.constant.i1 true
  %seven = tfrt.constant.i32 7
  %promise, %late = "tfrt_test.promise.i32"() : () -> (!tfrt_test.promise, i32)
  %r = "tfrt_test.nonstrict_select"(%first, %seven, %late) : (i1, i32, i32) -> i32
  %set = "tfrt_test.promise.set.i32"(%promise, %r) : (!tfrt_test.promise, i32) -> !tfrt.chain
  tfrt.return %r, %late : i32, i32
}

// CHECK-LABEL: --- Running 'promise_errors':
// CHECK-NEXT: 'promise_errors' returned 1,<<error: promise dropped without a value>>,{{.*}}the promise has a value already
func.func @promise_errors() -> (i32, i32, !tfrt.chain) {
  %one = tfrt.constant.i32 1
  %promise, %kept = "tfrt_test.promise.i32"() : () -> (!tfrt_test.promise, i32)
  %dropped_promise, %dropped = "tfrt_test.promise.i32"() : () -> (!tfrt_test.promise, i32)
  %c1 = "tfrt_test.promise.set.i32"(%promise, %one) : (!tfrt_test.promise, i32) -> !tfrt.chain
  // expected-error@+1 {{the promise has a value already}}
  %c2 = "tfrt_test.promise.set.i32"(%promise, %one, %c1) : (!tfrt_test.promise, i32, !tfrt.chain) -> !tfrt.chain
  tfrt.return %kept, %dropped, %c2 : i32, i32, !tfrt.chain
}

// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --print_error_code | FileCheck %s --check-prefix=CODE

func.func private @native_error() -> i32 attributes {tfrt.native}

// What does not depend on the error is not affected.
// CHECK-LABEL: --- Running 'partial':
// CHECK-NEXT: 'partial' returned <<error: something bad happened>>,7
// CODE: 'partial' returned <<error: something bad happened, code: INTERNAL>>,7
func.func @partial() -> (i32, i32) {
  %a = tfrt.constant.i32 7
  // expected-error@+1 {{something bad happened}}
  %b = "tfrt_test.fail"() : () -> i32
  %c = tfrt.add.i32 %a, %b
  tfrt.return %c, %a : i32, i32
}

// Of several erroneous operands the last one decides.
// CHECK-LABEL: --- Running 'last_error':
// CHECK-NEXT: 'last_error' returned <<error: Divide by zero>>,<<error: something bad happened>>
func.func @last_error() -> (i32, i32) {
  %zero = tfrt.constant.i32 0
  // expected-error@+1 {{something bad happened}}
  %a = "tfrt_test.fail"() : () -> i32
  // expected-error@+1 {{Divide by zero}}
  %b, %rest = "tfrt.div.i32"(%zero, %zero) : (i32, i32) -> (i32, i32)
  %c = tfrt.add.i32 %a, %b
  %d = tfrt.add.i32 %b, %a
  tfrt.return %c, %d : i32, i32
}

// A native function's errors are not diagnosed.
// CHECK-LABEL: --- Running 'native':
// CHECK-NEXT: 'native' returned <<error: something bad happened>>
func.func @native() -> i32 {
  %r = tfrt.call @native_error() : () -> i32
  tfrt.return %r : i32
}

func.func @print(%x: i32) -> i32 {
  %c = tfrt.new.chain
  %c1 = tfrt.print.i32 %x, %c
  tfrt.return %x : i32
}
// A body does not run when an operand of its op is an error.
// CHECK-LABEL: --- Running 'not_called':
// CHECK-NOT: int32
// CHECK: 'not_called' returned <<error: something bad happened>>
func.func @not_called() -> i32 {
  // expected-error@+1 {{something bad happened}}
  %x = "tfrt_test.fail"() : () -> i32
  %r = tfrt.call @print(%x) : (i32) -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'cancel':
// CHECK-NEXT: 'cancel' returned 0,<<error: Cancelled>>
// CODE: 'cancel' returned 0,<<error: Cancelled, code: CANCELLED>>
func.func @cancel() -> (i32, i32) {
  %c0 = tfrt.new.chain
  %r, %c1 = "tfrt_test.cancel"(%c0) : (!tfrt.chain) -> (i32, !tfrt.chain)
  %s = tfrt.add.i32 %r, %r
  tfrt.return %r, %s : i32, i32
}

// CHECK-LABEL: --- Running 'cancel_in_a_loop':
// CHECK-NEXT: int32 = 1
// CHECK-NOT: int32
// CHECK: 'cancel_in_a_loop' returned <<error: Cancelled>>
func.func @cancel_in_a_loop() -> i32 {
  %n = tfrt.constant.i32 10
  %x = tfrt.constant.i32 1
  %r = tfrt.repeat.i32 %n, %x : i32 {
    %c0 = tfrt.new.chain
    %c1 = tfrt.print.i32 %x, %c0
    %y, %c2 = "tfrt_test.cancel"(%c1) : (!tfrt.chain) -> (i32, !tfrt.chain)
    tfrt.return %y : i32
  }
  tfrt.return %r : i32
}

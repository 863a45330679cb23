// All forms of the comment that expects an error.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor %t.bef
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef

func.func @same_line() {
  %x = "tfrt_test.fail"() : () -> i32 // expected-error {{something bad happened}}
  tfrt.return
}
func.func @relative() {
  // expected-error@+1 {{runtime error: something bad}}
  %x = "tfrt_test.fail"() : () -> i32
  %y = "tfrt_test.fail"() : () -> i32

  // expected-error @-2 {{happened}}
  tfrt.return
}
func.func @above_and_below() {
  // expected-error@below {{bad}}
  %x = "tfrt_test.fail"() : () -> i32
  %y = "tfrt_test.fail"() : () -> i32
  // expected-error@above {{happened}}
  tfrt.return
}
func.func @regular_expression() {
  // expected-error-re@+1 {{some{{(thing|one)}} bad {{[a-z]+}}}}
  %x = "tfrt_test.fail"() : () -> i32
  tfrt.return
}
func.func @many_times() {
  %count = tfrt.constant.i32 3
  %c0 = tfrt.new.chain
  %r = tfrt.repeat.i32 %count, %c0 : !tfrt.chain {
    // expected-error@+1 {{something bad happened}}
    %x = "tfrt_test.fail"() : () -> i32
    tfrt.return %c0 : !tfrt.chain
  }
  tfrt.return
}

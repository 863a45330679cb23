// What the verifiers and parsers of the tfrt ops say.
// RUN: tfrt_opt %s -split-input-file -verify-diagnostics

func.func @f() -> i32 {
  // expected-error@+1 {{'tfrt.return' op has 0 operands, but enclosing function returns 1}}
  tfrt.return
}

// -----
func.func @f(%x: i64) -> i32 {
  // expected-error@+1 {{type of return operand 0 ('i64') doesn't match function result type ('i32')}}
  tfrt.return %x : i64
}

// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{'tfrt.call' op 'nobody' does not reference a valid function}}
  tfrt.call @nobody(%x) : (i32) -> ()
  tfrt.return
}

// -----
func.func @g(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @f(%x: i32, %y: i64) {
  // expected-error@+1 {{incorrect number of operands for callee}}
  %0 = tfrt.call @g() : () -> i32
  tfrt.return
}

// -----
func.func @g(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @f(%y: i64) {
  // expected-error@+1 {{operand type mismatch}}
  %0 = tfrt.call @g(%y) : (i64) -> i32
  tfrt.return
}

// -----
func.func @g(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @f(%x: i32) {
  // expected-error@+1 {{incorrect number of results for callee}}
  tfrt.call @g(%x) : (i32) -> ()
  tfrt.return
}

// -----
func.func @g(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @f(%x: i32) {
  // expected-error@+1 {{result type mismatch}}
  %0 = tfrt.call @g(%x) : (i32) -> i64
  tfrt.return
}

// -----
func.func @t(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @f(%c: i1, %x: i32) {
  // expected-error@+1 {{'nobody' does not reference a valid function}}
  %0 = tfrt.cond %c @t @nobody (%x) : (i32) -> (i32)
  tfrt.return
}

// -----
func.func @t(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @u(%x: i32, %y: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @f(%c: i1, %x: i32) {
  // expected-error@+1 {{incorrect number of operands for false function}}
  %0 = tfrt.cond %c @t @u (%x) : (i32) -> (i32)
  tfrt.return
}

// -----
func.func @t(%x: i64) -> i32 {
  %0 = tfrt.constant.i32 1
  tfrt.return %0 : i32
}
func.func @f(%c: i1, %x: i32) {
  // expected-error@+1 {{operand type mismatch for true function}}
  %0 = tfrt.cond %c @t @t (%x) : (i32) -> (i32)
  tfrt.return
}

// -----
func.func @t(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @f(%c: i1, %x: i32) {
  // expected-error@+1 {{incorrect number of results for true function}}
  %0, %1 = tfrt.cond %c @t @t (%x) : (i32) -> (i32, i32)
  tfrt.return
}

// -----
func.func @t(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @f(%c: i1, %x: i32) {
  // expected-error@+1 {{result type mismatch for true function}}
  %0 = tfrt.cond %c @t @t (%x) : (i32) -> (i64)
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{custom op 'tfrt.if' expected condition}}
  tfrt.if : () -> () {
    tfrt.return
  }
  tfrt.return
}

// -----
func.func @f(%c: i1, %x: i32) {
  // expected-error@+1 {{custom op 'tfrt.if' expected 'else' in 'tfrt.if' with result values}}
  %0 = tfrt.if %c, %x : (i32) -> i32 {
    tfrt.return %x : i32
  }
  tfrt.return
}

// -----
func.func @f(%c: i1, %x: i32) {
  %0 = tfrt.if %c, %x : (i32) -> i32 {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.if' result}}
    tfrt.return
  } else {
    tfrt.return %x : i32
  }
  tfrt.return
}

// -----
func.func @f(%c: i1, %x: i32) {
  // expected-error@+1 {{incorrect number of arguments to 'then' block}}
  "tfrt.if"(%c, %x) ({
    tfrt.return
  }, {
    tfrt.return
  }) : (i1, i32) -> ()
  tfrt.return
}

// -----
func.func @f(%c: i1) {
  // expected-error@+1 {{expected tfrt.return in body}}
  "tfrt.if"(%c) ({
    "tfrt.other"() : () -> ()
  }, {
    tfrt.return
  }) : (i1) -> ()
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{custom op 'tfrt.repeat.i32' expected trip count}}
  tfrt.repeat.i32 {
    tfrt.return
  }
  tfrt.return
}

// -----
func.func @f(%n: i32, %x: i32) {
  %0 = tfrt.repeat.i32 %n, %x : i32 {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.repeat.i32' result}}
    tfrt.return
  }
  tfrt.return
}

// -----
func.func @f(%n: i32) {
  // expected-error@+1 {{expected 'to'}}
  tfrt.parallel_for.i32 %n, %n {
    tfrt.return
  }
  tfrt.return
}

// -----
func.func @f(%n: i32, %m: i32) {
  // expected-error@+1 {{expected 'fixed'}}
  tfrt.parallel_for.i32 %n to %m {
    tfrt.return
  }
  tfrt.return
}

// -----
func.func @g(%x: i32) {
  tfrt.return
}
func.func @f(%n: i32) {
  // expected-error@+1 {{incorrect number of callee operands}}
  %0 = tfrt.parallel_call.i32 %n to %n fixed %n @g()
  tfrt.return
}

// -----
func.func @g(%x: i64, %y: i32) {
  tfrt.return
}
func.func @f(%n: i32) {
  // expected-error@+1 {{callee must take stard and end indices first}}
  %0 = tfrt.parallel_call.i32 %n to %n fixed %n @g()
  tfrt.return
}

// -----
func.func @g(%x: i32, %y: i32) -> (i32, i32) {
  tfrt.return %x, %y : i32, i32
}
func.func @f(%n: i32) {
  // expected-error@+1 {{invalid callee result type}}
  %0 = tfrt.parallel_call.i32 %n to %n fixed %n @g()
  tfrt.return
}

// -----
func.func @g(%x: i32, %y: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @f(%n: i32) {
  // expected-error@+1 {{async callee must return a chain}}
  %0 = tfrt.parallel_call.i32 %n to %n fixed %n @g()
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{integer constant out of range for attribute}}
  %0 = tfrt.constant.i1 2
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{custom op 'tfrt.zip' is unknown}}
  tfrt.zip
  tfrt.return
}

// -----
// expected-error@+1 {{unknown tensor type: foo}}
func.func @f(%x: !tfrt_tensor.foo) {
  tfrt.return
}

// -----
func.func @f(%c: i1, %x: i32) -> i32 {
  // expected-error@+1 {{operand/argument type mismatch}}
  %0 = "tfrt.if"(%c, %x) ({
  ^bb0(%y: i64):
    %1 = tfrt.constant.i32 1
    "tfrt.return"(%1) : (i32) -> ()
  }, {
  ^bb0(%y: i64):
    %1 = tfrt.constant.i32 1
    "tfrt.return"(%1) : (i32) -> ()
  }) : (i1, i32) -> i32
  tfrt.return %0 : i32
}

// -----
func.func @f(%c: i32, %x: i32) -> i64 {
  // expected-error@+1 {{operand/result type mismatch}}
  %0 = "tfrt.repeat.i32"(%c, %x) ({
  ^bb0(%y: i32):
    "tfrt.return"(%y) : (i32) -> ()
  }) : (i32, i32) -> i64
  tfrt.return %0 : i64
}

// -----
func.func @g(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @f(%c: i1, %x: i32) {
  // expected-error@+1 {{requires attribute 'b_false_fn'}}
  %0 = "tfrt.cond"(%c, %x) {a_true_fn = @g} : (i1, i32) -> i32
  tfrt.return
}

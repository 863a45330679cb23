// Where a region's return is reported that does not give what its op does: at the return, whatever else
// the framework would find. A missing return is reported at the op.
// RUN: tfrt_opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect
// RUN: tfrt_translate -mlir-to-bef %s -split-input-file -verify-diagnostics

// Too few, in the second region; the first one is right.
func.func @f(%c: i1, %x: i32) {
  %0 = tfrt.if %c, %x : (i32) -> i32 {
    tfrt.return %x : i32
  } else {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.if' result}}
    tfrt.return
  }
  tfrt.return
}

// -----
// Too many, where there should be none.
func.func @f(%c: i1, %x: i32) {
  tfrt.if %c, %x : (i32) -> () {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.if' result}}
    tfrt.return %x : i32
  }
  tfrt.return
}

// -----
// Of another type. Both returns are wrong; the first is reported.
func.func @f(%c: i1, %x: i64) {
  %0 = tfrt.if %c, %x : (i64) -> i32 {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.if' result}}
    tfrt.return %x : i64
  } else {
    tfrt.return %x : i64
  }
  tfrt.return
}

// -----
// Of another order.
func.func @f(%c: i1, %x: i32, %y: i64) {
  %0, %1 = tfrt.if %c, %x, %y : (i32, i64) -> (i32, i64) {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.if' result}}
    tfrt.return %y, %x : i64, i32
  } else {
    tfrt.return %x, %y : i32, i64
  }
  tfrt.return
}

// -----
// In generic form.
func.func @f(%c: i1, %x: i32) {
  %0 = "tfrt.if"(%c, %x) ({
  ^bb0(%y: i32):
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.if' result}}
    "tfrt.return"() : () -> ()
  }, {
  ^bb0(%y: i32):
    "tfrt.return"(%y) : (i32) -> ()
  }) : (i1, i32) -> i32
  tfrt.return
}

// -----
// An op within an op: the inner one decides.
func.func @f(%c: i1, %n: i32, %x: i32) {
  %0, %1 = tfrt.repeat.i32 %n, %c, %x : i1, i32 {
    %2 = tfrt.if %c, %x : (i32) -> i32 {
      // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.if' result}}
      tfrt.return
    } else {
      tfrt.return %x : i32
    }
    tfrt.return %c, %2 : i1, i32
  }
  tfrt.return
}

// -----
func.func @f(%n: i32, %x: i32) {
  %0 = tfrt.repeat.i32 %n, %x : i32 {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.repeat.i32' result}}
    tfrt.return %x, %x : i32, i32
  }
  tfrt.return
}

// -----
// Nothing or one chain.
func.func @f(%a: i32, %b: i32) {
  %0 = tfrt.parallel_for.i32 %a to %b fixed %a {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.parallel_for.i32' result}}
    tfrt.return %a : i32
  }
  tfrt.return
}

// -----
func.func @f(%a: i32, %b: i32, %c: !tfrt.chain) {
  %0 = tfrt.parallel_for.i32 %a to %b fixed %a, %c : !tfrt.chain {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt.parallel_for.i32' result}}
    tfrt.return %c, %c : !tfrt.chain, !tfrt.chain
  }
  tfrt.return
}

// -----
func.func @f(%x: i32) {
  %0 = tfrt_test.do.async %x : (i32) -> (i64) {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt_test.do.async' result}}
    tfrt.return %x : i32
  }
  tfrt.return
}

// -----
func.func @f(%n: i32) {
  // expected-error@+1 {{'tfrt.repeat.i32' op expected tfrt.return in body}}
  "tfrt.repeat.i32"(%n) ({
    "my.return"() : () -> ()
  }) : (i32) -> ()
  tfrt.return
}

// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{'tfrt.parallel_for.i32' op expected tfrt.return in body}}
  %0 = "tfrt.parallel_for.i32"(%a, %a, %a) ({
  ^bb0(%b: i32, %c: i32):
    "my.return"() : () -> ()
  }) : (i32, i32, i32) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{'tfrt_test.do.async' op expected tfrt.return in body}}
  "tfrt_test.do.async"() ({
    "my.return"() : () -> ()
  }) : () -> ()
  tfrt.return
}

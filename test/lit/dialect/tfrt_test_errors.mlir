// What the verifiers and parsers of the tfrt_test ops say.
// RUN: tfrt_opt %s -split-input-file -verify-diagnostics

func.func @f(%x: i32) {
  %0 = tfrt_test.do.async %x : (i32) -> (i32) {
    // expected-error@+1 {{'tfrt.return' op operand types don't match 'tfrt_test.do.async' result}}
    tfrt.return
  }
  tfrt.return
}

// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{expected valid keyword}}
  %0 = tfrt_test.benchmark "b"(%x : i32) {
    tfrt.return %x : i32
  }
  tfrt.return
}

// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{requires attribute 'duration_secs'}}
  %0 = tfrt_test.benchmark "b"(%x : i32) max_count = 1 {
    tfrt.return %x : i32
  }
  tfrt.return
}

// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{incorrect number of return values. One return value is expected}}
  %0 = tfrt_test.benchmark "b"(%x : i32) max_count = 1, duration_secs = 1 {
    tfrt.return
  }
  tfrt.return
}

// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{missing return statement}}
  %0 = tfrt_test.benchmark "b"(%x : i32) max_count = 1, duration_secs = 1 {
    "tfrt.other"() : () -> ()
  }
  tfrt.return
}

// -----
func.func @g(%x: i32) -> i32 attributes {tfrt.sync} {
  %0 = tfrt.add.i32 %x, %x
  tfrt.return %0 : i32
}
func.func @f(%x: i32) {
  // expected-error@+1 {{Target benchmark function must return zero value.}}
  tfrt_test.sync_benchmark @g(%x : i32) duration_secs = 1, max_count = 1
  tfrt.return
}

// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{cost value must be larger than 0}}
  %0 = tfrt_test.test_cost %x {id = 1 : i64, _tfrt_cost = 0 : i64} : i32
  tfrt.return
}

// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{requires attribute '_tfrt_cost'}}
  %0 = tfrt_test.test_cost %x {id = 1 : i64} : i32
  tfrt.return
}

// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{expected integer}}
  %0 = tfrt_test.benchmark "b"(%x : i32) max_count = "many", duration_secs = 1 {
    tfrt.return %x : i32
  }
  tfrt.return
}

// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{integer value too large}}
  %0 = tfrt_test.benchmark "b"(%x : i32) max_count = 4294967296, duration_secs = 1 {
    tfrt.return %x : i32
  }
  tfrt.return
}

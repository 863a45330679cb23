// What version 0 of the format cannot keep gets a warning.
// RUN: tfrt_translate -mlir-to-bef -v0-exact -verify-diagnostics %s -o %t.bef
// RUN: mlir_to_bef %s -o %t.full.bef
// RUN: not cmp -s %t.bef %t.full.bef

// expected-warning@+1 {{BEF version 0 cannot keep the function attribute 'tfrt.cost_threshold'}}
func.func @costs(%v: i32) -> i32 attributes {tfrt.cost_threshold = 4 : i64} {
  // expected-warning@+1 {{BEF version 0 cannot keep the attribute '_tfrt_cost'}}
  %a = tfrt_test.test_cost %v {id = 1 : i64, _tfrt_cost = 9 : i64} : i32
  tfrt.return %a : i32
}

// expected-warning@+1 {{BEF version 0 cannot keep the visibility of 'hidden'}}
func.func private @hidden() {
  // expected-warning@+1 {{BEF version 0 cannot keep 'bef.nonstrict'}}
  "tfrt_test.op"() {bef.nonstrict} : () -> ()
  // expected-warning@+1 {{BEF version 0 cannot keep the names of function references}}
  "tfrt_test.op"() {f = @hidden} : () -> ()
  // expected-warning@+1 {{BEF version 0 cannot keep the type of the attribute 'v'}}
  "tfrt_test.op"() {v = 1 : si32} : () -> ()
  tfrt.return
}

// What the parsers and verifiers of corert and corert_sync say.
// RUN: tfrt_opt %s -split-input-file -verify-diagnostics

func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.executeop' expected 1 operands}}
  corert.executeop(%h, %h) "x"()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.executeop' expected 1 operands}}
  corert.executeop() "x"()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.executeop.seq' expected 2 operands}}
  corert.executeop.seq(%h) "x"()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert_sync.executeop' expected 1 operands}}
  corert_sync.executeop(%h, %h) "x"()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{expected attribute value}}
  corert.executeop(%h) x()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.executeop' invalid kind of attribute specified}}
  corert.executeop(%h) 1 : i32 ()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{duplicate key 'a' in dictionary attribute}}
  corert.executeop(%h) "x"() {a = 1 : i32, a = 2 : i32}
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{duplicate key 'a' in dictionary attribute}}
  corert.executeop(%h) "x"() {} {a = "f", a = "g"}
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.executeop' invalid kind of attribute specified}}
  corert.executeop(%h) "x"() : "one"
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.executeop' invalid kind of attribute specified}}
  corert.executeop(%h) "x"() : true
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.executeop.seq' invalid kind of attribute specified}}
  corert.executeop.seq(%h, %c) "x"() : i32
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert_sync.executeop' invalid kind of attribute specified}}
  corert_sync.executeop(%h) "x"() : i32
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.executeop' number of results is negative: -1}}
  corert.executeop(%h) "x"() : -1
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.executeop' number of results 65537 is above the limit of 65536}}
  corert.executeop(%h) "x"() : 65537
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{integer constant out of range for attribute}}
  corert.executeop(%h) "x"() : 4294967296
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler) { // expected-note {{prior use here}}
  // expected-error@+1 {{use of value '%h' expects different type than prior uses: '!corert.tensorhandle' vs '!corert.ophandler'}}
  corert.executeop(%h) "x"(%h)
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.executeop' op each op_attr should be a key-value pair, where the key is a string}}
  "corert.executeop"(%h) {op_attrs = [1 : i32], op_func_attrs = [], op_name = "x"} : (!corert.ophandler) -> ()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.executeop.seq' op each op_attr should be a key-value pair, where the key is a string}}
  %0 = "corert.executeop.seq"(%h, %c) {op_attrs = [["a", 1, 2]], op_func_attrs = [], op_name = "x"} : (!corert.ophandler, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert_sync.executeop' op each op_attr should be a key-value pair, where the key is a string}}
  "corert_sync.executeop"(%h) {op_attrs = [[1, "a"]], op_name = "x"} : (!corert.ophandler) -> ()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.executeop' op each op_func_attr should be a key-value pair, where the key is a string}}
  "corert.executeop"(%h) {op_attrs = [], op_func_attrs = [["a"]], op_name = "x"} : (!corert.ophandler) -> ()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.executeop.seq' op each op_func_attr should be a key-value pair, where the key is a string}}
  %0 = "corert.executeop.seq"(%h, %c) {op_attrs = [], op_func_attrs = ["f"], op_name = "x"} : (!corert.ophandler, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.executeop' op requires attribute 'op_func_attrs'}}
  "corert.executeop"(%h) {op_attrs = [], op_name = "x"} : (!corert.ophandler) -> ()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.executeop' op operand #1 must be variadic of !corert.tensorhandle type, but got '!tfrt.chain'}}
  "corert.executeop"(%h, %c) {op_attrs = [], op_func_attrs = [], op_name = "x"} : (!corert.ophandler, !tfrt.chain) -> ()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.executeop.seq' op result #0 must be !tfrt.chain type, but got '!corert.tensorhandle'}}
  %0 = "corert.executeop.seq"(%h, %c) {op_attrs = [], op_func_attrs = [], op_name = "x"} : (!corert.ophandler, !tfrt.chain) -> !corert.tensorhandle
  tfrt.return
}

// -----
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @drop(%c: !tfrt.chain, %x: !corert.tensorhandle) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @none(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.cond' op 'nobody' does not reference a valid function}}
  %0:2 = corert.cond %t @keep @nobody (%c, %t) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  tfrt.return
}

// -----
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @drop(%c: !tfrt.chain, %x: !corert.tensorhandle) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @none(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.cond' op 'none' has mismatching operand types}}
  %0:2 = corert.cond %t @none @keep (%c, %t) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  tfrt.return
}

// -----
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @drop(%c: !tfrt.chain, %x: !corert.tensorhandle) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @none(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.cond' op 'drop' has mismatching result types}}
  %0:2 = corert.cond %t @keep @drop (%c, %t) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  tfrt.return
}

// -----
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @drop(%c: !tfrt.chain, %x: !corert.tensorhandle) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @none(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.while' op 'nobody' does not reference a valid function}}
  %0:2 = corert.while @nobody @keep (%c, %t) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  tfrt.return
}

// -----
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @drop(%c: !tfrt.chain, %x: !corert.tensorhandle) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @none(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.while' op 'none' has mismatching operand types}}
  %0:2 = corert.while @keep @none (%c, %t) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  tfrt.return
}

// -----
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @drop(%c: !tfrt.chain, %x: !corert.tensorhandle) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @none(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.while' op 'drop' has mismatching result types}}
  %0:2 = corert.while @drop @keep (%c, %t) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  tfrt.return
}

// -----
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @drop(%c: !tfrt.chain, %x: !corert.tensorhandle) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @none(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.while' op requires attribute 'b_body_fn'}}
  %0 = "corert.while"(%c) {a_cond_fn = @none} : (!tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @drop(%c: !tfrt.chain, %x: !corert.tensorhandle) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @none(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.cond' op attribute 'a_true_fn' failed to satisfy constraint: flat symbol reference attribute}}
  %0 = "corert.cond"(%t, %c) {a_true_fn = 1 : i32, b_false_fn = @none} : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @drop(%c: !tfrt.chain, %x: !corert.tensorhandle) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @none(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{expected '->'}}
  %0 = corert.while @none @none (%c) : ()
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.create_dense_tensor.f32' op attribute 'shape' failed to satisfy constraint: 64-bit integer array attribute}}
  %0 = corert.create_dense_tensor.f32 {shape = [1 : i32], value = [1.0 : f32]}
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{requires attribute 'value'}}
  %0 = corert.create_dense_tensor.i32 {shape = [1]}
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{requires attribute 'value'}}
  %0 = corert_sync.create_dense_tensor.i32 {shape = [1]}
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.create_dense_tensor.string' is unknown}}
  %0 = corert.create_dense_tensor.string {shape = [1], value = ["a"]}
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.const_string_tensor' op attribute 'value' failed to satisfy constraint: string array attribute}}
  %0 = "corert.const_string_tensor"() {shape = [1], value = [1]} : () -> !corert.tensorhandle
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{invalid kind of attribute specified}}
  %0 = corert.const_dense_tensor "one"
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{invalid kind of attribute specified}}
  %0 = corert_sync.const_dense_tensor [1]
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.get_op_handler' invalid kind of attribute specified}}
  %0 = corert.get_op_handler %c @cpu
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.get_op_handler' op requires attribute 'op_handler_name'}}
  %0 = "corert.get_op_handler"(%c) : (!tfrt.chain) -> !corert.ophandler
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert_sync.get_op_handler' op requires zero operands}}
  %0 = "corert_sync.get_op_handler"(%c) {device_name = "cpu"} : (!tfrt.chain) -> !corert.ophandler
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.register_op_handler' op operand #0 must be !corert.ophandler type, but got '!tfrt.chain'}}
  %0 = "corert.register_op_handler"(%c) {op_handler_name = "cpu"} : (!tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{custom op 'corert.transfer' number of operands and types do not match: got 1 operands and 3 types}}
  %0 = corert.transfer %t
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.get_dst_tensor_type' op operand #1 must be !tfrt.device type, but got '!tfrt.chain'}}
  %0 = "corert.get_dst_tensor_type"(%t, %c) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.tensor_type
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.transfer_inferred_tensortype' op expected 2 operands, but found 1}}
  %0 = "corert.transfer_inferred_tensortype"(%t) : (!corert.tensorhandle) -> !corert.tensorhandle
  tfrt.return
}

// -----
func.func @f(%h: !corert.ophandler, %t: !corert.tensorhandle, %c: !tfrt.chain) {
  // expected-error@+1 {{'corert.tensorhandle_to_int32' op result #0 must be 32-bit signless integer, but got 'i64'}}
  %0 = "corert.tensorhandle_to_int32"(%t) : (!corert.tensorhandle) -> i64
  tfrt.return
}

// -----
// expected-error@+1 {{unknown corert shape attribute: shape<1 x 2>}}
module attributes {tfrt.a = #corert.shape<1 x 2>} {}

// -----
// expected-error@+1 {{unknown corert shape attribute: shape<x1>}}
module attributes {tfrt.a = #corert.shape<x1>} {}

// -----
// expected-error@+1 {{unknown corert shape attribute: shape<1xx2>}}
module attributes {tfrt.a = #corert.shape<1xx2>} {}

// -----
// expected-error@+1 {{unknown corert shape attribute: shape<-1>}}
module attributes {tfrt.a = #corert.shape<-1>} {}

// -----
// expected-error@+1 {{unknown corert shape attribute: shape<**>}}
module attributes {tfrt.a = #corert.shape<**>} {}

// -----
// expected-error@+1 {{unknown corert shape attribute: shape<99999999999999999999>}}
module attributes {tfrt.a = #corert.shape<99999999999999999999>} {}

// -----
// expected-error@+1 {{unknown corert shape attribute: shape}}
module attributes {tfrt.a = #corert.shape} {}

// -----
// expected-error@+1 {{unknown corert attribute: shapely<1>}}
module attributes {tfrt.a = #corert.shapely<1>} {}

// -----
// expected-error@+1 {{unknown corert attribute: foo}}
module attributes {tfrt.a = #corert.foo} {}

// -----
// expected-error@+1 {{dialect 'tfrt' provides no attribute parsing hook}}
module attributes {tfrt.a = #tfrt.shape<1>} {}

// -----
// expected-error@+1 {{dialect 'corert_sync' provides no attribute parsing hook}}
module attributes {tfrt.a = #corert_sync.shape<1>} {}

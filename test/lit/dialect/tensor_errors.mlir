// What the parsers and verifiers of the tensor dialects say.
// RUN: tfrt_opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{unknown shape type: foo}}
func.func private @f(!ts.foo)

// -----
// expected-error@+1 {{unknown shape type: fixed_rank_shape.2}}
func.func private @f(!ts.fixed_rank_shape.2)

// -----
// expected-error@+1 {{unknown type: foo}}
func.func private @f(!ht.foo)

// -----
// Other types are opaque where the dialect allows that.
func.func private @f(!tfrt_dht.foo, !tfrt_dht_sync.foo, !coo.foo)

// -----
func.func @f() {
  // expected-error@+1 {{unregistered operation 'ts.zip' found in dialect ('ts') that does not allow unknown operations}}
  "ts.zip"() : () -> ()
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{unregistered operation 'ht.zip' found in dialect ('ht') that does not allow unknown operations}}
  "ht.zip"() : () -> ()
  tfrt.return
}

// -----
func.func @f() {
  "tfrt_dht.zip"() : () -> ()
  "tfrt_dht_sync.zip"() : () -> ()
  "coo.zip"() : () -> ()
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{custom op 'tfrt_dht.zip' is unknown}}
  tfrt_dht.zip
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{custom op 'tfrt_dht.create_uninitialized_tensor.f64.1' is unknown}}
  %0 = tfrt_dht.create_uninitialized_tensor.f64.1 [2]
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{'tfrt_dht.create_uninitialized_tensor.f32.1' op attribute 'shape' failed to satisfy constraint: 64-bit integer array attribute}}
  %0 = tfrt_dht.create_uninitialized_tensor.f32.1 [2 : i32]
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{'tfrt_dht_sync.create_uninitialized_tensor.f32.1' op attribute 'shape' failed to satisfy constraint: 64-bit integer array attribute}}
  %0 = tfrt_dht_sync.create_uninitialized_tensor.f32.1 ["two"]
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{'ts.build_shape' op attribute 'value' failed to satisfy constraint: 64-bit integer array attribute}}
  %0 = ts.build_shape [1 : i32]
  tfrt.return
}

// -----
func.func @f() {
  // expected-error@+1 {{'ts.build_partial_shape' op requires attribute 'value'}}
  %0 = "ts.build_partial_shape"() : () -> !ts.partial_shape
  tfrt.return
}

// -----
func.func @f(%s: !ts.shape, %i: i64) {
  // expected-error@+1 {{'ts.get_dimension' op operand #1 must be 32-bit signless integer, but got 'i64'}}
  %0 = "ts.get_dimension"(%s, %i) : (!ts.shape, i64) -> i64
  tfrt.return
}

// -----
func.func @f(%s: !ts.shape, %c: !tfrt.chain) {
  // expected-error@+1 {{'ts.print_fixed_rank_shape.2' op operand #0 must be !ts.fixed_rank_shape.2 type, but got '!ts.shape'}}
  %0 = "ts.print_fixed_rank_shape.2"(%s, %c) : (!ts.shape, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @f(%s: !ts.shape, %c: !tfrt.chain) {
  %0 = ts.as_fixed_rank_shape.1 %s // expected-note {{prior use here}}
  // expected-error@+1 {{use of value '%0' expects different type than prior uses: '!ts.fixed_rank_shape.2' vs '!ts.fixed_rank_shape.1'}}
  %1 = ts.print_fixed_rank_shape.2 %0, %c
  tfrt.return
}

// -----
func.func @f(%s: !ts.shape) {
  // expected-error@+1 {{'ts.to_shape' op operand #0 must be !ts.partial_shape type, but got '!ts.shape'}}
  %0 = "ts.to_shape"(%s) : (!ts.shape) -> !ts.shape
  tfrt.return
}

// -----
func.func @f(%t: !tfrt_tensor.tensor, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_dht.fill_tensor_with_constant.f32' op requires attribute 'value'}}
  %0 = "tfrt_dht.fill_tensor_with_constant.f32"(%t, %c) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @f(%t: !tfrt_tensor.tensor) {
  // expected-error@+1 {{'tfrt_dht.print_tensor' op expected 2 operands, but found 1}}
  %0 = "tfrt_dht.print_tensor"(%t) : (!tfrt_tensor.tensor) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @f(%t: !tfrt_tensor.tensor) {
  // expected-error@+1 {{number of operands and types do not match: got 1 operands and 2 types}}
  %0 = tfrt_dht.print_tensor %t
  tfrt.return
}

// -----
func.func @f(%b: !ht.host_buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_dht.print_tensor' op operand #0 must be !tfrt_tensor.tensor type, but got '!ht.host_buffer'}}
  %0 = "tfrt_dht.print_tensor"(%b, %c) : (!ht.host_buffer, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @f(%t: !tfrt_tensor.tensor, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_dht.print_buffer' op operand #0 must be !ht.host_buffer type, but got '!tfrt_tensor.tensor'}}
  %0 = "tfrt_dht.print_buffer"(%t, %c) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----
func.func @f(%t: !tfrt_tensor.tensor) {
  // expected-error@+1 {{invalid kind of attribute specified}}
  tfrt_dht_sync.set_tensor_with_constant_values.i32 %t "7"
  tfrt.return
}

// -----
func.func @f(%t: !tfrt_tensor.tensor, %c: !tfrt.chain) {
  // expected-error@+1 {{'coo.tensor_equal.f32.2' op result #0 must be 1-bit signless integer, but got 'i32'}}
  %0, %1 = "coo.tensor_equal.f32.2"(%t, %t, %c)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> (i32, !tfrt.chain)
  tfrt.return
}

// -----
func.func @f(%b: !ht.host_buffer) {
  // expected-error@+2 {{expected 'at'}}
  %0 = tfrt_dht.tensor_in_buffer.f32 %b [2]
  tfrt.return
}

// -----
func.func @f(%b: !ht.host_buffer) {
  // expected-error@+1 {{'tfrt_dht.tensor_in_buffer.f32' op attribute 'offset' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = "tfrt_dht.tensor_in_buffer.f32"(%b) {offset = 0 : i32, shape = [2]} : (!ht.host_buffer) -> !tfrt_tensor.tensor
  tfrt.return
}

// What is left as it is, and why.
// RUN: tfrt_opt %s -allow-unregistered-dialect -split-input-file -tfrt-plan-memory -verify-diagnostics | FileCheck %s

// Tensors that leave the function, or whose users are not known.
// CHECK-LABEL: func.func @escapes
// CHECK-SAME: attributes {tfrt.memory_planned}
// expected-remark@+1 {{planned 2 of 8 tensors: 512 bytes before, 512 bytes after, lower bound 512 bytes}}
func.func @escapes(%c0: !tfrt.chain) -> (!tfrt_tensor.tensor, !tfrt.chain) {
  // CHECK-COUNT-2: tfrt_dht.tensor_in_buffer.f32
  // CHECK-COUNT-6: tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  // expected-remark@+1 {{this tensor is not planned: it is used by 'tfrt.return'}}
  %returned = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  // expected-remark@+1 {{this tensor is not planned: it is used by 'tfrt.call'}}
  %passed = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  // expected-remark@+1 {{this tensor is not planned: it is used by 'tfrt_dht.get_buffer'}}
  %shared = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  // expected-remark@+1 {{this tensor is not planned: it is used by 'tfrt.alias.value'}}
  %aliased = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  // expected-remark@+1 {{this tensor is not planned: it is used by 'my.kernel'}}
  %other = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  // expected-remark@+1 {{this tensor is not planned: it is used by 'tfrt_test.relu_inplace.f32'}}
  %nonstrict = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %a, %c0 1.0 : f32
  %c2 = "tfrt_test.add_inplace.f32"(%a, %b, %c1) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.call @callee(%passed) : (!tfrt_tensor.tensor) -> ()
  %buffer, %c3 = tfrt_dht.get_buffer %shared, %c2
  %alias = "tfrt.alias.value"(%c3, %aliased) : (!tfrt.chain, !tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  "my.kernel"(%other) : (!tfrt_tensor.tensor) -> ()
  %c4 = "tfrt_test.relu_inplace.f32"(%nonstrict, %c3) {bef.nonstrict} : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %returned, %c4 : !tfrt_tensor.tensor, !tfrt.chain
}
func.func private @callee(%t: !tfrt_tensor.tensor) {
  tfrt.return
}

// -----
// Regions: their operands leave the function, and what they make themselves is not looked at.
// CHECK-LABEL: func.func @regions
func.func @regions(%cond: i1, %n: i32, %c0: !tfrt.chain) -> !tfrt.chain {
  // expected-remark@+1 {{this tensor is not planned: it is used by 'tfrt.if'}}
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  // expected-remark@+1 {{this tensor is not planned: it is used by 'tfrt.repeat.i32'}}
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  // expected-remark@+1 {{this tensor is not planned: it is used by 'tfrt_test.relu_inplace.f32'}}
  %inside = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %c1 = tfrt.if %cond, %a, %c0 : (!tfrt_tensor.tensor, !tfrt.chain) -> (!tfrt.chain) {
    %c2 = tfrt_dht.print_tensor %a, %c0
    tfrt.return %c2 : !tfrt.chain
  } else {
    tfrt.return %c0 : !tfrt.chain
  }
  %d = tfrt.repeat.i32 %n, %b : !tfrt_tensor.tensor {
    // CHECK: tfrt_dht.create_uninitialized_tensor.f32.1
    %t = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
    %u = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
    tfrt.return %b : !tfrt_tensor.tensor
  }
  "my.region"() ({
    %c3 = "tfrt_test.relu_inplace.f32"(%inside) : (!tfrt_tensor.tensor) -> !tfrt.chain
    "my.end"() : () -> ()
  }) : () -> ()
  tfrt.return %c1 : !tfrt.chain
}

// -----
// CHECK-LABEL: func.func @not_tensors_of_ours
func.func @not_tensors_of_ours(%c0: !tfrt.chain) -> !tfrt.chain {
  // expected-remark@+1 {{this tensor is not planned: it has no elements}}
  %empty = tfrt_dht.create_uninitialized_tensor.f32.2 [3, 0]
  // expected-remark@+1 {{this tensor is not planned: nothing uses it}}
  %unused = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  // expected-remark@+1 {{this tensor is not planned: its shape is not valid or too large}}
  %negative = tfrt_dht.create_uninitialized_tensor.f32.1 [-1]
  // expected-remark@+1 {{this tensor is not planned: its shape is not valid or too large}}
  %large = tfrt_dht.create_uninitialized_tensor.f32.2 [4611686018427387904, 2]
  // expected-remark@+1 {{this tensor is not planned: its shape is not valid or too large}}
  %no_shape = "tfrt_dht.create_uninitialized_tensor.f64.1"() {shape = "two"} : () -> !tfrt_tensor.tensor
  // expected-remark@+1 {{this tensor is not planned: its shape is not valid or too large}}
  %no_dims = "tfrt_dht.create_uninitialized_tensor.f64.1"() {shape = [2 : i32]} : () -> !tfrt_tensor.tensor
  // expected-remark@+1 {{this tensor is not planned: it has other attributes than its shape}}
  %attributes = tfrt_dht.create_uninitialized_tensor.f32.1 [64] {k = 1 : i32}
  // expected-remark@+1 {{this tensor is not planned: there is no such kernel}}
  %no_kernel = tfrt_dht.create_uninitialized_tensor.ui16.1 [64]
  // expected-remark@+1 {{this tensor is not planned: there is no such kernel}}
  %no_rank = "tfrt_dht.create_uninitialized_tensor.f64.6"() {shape = [2]} : () -> !tfrt_tensor.tensor
  // expected-remark@+1 {{this tensor is not planned: there is no such kernel}}
  %operand = "tfrt_dht.create_uninitialized_tensor.f64.1"(%c0) {shape = [2]} : (!tfrt.chain) -> !tfrt_tensor.tensor
  // The only one that is left.
  // expected-remark@+1 {{this tensor is not planned: there is no other to share with}}
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %c1 = tfrt_dht.print_tensor %a, %c0
  tfrt.return %c1 : !tfrt.chain
}

// -----
func.func @all_too_large(%c0: !tfrt.chain) -> !tfrt.chain {
  // expected-remark@+1 {{this tensor is not planned: all together are too large}}
  %a = tfrt_dht.create_uninitialized_tensor.ui8.1 [4611686018427387904]
  // expected-remark@+1 {{this tensor is not planned: all together are too large}}
  %b = tfrt_dht.create_uninitialized_tensor.ui8.1 [64]
  %c1 = tfrt_dht.print_tensor %a, %c0
  %c2 = tfrt_dht.print_tensor %b, %c1
  tfrt.return %c2 : !tfrt.chain
}

// -----
// Constants are no tensors that a function makes; they may be read by what is planned.
// CHECK-LABEL: func.func @constants
// expected-remark@+1 {{planned 2 of 2 tensors: 128 bytes before, 64 bytes after, lower bound 64 bytes}}
func.func @constants(%c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: tfrt_test.const_dense_attr
  %k = "tfrt_test.const_dense_attr"() {value = dense<1.0> : tensor<4xf32>} : () -> !tfrt_tensor.tensor
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [4]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [4]
  %c1 = "tfrt_test.relu.f32"(%k, %a, %c0) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_test.add.f32"(%k, %a, %b, %c1) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = tfrt_dht.print_tensor %b, %c2
  tfrt.return %c3 : !tfrt.chain
}

// -----
// Sync functions, declarations and planned functions.
// CHECK-LABEL: func.func @sync
func.func @sync() attributes {tfrt.sync} {
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [4]
  tfrt.return
}
func.func private @native(!tfrt.chain) -> !tfrt.chain attributes {tfrt.native}
// CHECK-LABEL: func.func @planned
func.func @planned() attributes {tfrt.memory_planned} {
  // CHECK-NEXT: tfrt_dht.create_uninitialized_tensor
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [4]
  tfrt.return
}
func.func @nothing_to_do() {
  tfrt.return
}

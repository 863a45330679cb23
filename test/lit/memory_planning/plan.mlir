// What is planned how: offsets, and remarks.
// RUN: tfrt_opt %s -split-input-file -tfrt-plan-memory -verify-diagnostics | FileCheck %s

// Before a tensor is reused, everything that uses it is over.
// expected-remark@+2 {{planned 3 of 3 tensors: 576 bytes before, 448 bytes after, lower bound 448 bytes}}
// CHECK-LABEL: func.func @sequence(%arg0: !tfrt.chain) -> !tfrt.chain attributes {tfrt.memory_planned}
func.func @sequence(%c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: %[[SIZE:.*]] = tfrt.constant.i64 448
  // CHECK-NEXT: %[[ALIGNMENT:.*]] = tfrt.constant.i64 64
  // CHECK-NEXT: %[[BUFFER:.*]] = tfrt_dht.allocate_buffer %[[SIZE]], %[[ALIGNMENT]]
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.f32 %[[BUFFER]] [8, 4] at 320
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.f32 %[[BUFFER]] [80] at 0
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.f32 %[[BUFFER]] [32] at 320
  %a = tfrt_dht.create_uninitialized_tensor.f32.2 [8, 4]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [80]
  %c = tfrt_dht.create_uninitialized_tensor.f32.1 [32]
  // CHECK-NEXT: tfrt_dht.fill_tensor_with_constant.f32
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %a, %c0 1.0 : f32
  %c2 = "tfrt_test.flatten.f32"(%a, %b, %c1) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = "tfrt_test.flatten.f32"(%b, %c, %c2) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c4 = tfrt_dht.print_tensor %c, %c3
  tfrt.return %c4 : !tfrt.chain
}

// -----
// The branches of a diamond may run at the same time: %a and %b do not share, nor do %x and %y. %z
// comes after all, and takes over the bytes of %x.
// expected-remark@+2 {{planned 5 of 5 tensors: 1280 bytes before, 1024 bytes after, lower bound 768 bytes}}
// CHECK-LABEL: func.func @diamond
func.func @diamond(%c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 0
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 256
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 512
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 768
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 512
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %x = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %y = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %z = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %a1 = tfrt_dht.fill_tensor_with_constant.f32 %a, %c0 1.0 : f32
  %b1 = tfrt_dht.fill_tensor_with_constant.f32 %b, %c0 2.0 : f32
  %a2 = "tfrt_test.flatten.f32"(%a, %x, %a1) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %b2 = "tfrt_test.flatten.f32"(%b, %y, %b1) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %m = tfrt.merge.chains %a2, %b2 : !tfrt.chain, !tfrt.chain
  %z1 = "tfrt_test.add.f32"(%x, %y, %z, %m) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %z2 = tfrt_dht.print_tensor %z, %z1
  tfrt.return %z2 : !tfrt.chain
}

// -----
// An element-wise kernel may write where it reads, if nothing else reads there later.
// expected-remark@+2 {{planned 4 of 4 tensors: 1024 bytes before, 512 bytes after, lower bound 512 bytes}}
// CHECK-LABEL: func.func @in_place
func.func @in_place(%c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK: tfrt_dht.tensor_in_buffer.i32 %{{.*}} [64] at 0
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.i32 %{{.*}} [64] at 256
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.i32 %{{.*}} [64] at 0
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.i32 %{{.*}} [64] at 0
  %a = tfrt_dht.create_uninitialized_tensor.i32.1 [64]
  %b = tfrt_dht.create_uninitialized_tensor.i32.1 [64]
  %x = tfrt_dht.create_uninitialized_tensor.i32.1 [64]
  %y = tfrt_dht.create_uninitialized_tensor.i32.1 [64]
  %c1 = tfrt_dht.fill_tensor_with_constant.i32 %a, %c0 1 : i32
  %c2 = tfrt_dht.fill_tensor_with_constant.i32 %b, %c1 2 : i32
  %c3 = "tfrt_test.relu.i32"(%a, %x, %c2) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c4 = "tfrt_test.add.i32"(%b, %x, %y, %c3) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c5 = tfrt_dht.print_tensor %y, %c4
  %c6 = tfrt_dht.print_tensor %b, %c5
  tfrt.return %c6 : !tfrt.chain
}

// -----
// Not in place: the kernel does not allow it, the other operand is needed later, or what it writes was there before.
// expected-remark@+2 {{planned 3 of 3 tensors: 768 bytes before, 768 bytes after, lower bound 768 bytes}}
// CHECK-LABEL: func.func @not_in_place
func.func @not_in_place(%c0: !tfrt.chain) -> !tfrt.chain {
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %x = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %a, %c0 1.0 : f32
  %c2 = tfrt_dht.fill_tensor_with_constant.f32 %b, %c1 2.0 : f32
  %c3 = "tfrt_test.add_inplace.f32"(%a, %b, %c2) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c4 = "tfrt_test.relu.f32"(%b, %x, %c3) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c5 = tfrt_dht.print_tensor %a, %c4
  %c6 = tfrt_dht.print_tensor %b, %c5
  %c7 = tfrt_dht.print_tensor %x, %c6
  tfrt.return %c7 : !tfrt.chain
}

// -----
// The last reader of %a has a chain that nobody waits for.
// expected-remark@+2 {{planned 2 of 2 tensors: 512 bytes before, 512 bytes after, lower bound 256 bytes}}
// CHECK-LABEL: func.func @missing_chain
func.func @missing_chain(%c0: !tfrt.chain) -> (!tfrt.chain, !tfrt.chain) {
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %a, %c0 1.0 : f32
  %c2 = tfrt_dht.print_tensor %a, %c1
  %c3 = tfrt_dht.fill_tensor_with_constant.f32 %b, %c1 2.0 : f32
  %c4 = tfrt_dht.print_tensor %b, %c3
  tfrt.return %c2, %c4 : !tfrt.chain, !tfrt.chain
}

// -----
// A call is strict: its result tells that its operands were there. Other kernels may start before that.
// expected-remark@+2 {{planned 2 of 2 tensors: 512 bytes before, 256 bytes after, lower bound 256 bytes}}
// CHECK-LABEL: func.func @through_a_call
func.func @through_a_call(%c0: !tfrt.chain) -> !tfrt.chain {
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %a, %c0 1.0 : f32
  %c2 = tfrt.call @callee(%c1) : (!tfrt.chain) -> !tfrt.chain
  %c3 = tfrt_dht.fill_tensor_with_constant.f32 %b, %c2 2.0 : f32
  tfrt.return %c3 : !tfrt.chain
}
func.func private @callee(%c: !tfrt.chain) -> !tfrt.chain {
  %new = tfrt.new.chain
  tfrt.return %new : !tfrt.chain
}
// expected-remark@+1 {{planned 2 of 2 tensors: 512 bytes before, 512 bytes after, lower bound 256 bytes}}
func.func @through_other_kernels(%c0: !tfrt.chain) -> (!tfrt.chain, !tfrt.chain) {
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %a, %c0 1.0 : f32
  %c2 = "tfrt_test.nonstrict_select"(%c1, %c0, %c0) : (!tfrt.chain, !tfrt.chain, !tfrt.chain) -> !tfrt.chain
  %c3 = "tfrt.alias.value"(%c1, %c0) {bef.nonstrict} : (!tfrt.chain, !tfrt.chain) -> !tfrt.chain
  %c4 = tfrt.merge.chains %c2, %c3 : !tfrt.chain, !tfrt.chain
  %c5 = tfrt_dht.fill_tensor_with_constant.f32 %b, %c4 2.0 : f32
  tfrt.return %c5, %c1 : !tfrt.chain, !tfrt.chain
}

// -----
// Results that are no chains count as well where the kernel is done with them.
// expected-remark@+2 {{planned 3 of 3 tensors: 768 bytes before, 512 bytes after, lower bound 512 bytes}}
// CHECK-LABEL: func.func @data_dependence
func.func @data_dependence(%c0: !tfrt.chain) -> !tfrt.chain {
  %a = tfrt_dht.create_uninitialized_tensor.i32.1 [64]
  %b = tfrt_dht.create_uninitialized_tensor.i32.1 [64]
  %x = tfrt_dht.create_uninitialized_tensor.i32.1 [64]
  %c1 = tfrt_dht.fill_tensor_with_constant.i32 %a, %c0 1 : i32
  %c2 = tfrt_dht.fill_tensor_with_constant.i32 %b, %c1 2 : i32
  %same, %c3 = tfrt_dht.tensor_equal.i32 %a, %b, %c2
  %c4 = tfrt.merge.chains %same : i1
  %c5 = tfrt_dht.fill_tensor_with_constant.i32 %x, %c4 3 : i32
  %c6 = tfrt_dht.print_tensor %x, %c5
  tfrt.return %c6 : !tfrt.chain
}

// -----
// Element types of every size; %x takes the bytes of two others.
// expected-remark@+2 {{planned 4 of 4 tensors: 448 bytes before, 256 bytes after, lower bound 256 bytes}}
// CHECK-LABEL: func.func @element_types
func.func @element_types(%c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK: tfrt_dht.tensor_in_buffer.bool %{{.*}} [3] at 128
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.f64 %{{.*}} [1, 1] at 192
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.complex128 %{{.*}} [7] at 0
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.bf16 %{{.*}} [2, 40] at 0
  %a = tfrt_dht.create_uninitialized_tensor.bool.1 [3]
  %b = "tfrt_dht.create_uninitialized_tensor.f64.2"() {shape = [1, 1]} : () -> !tfrt_tensor.tensor
  %d = tfrt_dht.create_uninitialized_tensor.complex128.1 [7]
  %x = "tfrt_dht.create_uninitialized_tensor.bf16.2"() {shape = [2, 40]} : () -> !tfrt_tensor.tensor
  %c1 = tfrt_dht.fill_tensor_with_constant.bool %a, %c0 true
  %c2 = "tfrt_dht.fill_tensor_with_constant.f64"(%b, %c1) {value = 1.0 : f64} : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = tfrt_dht.set_tensor_with_constant_values.complex128 %d, %c2 [1.0 : f64, 2.0 : f64]
  %c4 = tfrt_dht.print_tensor %d, %c3
  %c5 = tfrt_dht.print_tensor %a, %c4
  %c6 = tfrt_dht.print_tensor %b, %c5
  %c7 = "tfrt_dht.fill_tensor_with_constant.bf16"(%x, %c6) {value = 1.0 : bf16} : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c7 : !tfrt.chain
}

// -----
// A tensor that is used again and again keeps its bytes from its first use to its last.
// expected-remark@+2 {{planned 3 of 3 tensors: 768 bytes before, 512 bytes after, lower bound 512 bytes}}
// CHECK-LABEL: func.func @repeated_use
func.func @repeated_use(%c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 0
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 256
  // CHECK-NEXT: tfrt_dht.tensor_in_buffer.f32 %{{.*}} [64] at 256
  %w = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %a = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %b = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %w, %c0 1.0 : f32
  %c2 = "tfrt_test.relu.f32"(%w, %a, %c1) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = tfrt_dht.print_tensor %a, %c2
  %c4 = "tfrt_test.relu.f32"(%w, %b, %c3) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c5 = tfrt_dht.print_tensor %b, %c4
  %c6 = tfrt_dht.print_tensor %w, %c5
  tfrt.return %c6 : !tfrt.chain
}

// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'life':
func.func @life() {
  // CHECK-NEXT: constructed vt.value(40)
  // CHECK-NEXT: move constructed vt.value(40)
  %a = "vt.constant"() {value = 40 : i32} : () -> !vt.value
  // CHECK-NEXT: constructed vt.value(80)
  // CHECK-NEXT: move constructed vt.value(80)
  // CHECK-NEXT: destroyed vt.value(40)
  %b = "vt.add"(%a, %a) : (!vt.value, !vt.value) -> !vt.value
  %c0 = tfrt.new.chain
  // CHECK-NEXT: print vt_value(80)
  // CHECK-NEXT: destroyed vt.value(80)
  %c1 = "vt.print"(%b, %c0) : (!vt.value, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: hello host executor!
  %c2 = "tfrt_test.print_hello"(%c1) : (!tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// Operands whose life ends with a kernel go in operand order.
// CHECK-LABEL: --- Running 'order_of_destruction':
func.func @order_of_destruction() {
  %a = "vt.constant"() {value = 1 : i32} : () -> !vt.value
  %b = "vt.constant"() {value = 2 : i32} : () -> !vt.value
  // CHECK: destroyed vt.value(2)
  // CHECK-NEXT: destroyed vt.value(1)
  // CHECK-NEXT: destroyed vt.value(3)
  %c = "vt.add"(%b, %a) : (!vt.value, !vt.value) -> !vt.value
  tfrt.return
}

// A value of -1 looks as if it had been moved from.
// CHECK-LABEL: --- Running 'minus_one':
// CHECK-NEXT: constructed vt.value(-1)
// CHECK-NEXT: move constructed vt.value(-1)
// CHECK-NEXT: print vt_value(-1)
// CHECK-NOT: destroyed
// CHECK: 'minus_one' returned !tfrt.chain value
func.func @minus_one() -> !tfrt.chain {
  %a = "vt.constant"() {value = -1 : i32} : () -> !vt.value
  %c = "vt.print"(%a) : (!vt.value) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// CHECK-LABEL: --- Running 'coordinate':
// CHECK-NEXT: (2, -4)
func.func @coordinate() -> !tfrt.chain {
  %x = tfrt.constant.i32 2
  %y = tfrt.constant.i32 -4
  %p = "tfrt_tutorial.create_coordinate"(%x, %y) : (i32, i32) -> !my.coordinate
  %c = "tfrt_tutorial.print_coordinate"(%p) : (!my.coordinate) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// CHECK-LABEL: --- Running 'unique':
// CHECK-NEXT: 'unique' returned 1
func.func @unique() -> i1 {
  %a = tfrt.constant.i32 1
  %u = "tfrt_test.get_uniqueness"(%a) : (i32) -> i1
  tfrt.return %u : i1
}

// Passed twice, used later, returned: each makes the value shared.
// CHECK-LABEL: --- Running 'shared':
// CHECK-NEXT: 'shared' returned 0,0,0,0,1
func.func @shared() -> (i1, i1, i1, i1, i32) {
  %a = tfrt.constant.i32 1
  %u0, %u1 = "tfrt_test.get_uniqueness"(%a, %a) : (i32, i32) -> (i1, i1)
  %u2 = "tfrt_test.get_uniqueness"(%a) : (i32) -> i1
  %i = "tfrt_test.make_indirect"(%a) : (i32) -> i32
  %u3 = "tfrt_test.get_uniqueness"(%i) : (i32) -> i1
  tfrt.return %u0, %u1, %u2, %u3, %a : i1, i1, i1, i1, i32
}

// CHECK-LABEL: --- Running 'forwarding':
// CHECK-NEXT: 'forwarding' returned 1,2.000000e+00,1,!tfrt.chain value
func.func @forwarding() -> (i32, f32, i32, !tfrt.chain) {
  %c = tfrt.new.chain
  %a = tfrt.constant.i32 1
  %b = tfrt.constant.f32 2.0
  %x, %y = "tfrt_test.identity"(%c, %a, %b) : (!tfrt.chain, i32, f32) -> (i32, f32)
  %z, %w = "tfrt_test.share_to_two"(%x) : (i32) -> (i32, i32)
  %v = "tfrt_test.make_indirect"(%w) : (i32) -> i32
  %d = "tfrt_test.as_chain"(%v, %z) : (i32, i32) -> !tfrt.chain
  tfrt.return %v, %y, %z, %d : i32, f32, i32, !tfrt.chain
}

// CHECK-LABEL: --- Running 'resource':
// CHECK-NEXT: Allocated TestResource
// CHECK-NEXT: Destroyed TestResource
// CHECK-NEXT: tfrt_test.deallocate_resource done
func.func @resource() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %r, %c1 = "tfrt_test.allocate_resource"(%c0)
      : (!tfrt.chain) -> (!test.resource, !tfrt.chain)
  %c2 = "tfrt_test.deallocate_resource"(%r, %c1)
      : (!test.resource, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'resource_dies_with_its_value':
// CHECK-NEXT: Allocated TestResource
// CHECK-NEXT: Destroyed TestResource
// CHECK-NEXT: 'resource_dies_with_its_value' returned !tfrt.chain value
func.func @resource_dies_with_its_value() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %r, %c1 = "tfrt_test.allocate_resource"(%c0)
      : (!tfrt.chain) -> (!test.resource, !tfrt.chain)
  tfrt.return %c1 : !tfrt.chain
}

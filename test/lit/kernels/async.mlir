// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'async':
// CHECK-NEXT: 'async' returned 7,7,7,7,7,1
func.func @async() -> (i32, i32, i32, i32, i32, i1) {
  %three = "tfrt_test.async_constant.i32"() {value = 3 : i32} : () -> i32
  %four = tfrt.constant.i32 4
  %flag = "tfrt_test.async_constant.i1"() {value = true} : () -> i1
  %sum = "tfrt_test.async_add.i32"(%three, %four) : (i32, i32) -> i32
  %a = "tfrt_test.async_copy.i32"(%sum) : (i32) -> i32
  %b = "tfrt_test.async_copy_2.i32"(%sum) : (i32) -> i32
  %c = "tfrt_test.async_copy.with_delay.i32"(%sum) : (i32) -> i32
  %d = "tfrt_test.copy.with_delay.i32"(%sum) : (i32) -> i32
  tfrt.return %sum, %a, %b, %c, %d, %flag : i32, i32, i32, i32, i32, i1
}

// CHECK-LABEL: --- Running 'async_i64':
// CHECK-NEXT: 'async_i64' returned 5,5
func.func @async_i64() -> (i64, i64) {
  %n = tfrt.constant.i64 5
  %a = "tfrt_test.async_copy.with_delay.i64"(%n) : (i64) -> i64
  %b = "tfrt_test.copy.with_delay.i64"(%n) : (i64) -> i64
  tfrt.return %a, %b : i64, i64
}

// CHECK-LABEL: --- Running 'later':
// CHECK-NEXT: int32 = 8
// CHECK-NEXT: 'later' returned 6
func.func @later() -> i32 {
  %c = tfrt.new.chain
  %a = tfrt.constant.i32 5
  %r, %d = tfrt_test.do.async %a, %c : (i32, !tfrt.chain) -> (i32, !tfrt.chain) {
    %x, %y, %z = tfrt_test.count3.i32 %a
    %c1 = tfrt.print.i32 %z, %c
    tfrt.return %x, %c1 : i32, !tfrt.chain
  }
  %v = "tfrt.alias.value"(%d, %r) : (!tfrt.chain, i32) -> i32
  tfrt.return %v : i32
}

// CHECK-LABEL: --- Running 'blocking':
// CHECK-NEXT: Slept for 100 microseconds
// CHECK-NEXT: 'blocking' returned !tfrt.chain value
func.func @blocking() -> !tfrt.chain {
  %n = tfrt.constant.i32 100
  %c = "tfrt_test.blocking.usleep"(%n) : (i32) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// CHECK-LABEL: --- Running 'usleep':
// CHECK-NEXT: Slept for 50 microseconds
func.func @usleep() {
  %n = tfrt.constant.i32 50
  "tfrt_test.usleep"(%n) : (i32) -> ()
  tfrt.return
}

// CHECK-LABEL: --- Running 'quiesce':
// CHECK-NEXT: Slept for 60 microseconds
// CHECK-NEXT: hello host executor!
func.func @quiesce() -> !tfrt.chain {
  %n = tfrt.constant.i32 60
  %c = "tfrt_test.blocking.usleep"(%n) : (i32) -> !tfrt.chain
  %c0 = tfrt.new.chain
  %c1 = "tfrt_test.quiesce"(%c0) : (!tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_test.print_hello"(%c1) : (!tfrt.chain) -> !tfrt.chain
  %c3 = tfrt.merge.chains %c, %c2 : !tfrt.chain, !tfrt.chain
  tfrt.return %c3 : !tfrt.chain
}

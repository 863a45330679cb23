// The order of blocks on one thread.
// RUN: mlir_to_bef %s | bef_executor | FileCheck %s

func.func @block(%from: i32, %to: i32) {
  %c = tfrt.new.chain
  %c1 = tfrt.print.i32 %from, %c
  tfrt.return
}
// CHECK-LABEL: --- Running 'order':
// CHECK-NEXT: int32 = 0
// CHECK-NEXT: int32 = 5
// CHECK-NEXT: int32 = 2
// CHECK-NEXT: int32 = 1
// CHECK-NEXT: int32 = 7
// CHECK-NEXT: int32 = 6
// CHECK-NEXT: int32 = 3
// CHECK-NEXT: int32 = 8
// CHECK-NEXT: int32 = 4
// CHECK-NEXT: int32 = 9
// CHECK-NEXT: 'order' returned !tfrt.chain value
func.func @order() -> !tfrt.chain {
  %lo = tfrt.constant.i32 0
  %hi = tfrt.constant.i32 10
  %bs = tfrt.constant.i32 1
  %done = tfrt.parallel_call.i32 %lo to %hi fixed %bs @block()
  tfrt.return %done : !tfrt.chain
}

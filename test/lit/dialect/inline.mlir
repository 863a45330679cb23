// tfrt.call is inlined into function bodies, if the callee consists of tfrt ops only.
// RUN: tfrt_opt -inline %s | FileCheck %s

func.func private @double(%x: i32) -> i32 {
  %y = tfrt.add.i32 %x, %x
  tfrt.return %y : i32
}
func.func private @foreign(%x: i32) -> i32 {
  %a, %b, %c = tfrt_test.count3.i32 %x
  tfrt.return %a : i32
}

// CHECK-LABEL: func.func @caller
func.func @caller(%x: i32, %c: i1) -> (i32, i32, i32) {
  // CHECK-NEXT: %[[SUM:.*]] = tfrt.add.i32 %arg0, %arg0
  %0 = tfrt.call @double(%x) : (i32) -> i32
  // CHECK-NEXT: %[[FOREIGN:.*]] = tfrt.call @foreign(%arg0)
  %1 = tfrt.call @foreign(%x) : (i32) -> i32
  // CHECK: tfrt.if
  // CHECK-NEXT: tfrt.call @double
  %2 = tfrt.if %c, %x : (i32) -> i32 {
    %3 = tfrt.call @double(%x) : (i32) -> i32
    tfrt.return %3 : i32
  } else {
    tfrt.return %x : i32
  }
  tfrt.return %0, %1, %2 : i32, i32, i32
}

// Callees with ops of corert are inlined, those with ops of corert_sync are not; nor are corert.cond and corert.while.
// RUN: tfrt_opt -inline %s | FileCheck %s

func.func private @add(%h: !corert.ophandler, %x: !corert.tensorhandle) -> !corert.tensorhandle {
  %y = corert.executeop(%h) "add"(%x, %x) : 1
  %z = "corert.any"(%y) : (!corert.tensorhandle) -> !corert.tensorhandle
  tfrt.return %z : !corert.tensorhandle
}
func.func private @foreign(%h: !corert.ophandler) -> !corert.tensorhandle {
  %y = corert_sync.executeop(%h) "make"() : 1
  tfrt.return %y : !corert.tensorhandle
}
func.func private @keep(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}

// CHECK-LABEL: func.func @caller
func.func @caller(%h: !corert.ophandler, %x: !corert.tensorhandle, %c: !tfrt.chain) -> (!corert.tensorhandle, !corert.tensorhandle) {
  // CHECK-NEXT: %[[Y:.*]] = corert.executeop(%arg0) "add"(%arg1, %arg1) : 1
  // CHECK-NEXT: "corert.any"(%[[Y]])
  %0 = tfrt.call @add(%h, %x) : (!corert.ophandler, !corert.tensorhandle) -> !corert.tensorhandle
  // CHECK-NEXT: tfrt.call @foreign
  %1 = tfrt.call @foreign(%h) : (!corert.ophandler) -> !corert.tensorhandle
  // CHECK-NEXT: corert.cond %arg1 @keep @keep
  %2 = corert.cond %x @keep @keep (%c) : () -> ()
  // CHECK-NEXT: corert.while @keep @keep
  %3 = corert.while @keep @keep (%c) : () -> ()
  tfrt.return %0, %1 : !corert.tensorhandle, !corert.tensorhandle
}

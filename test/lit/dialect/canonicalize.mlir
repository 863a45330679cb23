// Dead pure ops go; merges of chains keep only operands that nothing else uses.
// RUN: tfrt_opt -canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @merge
func.func @merge(%p: !tfrt.chain, %q: !tfrt.chain) -> (!tfrt.chain, !tfrt.chain) {
  %x = tfrt.merge.chains %p, %q : !tfrt.chain, !tfrt.chain
  %y = tfrt.merge.chains %p, %p : !tfrt.chain, !tfrt.chain
  // CHECK-NEXT: %[[M:.*]] = tfrt.merge.chains %arg1 : !tfrt.chain
  // CHECK-NEXT: tfrt.return %[[M]], %arg0 : !tfrt.chain, !tfrt.chain
  tfrt.return %x, %y : !tfrt.chain, !tfrt.chain
}

// CHECK-LABEL: func.func @dead
func.func @dead(%x: i32, %c: !tfrt.chain) {
  %0 = tfrt.add.i32 %x, %x
  // CHECK-NEXT: tfrt.print.i32
  %1 = tfrt.print.i32 %x, %c
  // CHECK-NEXT: tfrt.return
  tfrt.return
}

// Recursion without end is an error, at a depth that can be chosen.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor --max_call_depth=50 %t.bef | FileCheck %s
// RUN: bef_executor --max_call_depth=50 --work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @forever(%x: i32) -> i32 {
  // expected-error@+1 {{call depth limit of 50 exceeded in 'forever'}}
  %y = tfrt.call @forever(%x) : (i32) -> i32
  tfrt.return %y : i32
}
// CHECK: 'main' returned <<error: call depth limit of 50 exceeded in 'forever'>>
func.func @main() -> i32 {
  %x = tfrt.constant.i32 1
  %y = tfrt.call @forever(%x) : (i32) -> i32
  tfrt.return %y : i32
}

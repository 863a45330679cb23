// A region is a function without a name and comes before the function that contains it.
// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s --match-full-lines

// CHECK: Choosing single-threaded work queue.
// CHECK-NEXT: --- Not running '' because it has arguments.
// CHECK-NEXT: --- Running 'main':
// CHECK-NEXT: int32 = 3
// CHECK-NEXT: int32 = 3
func.func @main() {
  %count = tfrt.constant.i32 2
  %value = tfrt.constant.i32 3
  %c0 = tfrt.new.chain
  %c1:2 = tfrt.repeat.i32 %count, %c0, %value : !tfrt.chain, i32 {
    %c = tfrt.print.i32 %value, %c0
    tfrt.return %c, %value : !tfrt.chain, i32
  }
  tfrt.return
}

// The compiler logs the maximal cost of functions and regions if it is asked to, and nothing else.
// RUN: mlir_to_bef %s -o %t.bef 2>&1 | FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: mlir_to_bef --log-streams %s -o %t.bef 2>&1 | FileCheck %s
// RUN: bef_executor %t.bef | FileCheck --check-prefix=OUT %s

// QUIET-NOT: {{.}}
// CHECK-DAG: StreamAnalysis: max_cost for function main is 3
// CHECK-DAG: StreamAnalysis: max_cost for function unknown is {{[0-9]+}}
// OUT: 'main' returned 1

func.func @main() -> i32 {
  %true = tfrt.constant.i1 true
  %a = tfrt.constant.i32 1
  %r = tfrt.if %true, %a : (i32) -> (i32) {
    tfrt.return %a : i32
  } else {
    tfrt.return %a : i32
  }
  tfrt.return %r : i32
}

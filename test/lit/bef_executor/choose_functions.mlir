// --functions and --test_init_function.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor --functions=c,a %t.bef | FileCheck %s --check-prefix=CA
// RUN: bef_executor -functions c -functions=a %t.bef | FileCheck %s --check-prefix=CA
// RUN: bef_executor --test_init_function=b %t.bef | FileCheck %s --check-prefix=INIT
// RUN: bef_executor --test_init_function=b --functions=c,b %t.bef | FileCheck %s --check-prefix=BOTH
// RUN: bef_executor --test_init_function=nobody %t.bef | FileCheck %s --check-prefix=ALL
// RUN: not bef_executor --functions=a,nobody %t.bef 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CA: --- Running 'c':
// CA-NEXT: --- Running 'a':
// CA-NOT: Running
// INIT: --- Running 'b':
// INIT-NEXT: --- Running 'a':
// INIT-NEXT: --- Running 'c':
// INIT-NOT: Running
// BOTH: --- Running 'b':
// BOTH-NEXT: --- Running 'c':
// BOTH-NOT: Running
// ALL: --- Running 'a':
// ALL-NEXT: --- Running 'b':
// ALL-NEXT: --- Running 'c':
// UNKNOWN-NOT: Running
// UNKNOWN: bef_executor: couldn't find function nobody
func.func @a() {
  tfrt.return
}
func.func @b() {
  tfrt.return
}
func.func @c() {
  tfrt.return
}

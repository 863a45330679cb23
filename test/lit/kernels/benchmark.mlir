// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'bench':
// CHECK-NEXT: BM:mul:Duration(ns): {{[0-9]+}}
// CHECK-NEXT: BM:mul:Count: 3
// CHECK-NEXT: BM:mul:Time Min(ns): {{[0-9]+}}
// CHECK-NEXT: BM:mul:Time 50%(ns): {{[0-9]+}}
// CHECK-NEXT: BM:mul:Time 95%(ns): {{[0-9]+}}
// CHECK-NEXT: BM:mul:Time 99%(ns): {{[0-9]+}}
// CHECK-NEXT: BM:mul:CPU Min(ns): {{[0-9]+}}
// CHECK-NEXT: BM:mul:CPU 50%(ns): {{[0-9]+}}
// CHECK-NEXT: BM:mul:CPU 95%(ns): {{[0-9]+}}
// CHECK-NEXT: BM:mul:CPU 99%(ns): {{[0-9]+}}
// CHECK-NEXT: BM:mul:CPU utilization(percent): {{[0-9.]+e[-+][0-9]+}}
// CHECK-NEXT: 'bench' returned !tfrt.chain value
func.func @bench() -> !tfrt.chain {
  %v = tfrt.constant.i32 2
  %c = tfrt_test.benchmark "mul"(%v : i32) max_count = 3, duration_secs = 100 {
    %w = tfrt.mul.i32 %v, %v
    tfrt.return %w : i32
  }
  tfrt.return %c : !tfrt.chain
}

func.func @work(%x: i32) attributes {tfrt.sync} {
  tfrt.return
}
// CHECK-LABEL: --- Running 'sync_bench':
// CHECK: BM:work:Count: 10
func.func @sync_bench() attributes {tfrt.sync} {
  %k = "tfrt.constant_s.i32"() {value = 2 : i32} : () -> i32
  tfrt_test.sync_benchmark @work(%k : i32) duration_secs = 100, max_count = 10
  tfrt.return
}

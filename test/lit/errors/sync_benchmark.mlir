// RUN: mlir_to_bef %s | bef_executor | FileCheck %s

func.func @async(%x: i32) {
  tfrt.return
}
func.func @sync(%x: i32) attributes {tfrt.sync} {
  tfrt.return
}
func.func @result() -> i32 attributes {tfrt.sync} {
  %a = "tfrt.constant_s.i32"() {value = 2 : i32} : () -> i32
  tfrt.return %a : i32
}

// CHECK: 'no_sync_function' returned <<error: SyncBenchmark op requires the input function be a sync function>>
func.func @no_sync_function() attributes {tfrt.sync} {
  %a = "tfrt.constant_s.i32"() {value = 2 : i32} : () -> i32
  // expected-error@+1 {{SyncBenchmark op requires the input function be a sync function}}
  tfrt_test.sync_benchmark @async(%a : i32) duration_secs = 1, max_count = 1
  tfrt.return
}

// RUN: mlir_to_bef %s | bef_executor | FileCheck %s

// CHECK: 'no_host_data' returned <<error: request has no data of type long>>
func.func @no_host_data() -> i64 {
  // expected-error@+1 {{request has no data of type long}}
  %a = "tfrt_test.sum_array_attr.i64"() {a = "12", b = [1]} : () -> i64
  tfrt.return %a : i64
}

// The ops of tfrt_test.
// RUN: tfrt_opt -allow-unregistered-dialect %s | FileCheck %s --strict-whitespace
// RUN: tfrt_opt -allow-unregistered-dialect %s | tfrt_opt -allow-unregistered-dialect | FileCheck %s --strict-whitespace

func.func @work(%x: i32) attributes {tfrt.sync} {
  tfrt.return
}

// CHECK-LABEL:func.func @test_ops
func.func @test_ops(%i: i32, %l: i64, %s: !tfrt.string) {
  // CHECK: = tfrt_test.do.async %arg0 : (i32) -> (i32)  {
  %0 = tfrt_test.do.async %i : (i32) -> (i32) {
    tfrt.return %i : i32
  }
  // CHECK:    tfrt_test.do.async  : () -> ()  {
  tfrt_test.do.async : () -> () {
    tfrt.return
  }
  // CHECK:    tfrt_test.do.async %arg0 attributes  {k = 1 : i64} : (i32) -> ()  {
  tfrt_test.do.async %i attributes {k = 1 : i64} : (i32) -> () {
    tfrt.return
  }
  // CHECK: = tfrt_test.benchmark "mul"(%arg0 : i32) duration_secs = 1, max_count = 4294967295, num_warmup_runs = 1  {
  %1 = tfrt_test.benchmark "mul"(%i : i32) max_count = -1, duration_secs = 1 {
    tfrt.return %i : i32
  }
  // CHECK:    tfrt_test.sync_benchmark @work(%arg0 : i32) duration_secs = 1, max_count = 10, num_warmup_runs = 2
  tfrt_test.sync_benchmark @work(%i : i32) duration_secs = 1, max_count = 10, num_warmup_runs = 2
  // CHECK: = tfrt_test.count3.i32 %arg0
  %2, %3, %4 = tfrt_test.count3.i32 %i
  // CHECK: = tfrt_test.count3.i64 %arg1
  %5, %6, %7 = tfrt_test.count3.i64 %l
  // CHECK: = tfrt_test.decode_jpeg %arg2
  %8 = tfrt_test.decode_jpeg %s
  // CHECK: = tfrt_test.resize_bilinear %{{.*}}, %arg1, %arg1
  %9 = tfrt_test.resize_bilinear %8, %l, %l
  // CHECK: = tfrt_test.parse_example_from_bytes %arg2
  %10 = tfrt_test.parse_example_from_bytes %s
  // CHECK: = tfrt_test.get_bytes_field_from_example %{{.*}}, %arg2
  %11 = tfrt_test.get_bytes_field_from_example %10, %s
  // CHECK: = tfrt_test.get_int64_field_from_example %{{.*}}, %arg2
  %12 = tfrt_test.get_int64_field_from_example %10, %s
  // CHECK: = tfrt_test.get_string {value = "abc"}
  %13 = tfrt_test.get_string {value = "abc"}
  // CHECK: = tfrt_test.get_string_sync {value = "abc"}
  %14 = tfrt_test.get_string_sync {value = "abc"}
  // CHECK: = tfrt_test.test_cost %arg0 {_tfrt_cost = 3 : i64, id = 1 : i64} : i32
  %15 = tfrt_test.test_cost %i {id = 1 : i64, _tfrt_cost = 3 : i64} : i32
  tfrt.return
}

// The remarks of -tfrt-print-stream, for given thresholds and for the automatic one.
// RUN: tfrt_opt -tfrt-print-stream -verify-diagnostics %s -o /dev/null
// RUN: tfrt_opt -tfrt-print-stream %s -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: StreamAnalysis: max_cost for function fan is 16
// CHECK-DAG: StreamAnalysis: max_cost for function two_streams is 16
// CHECK-DAG: StreamAnalysis: max_cost for function automatic is 5

// expected-remark@+1 {{stream id: 0, stream cost: 18, parent stream: -1}}
func.func @fan(%v: i32) -> i32 attributes {tfrt.cost_threshold = 4 : i64} {
  // expected-remark@+1 {{stream id: 0, stream cost: 18, parent stream: -1}}
  %a = tfrt_test.test_cost %v {id = 1 : i64, _tfrt_cost = 9 : i64} : i32
  // expected-remark@+1 {{stream id: 0, stream cost: 18, parent stream: -1}}
  %b = tfrt_test.test_cost %v {id = 2 : i64, _tfrt_cost = 2 : i64} : i32
  // expected-remark@+1 {{stream id: 0, stream cost: 18, parent stream: -1}}
  %c = tfrt_test.test_cost %a, %b {id = 3 : i64, _tfrt_cost = 5 : i64} : i32, i32
  // expected-remark@+1 {{stream id: 0, stream cost: 18, parent stream: -1}}
  tfrt.return %c : i32
}

// expected-remark@+1 {{stream id: 0, stream cost: 16, parent stream: -1, child streams: [1]}}
func.func @two_streams(%v: i32) -> i32 attributes {tfrt.cost_threshold = 4 : i64} {
  // expected-remark@+1 {{stream id: 0, stream cost: 16, parent stream: -1}}
  %a = tfrt_test.test_cost %v {id = 1 : i64, _tfrt_cost = 9 : i64} : i32
  // expected-remark@+1 {{stream id: 1, stream cost: 4, parent stream: 0}}
  %b = tfrt_test.test_cost %v {id = 2 : i64, _tfrt_cost = 4 : i64} : i32
  // expected-remark@+1 {{stream id: 0, stream cost: 16, parent stream: -1}}
  %c = tfrt_test.test_cost %a, %b {id = 3 : i64, _tfrt_cost = 5 : i64} : i32, i32
  // expected-remark@+1 {{stream id: 0, stream cost: 16, parent stream: -1}}
  tfrt.return %c : i32
}

// expected-remark@+1 {{stream id: 0, stream cost: 5, parent stream: -1, child streams: [1]}}
func.func @automatic(%v: i32) -> i32 {
  // expected-remark@+1 {{stream id: 1, stream cost: 2, parent stream: 0}}
  %a = tfrt_test.test_cost %v {id = 1 : i64, _tfrt_cost = 2 : i64} : i32
  // expected-remark@+1 {{stream id: 0, stream cost: 5, parent stream: -1}}
  %b = tfrt_test.test_cost %v {id = 2 : i64, _tfrt_cost = 3 : i64} : i32
  // expected-remark@+1 {{stream id: 0, stream cost: 5, parent stream: -1}}
  tfrt.return %b : i32
}

// A function without options takes those of its module.
// RUN: tfrt_opt -tfrt-print-stream -verify-diagnostics %s -o /dev/null

module attributes {tfrt.cost_threshold = 4 : i32} {
  // expected-remark@+1 {{stream id: 0, stream cost: 6, parent stream: -1}}
  func.func @from_module(%v: i32) -> i32 {
    // expected-remark@+1 {{stream id: 0, stream cost: 6, parent stream: -1}}
    %a = "tfrt_test.any"(%v) : (i32) -> i32
    // expected-remark@+1 {{stream id: 0, stream cost: 6, parent stream: -1}}
    tfrt.return %a : i32
  }

  // expected-remark@+1 {{stream id: 0, stream cost: 5, parent stream: -1}}
  func.func @own(%v: i32) -> i32 attributes {tfrt.cost_threshold = 3 : i64} {
    // expected-remark@+1 {{stream id: 0, stream cost: 5, parent stream: -1}}
    %a = "tfrt_test.any"(%v) : (i32) -> i32
    // expected-remark@+1 {{stream id: 0, stream cost: 5, parent stream: -1}}
    tfrt.return %a : i32
  }
}

// Runs of listed ops become bodies for a stream.
// RUN: tfrt_gpu_opt %s -tfrt-streamify-ops=ops=my.split,my.load,my.loop,tfrt.call,tfrt.return -allow-unregistered-dialect | FileCheck %s
// RUN: tfrt_gpu_opt %s --tfrt-streamify-ops='ops=my.split,my.load,my.loop,tfrt.call,tfrt.return' -allow-unregistered-dialect | FileCheck %s
// Nothing is listed.
// RUN: tfrt_gpu_opt %s -tfrt-streamify-ops -allow-unregistered-dialect -o %t
// RUN: tfrt_gpu_opt %s -allow-unregistered-dialect | diff - %t

// CHECK-LABEL: func.func @one_run(%arg0: f32) -> f32 {
func.func @one_run(%x: f32) -> f32 {
  // CHECK-NEXT: %0:2 = tfrt_gpu.streamify {
  // CHECK-NEXT: ^bb0(%arg1: !tfrt.chain, %arg2: !tfrt_gpu.stream):
  // CHECK-NEXT:   %1:2 = "my.split"(%arg0) : (f32) -> (f32, f32)
  // CHECK-NEXT:   %2 = "my.load"(%1#0) : (f32) -> f32
  // CHECK-NEXT:   tfrt.return %arg1, %1#1, %2 : !tfrt.chain, f32, f32
  // CHECK-NEXT: } : f32, f32
  // CHECK-NEXT: "my.use"(%0#0) : (f32) -> ()
  // CHECK-NEXT: tfrt.return %0#1 : f32
  %a, %b = "my.split"(%x) : (f32) -> (f32, f32)
  %c = "my.load"(%a) : (f32) -> f32
  "my.use"(%b) : (f32) -> ()
  tfrt.return %c : f32
}

// Three runs: a call takes what an earlier run made; a result that nobody uses is none.
// CHECK-LABEL: func.func @three_runs() {
func.func @three_runs() {
  // CHECK-NEXT: %0 = tfrt_gpu.streamify {
  // CHECK-NEXT: ^bb0(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream):
  // CHECK-NEXT:   %1:2 = tfrt.call @two() : () -> (f32, f32)
  // CHECK-NEXT:   tfrt.return %arg0, %1#1 : !tfrt.chain, f32
  // CHECK-NEXT: } : f32
  %a, %b = tfrt.call @two() : () -> (f32, f32)
  // CHECK-NEXT: "my.other"() : () -> ()
  "my.other"() : () -> ()
  // CHECK-NEXT: tfrt_gpu.streamify {
  // CHECK-NEXT: ^bb0(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream):
  // CHECK-NEXT:   tfrt.call @take(%0) : (f32) -> ()
  // CHECK-NEXT:   tfrt.return %arg0 : !tfrt.chain
  // CHECK-NEXT: }
  tfrt.call @take(%b) : (f32) -> ()
  // CHECK-NEXT: "my.other"() : () -> ()
  "my.other"() : () -> ()
  // CHECK-NEXT: tfrt_gpu.streamify {
  // CHECK-NEXT: ^bb0(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream):
  // CHECK-NEXT:   tfrt.call @take(%0) : (f32) -> ()
  // CHECK-NEXT:   tfrt.return %arg0 : !tfrt.chain
  // CHECK-NEXT: }
  tfrt.call @take(%b) : (f32) -> ()
  // CHECK-NEXT: tfrt.return
  tfrt.return
}
func.func private @two() -> (f32, f32)
func.func private @take(%x: f32)

// Regions: what only a nested op uses is used behind the run, too; blocks of listed ops have runs of
// their own; the body of a tfrt_gpu.streamify has none.
// CHECK-LABEL: func.func @regions(%arg0: f32) {
func.func @regions(%x: f32) {
  // CHECK-NEXT: %0 = tfrt_gpu.streamify {
  // CHECK-NEXT: ^bb0(%arg1: !tfrt.chain, %arg2: !tfrt_gpu.stream):
  // CHECK-NEXT:   %1 = "my.load"(%arg0) : (f32) -> f32
  // CHECK-NEXT:   "my.loop"() ({
  // CHECK-NEXT:     tfrt_gpu.streamify {
  // CHECK-NEXT:     ^bb0(%arg3: !tfrt.chain, %arg4: !tfrt_gpu.stream):
  // CHECK-NEXT:       %2 = "my.load"(%1) : (f32) -> f32
  // CHECK-NEXT:       tfrt.return %arg3 : !tfrt.chain
  // CHECK-NEXT:     }
  // CHECK-NEXT:   }) : () -> ()
  // CHECK-NEXT:   tfrt.return %arg1, %1 : !tfrt.chain, f32
  // CHECK-NEXT: } : f32
  %a = "my.load"(%x) : (f32) -> f32
  "my.loop"() ({
    %b = "my.load"(%a) : (f32) -> f32
  }) : () -> ()
  // CHECK-NEXT: "my.region"() ({
  // CHECK-NEXT:   "my.use"(%0) : (f32) -> ()
  // CHECK-NEXT: }) : () -> ()
  "my.region"() ({
    "my.use"(%a) : (f32) -> ()
  }) : () -> ()
  // CHECK-NEXT: tfrt_gpu.streamify {
  // CHECK-NEXT: ^bb0(%arg1: !tfrt.chain, %arg2: !tfrt_gpu.stream):
  // CHECK-NEXT:   %1 = "my.load"(%arg0) : (f32) -> f32
  // CHECK-NEXT:   "my.use"(%1) : (f32) -> ()
  // CHECK-NEXT:   tfrt.return %arg1 : !tfrt.chain
  // CHECK-NEXT: }
  tfrt_gpu.streamify {
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    %b = "my.load"(%x) : (f32) -> f32
    "my.use"(%b) : (f32) -> ()
    tfrt.return %c : !tfrt.chain
  }
  // CHECK-NEXT: tfrt.return
  tfrt.return
}

// An op that ends a block may be listed, and remains its last one.
// CHECK-LABEL: func.func @last
// CHECK-NEXT: "my.loop"() : () -> ()
func.func @last() {
  "my.loop"() : () -> ()
}

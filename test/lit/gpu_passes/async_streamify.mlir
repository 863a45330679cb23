// Async values of tokens become chains and events.
// RUN: tfrt_gpu_opt %s -async-tfrt-streamify | FileCheck %s

// CHECK-LABEL: func.func @start(%arg0: !gpu.async.token) -> !gpu.async.token {
func.func @start(%t: !gpu.async.token) -> !gpu.async.token {
  // CHECK-NEXT: %token, %bodyResults:2 = async.execute -> (!async.value<!tfrt.chain>, !async.value<!tfrt_gpu.event>) {
  // CHECK-NEXT:   %3:2 = builtin.unrealized_conversion_cast %arg0 : !gpu.async.token to !tfrt.chain, !tfrt_gpu.event
  // CHECK-NEXT:   async.yield %3#0, %3#1 : !tfrt.chain, !tfrt_gpu.event
  // CHECK-NEXT: }
  %done, %f = async.execute -> !async.value<!gpu.async.token> {
    async.yield %t : !gpu.async.token
  }
  // CHECK-NEXT: %0 = async.await %bodyResults#0 : !async.value<!tfrt.chain>
  // CHECK-NEXT: %1 = async.await %bodyResults#1 : !async.value<!tfrt_gpu.event>
  // CHECK-NEXT: %2 = builtin.unrealized_conversion_cast %0, %1 : !tfrt.chain, !tfrt_gpu.event to !gpu.async.token
  %u = async.await %f : !async.value<!gpu.async.token>
  // CHECK-NEXT: tfrt.return %2 : !gpu.async.token
  tfrt.return %u : !gpu.async.token
}

// Operands, between others; dependencies and attributes stay.
// CHECK-LABEL: func.func @operands
// CHECK-NEXT: %0:2 = builtin.unrealized_conversion_cast %arg1 : !async.value<!gpu.async.token> to !async.value<!tfrt.chain>, !async.value<!tfrt_gpu.event>
func.func @operands(%a: !async.token, %v: !async.value<!gpu.async.token>, %w: !async.value<f32>) {
  // CHECK-NEXT: %token, %bodyResults:4 = async.execute [%arg0] (%arg2 as %arg3: !async.value<f32>, %0#0 as %arg4: !async.value<!tfrt.chain>, %0#1 as %arg5: !async.value<!tfrt_gpu.event>, %arg2 as %arg6: !async.value<f32>) -> (!async.value<f32>, !async.value<!tfrt.chain>, !async.value<!tfrt_gpu.event>, !async.value<f32>) attributes {hint} {
  // CHECK-NEXT:   %2 = builtin.unrealized_conversion_cast %arg4, %arg5 : !tfrt.chain, !tfrt_gpu.event to !gpu.async.token
  // CHECK-NEXT:   %3:2 = builtin.unrealized_conversion_cast %2 : !gpu.async.token to !tfrt.chain, !tfrt_gpu.event
  // CHECK-NEXT:   async.yield %arg6, %3#0, %3#1, %arg3 : f32, !tfrt.chain, !tfrt_gpu.event, f32
  %done, %f:3 = async.execute [%a] (%w as %x: !async.value<f32>, %v as %t: !async.value<!gpu.async.token>, %w as %y: !async.value<f32>) -> (!async.value<f32>, !async.value<!gpu.async.token>, !async.value<f32>) attributes {hint} {
    async.yield %y, %t, %x : f32, !gpu.async.token, f32
  }
  // CHECK: %token_0, %bodyResults_1:2 = async.execute (%bodyResults#1 as %{{.*}}: !async.value<!tfrt.chain>, %bodyResults#2 as %{{.*}}: !async.value<!tfrt_gpu.event>, %0#0 as %{{.*}}: !async.value<!tfrt.chain>, %0#1 as
  %done2, %g = async.execute (%f#1 as %t: !async.value<!gpu.async.token>, %v as %u: !async.value<!gpu.async.token>) -> !async.value<!gpu.async.token> {
    async.yield %u : !gpu.async.token
  }
  // CHECK: %[[X:.*]] = async.await %bodyResults#3 : !async.value<f32>
  // CHECK-NEXT: tfrt.return
  %z = async.await %f#2 : !async.value<f32>
  tfrt.return
}

// A nested task, and a value that is returned as it was.
// CHECK-LABEL: func.func @nested(%arg0: !gpu.async.token) -> !async.value<!gpu.async.token> {
// CHECK-NEXT: %token, %bodyResults:2 = async.execute -> (!async.value<!tfrt.chain>, !async.value<!tfrt_gpu.event>) {
// CHECK-NEXT:   %token_0, %bodyResults_1:2 = async.execute -> (!async.value<!tfrt.chain>, !async.value<!tfrt_gpu.event>) {
// CHECK:        async.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   %1 = async.await %bodyResults_1#0
// CHECK-NEXT:   %2 = async.await %bodyResults_1#1
// CHECK-NEXT:   %3 = builtin.unrealized_conversion_cast %1, %2
// CHECK-NEXT:   %4:2 = builtin.unrealized_conversion_cast %3
// CHECK-NEXT:   async.yield %4#0, %4#1
// CHECK-NEXT: }
// CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %bodyResults#0, %bodyResults#1 : !async.value<!tfrt.chain>, !async.value<!tfrt_gpu.event> to !async.value<!gpu.async.token>
// CHECK-NEXT: tfrt.return %0 : !async.value<!gpu.async.token>
func.func @nested(%t: !gpu.async.token) -> !async.value<!gpu.async.token> {
  %done, %f = async.execute -> !async.value<!gpu.async.token> {
    %d, %g = async.execute -> !async.value<!gpu.async.token> {
      async.yield %t : !gpu.async.token
    }
    %u = async.await %g : !async.value<!gpu.async.token>
    async.yield %u : !gpu.async.token
  }
  tfrt.return %f : !async.value<!gpu.async.token>
}

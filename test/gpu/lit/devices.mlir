// Devices, contexts, streams and events.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef | FileCheck %s
// RUN: bef_executor_lite %t.bef | FileCheck %s

// CHECK-LABEL: 'two_streams'
// CHECK-NEXT: 'two_streams' returned !tfrt.chain value,!tfrt.chain value
func.func @two_streams() -> (!tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %main = tfrt_gpu.context.primary %dev
  %a = tfrt_gpu.stream.create %main
  %ctx = tfrt_gpu.stream.get_context %a
  %b = tfrt_gpu.stream.create %ctx
  %ev = tfrt_gpu.event.create %ctx
  %c1 = tfrt_gpu.event.record %ev, %a, %c0
  %c2 = tfrt_gpu.stream.wait %b, %ev, %c1
  %c3 = tfrt_gpu.event.synchronize %ev, %c1
  %c4 = tfrt_gpu.stream.synchronize %b, %c2
  tfrt.return %c3, %c4 : !tfrt.chain, !tfrt.chain
}

// What nobody has recorded is over.
// CHECK-LABEL: 'new_event'
// CHECK-NEXT: 'new_event' returned !tfrt.chain value
func.func @new_event() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %ev = tfrt_gpu.event.create %ctx
  %c1 = tfrt_gpu.stream.wait %s, %ev, %c0
  %c2 = tfrt_gpu.event.synchronize %ev, %c1
  tfrt.return %c2 : !tfrt.chain
}

// The last user of a context of its own is a result that nobody uses.
// CHECK-LABEL: 'own_context'
// CHECK-NEXT: 'own_context' returned !tfrt_gpu.device value,!tfrt_gpu.context value,!tfrt_gpu.stream value,!tfrt_gpu.event value,!tfrt_gpu.allocator value
func.func @own_context() -> (!tfrt_gpu.device, !tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.event, !tfrt_gpu.allocator) {
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.create %dev
  %s = tfrt_gpu.stream.create %ctx
  %ev = tfrt_gpu.event.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  tfrt.return %dev, %ctx, %s, %ev, %al : !tfrt_gpu.device, !tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.event, !tfrt_gpu.allocator
}

// Errors.

// CHECK-LABEL: 'ordinals'
// CHECK-NEXT: 'ordinals' returned <<error: {{.*}}CUDA_ERROR_INVALID_DEVICE{{.*}}>>,<<error: {{.*}}CUDA_ERROR_INVALID_DEVICE{{.*}}>>
func.func @ordinals() -> (!tfrt_gpu.device, !tfrt_gpu.device) {
  %minus = tfrt.constant.i32 -1
  %many = tfrt.constant.i32 1000
  // expected-error @+1 {{'cuDeviceGet(&device, ordinal)': CUDA_ERROR_INVALID_DEVICE}}
  %a = tfrt_gpu.device.get CUDA, %minus
  // expected-error @+1 {{CUDA_ERROR_INVALID_DEVICE}}
  %b = tfrt_gpu.device.get CUDA, %many
  tfrt.return %a, %b : !tfrt_gpu.device, !tfrt_gpu.device
}

// CHECK-LABEL: 'platforms'
func.func @platforms() -> (!tfrt_gpu.device, !tfrt_gpu.device, !tfrt_gpu.device) {
  %n = tfrt.constant.i32 0
  // expected-error @+1 {{runtime error: Invalid platform NONE}}
  %a = tfrt_gpu.device.get NONE, %n
  // expected-error @+1 {{runtime error: Unsupported platform ROCm}}
  %b = tfrt_gpu.device.get ROCm, %n
  // expected-error @+1 {{runtime error: Invalid platform Platform(7)}}
  %c = "tfrt_gpu.device.get"(%n) <{platform = 7 : si32}> : (i32) -> !tfrt_gpu.device
  tfrt.return %a, %b, %c : !tfrt_gpu.device, !tfrt_gpu.device, !tfrt_gpu.device
}

// An error leaves what does not depend on it as it is.
func.func @failing_part() -> (!tfrt_gpu.context, i32) {
  %minus = tfrt.constant.i32 -1
  %dev = tfrt_gpu.device.get CUDA, %minus  // expected-error {{CUDA_ERROR_INVALID_DEVICE}}
  %ctx = tfrt_gpu.context.primary %dev
  tfrt.return %ctx, %minus : !tfrt_gpu.context, i32
}
// CHECK-LABEL: 'unrelated'
// CHECK: 'unrelated' returned -1
func.func @unrelated() -> i32 {
  %ctx, %n = tfrt.call @failing_part() : () -> (!tfrt_gpu.context, i32)
  tfrt.return %n : i32
}

// CHECK-LABEL: 'contexts_differ'
func.func @contexts_differ() -> (!tfrt.chain, !tfrt_gpu.buffer) {
  %c0 = tfrt.new.chain
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %main = tfrt_gpu.context.primary %dev
  %own = tfrt_gpu.context.create %dev
  %s = tfrt_gpu.stream.create %main
  %ev = tfrt_gpu.event.create %own
  // expected-error @+1 {{context}}
  %c1 = tfrt_gpu.event.record %ev, %s, %c0
  %al = tfrt_gpu.allocator.create %own
  %size = tfrt.constant.i64 8
  // expected-error @+1 {{allocator and stream are of different contexts}}
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  tfrt.return %c1, %b : !tfrt.chain, !tfrt_gpu.buffer
}

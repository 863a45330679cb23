// Copies of more than goes in one piece.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @open() -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator) {
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  tfrt.return %ctx, %s, %al : !tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator
}

// There and back.
// CHECK-LABEL: 'large'
// CHECK: 'large' returned 1,!tfrt.chain value
func.func @large() -> (i1, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 16777216
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %from = tfrt_dht.create_uninitialized_tensor.f32.1 [4194304]
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %from, %c0 2.5 : f32
  %to = tfrt_dht.create_uninitialized_tensor.f32.1 [4194304]
  %c2 = tfrt_dht.fill_tensor_with_constant.f32 %to, %c1 0.0 : f32
  %from_buffer, %c3 = tfrt_dht.get_buffer %from, %c2
  %to_buffer, %c4 = tfrt_dht.get_buffer %to, %c3
  %c5 = tfrt_gpu.mem.copy %b, %from_buffer, %s, %c4 : !tfrt_gpu.buffer, !ht.host_buffer
  %c6 = tfrt_gpu.mem.copy %to_buffer, %b, %s, %c5 : !ht.host_buffer, !tfrt_gpu.buffer
  %same, %c7 = tfrt_dht.tensor_equal.f32 %from, %to, %c6
  tfrt.return %same, %c7 : i1, !tfrt.chain
}

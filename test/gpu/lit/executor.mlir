// The entry point of a file: a function that gets a stream and buffers, which are zeroed.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: tfrt_gpu_executor %t.bef | FileCheck %s
// RUN: tfrt_gpu_executor < %t.bef | FileCheck %s
// RUN: tfrt_gpu_executor - < %t.bef | FileCheck %s
// In a pipeline of the three tools, with places in this file.
// RUN: tfrt_gpu_opt -mlir-print-op-generic -mlir-print-debuginfo %s | tfrt_gpu_translate -mlir-to-bef | tfrt_gpu_executor | FileCheck %s
// Nothing but what the program prints.
// CHECK-NOT: {{.}}
// CHECK: {{^}}DenseHostTensor dtype = i32, shape = [3], values = [0, 0, 0]{{$}}
// CHECK-NEXT: {{^}}GpuBuffer<pointer=0x0 (NONE), size=0>

func.func @get_tfrt_gpu_entry_point() -> !tfrt_gpu.entry_point {
  %0 = "tfrt_gpu.get_entry_point"() {buffer_sizes = [12, 0], function_name = "step", platform = 1 : si32, version = 410724080 : i64} : () -> !tfrt_gpu.entry_point
  tfrt.return %0 : !tfrt_gpu.entry_point
}

func.func @step(%c0: !tfrt.chain, %s: !tfrt_gpu.stream, %b: !tfrt_gpu.buffer, %empty: !tfrt_gpu.buffer) -> !tfrt.chain {
  %h = tfrt_dht.create_uninitialized_tensor.i32.1 [3]
  %hb, %c1 = tfrt_dht.get_buffer %h, %c0
  %c2 = tfrt_gpu.mem.copy %hb, %b, %s, %c1 : !ht.host_buffer, !tfrt_gpu.buffer
  %c3 = tfrt_dht.print_tensor %h, %c2
  %c4 = tfrt_gpu.mem.print_metadata %empty, %c3
  // A diagnostic that is expected is no failure.
  %n = tfrt.constant.i32 -1
  %dev = tfrt_gpu.device.get CUDA, %n  // expected-error {{CUDA_ERROR_INVALID_DEVICE}}
  tfrt.return %c4 : !tfrt.chain
}

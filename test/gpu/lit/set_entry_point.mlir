// The pass that says what tfrt_gpu_executor runs, in a pipeline of the three tools.
// RUN: tfrt_gpu_opt -mlir-print-debuginfo -tfrt-set-entry-point='platform=CUDA function_name=step buffer_sizes=12,4' %s | tfrt_gpu_translate -mlir-to-bef | tfrt_gpu_executor | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-debuginfo -mlir-print-op-generic -tfrt-set-entry-point='platform=CUDA function_name=step buffer_sizes=12,4' %s | tfrt_gpu_translate -mlir-to-bef | tfrt_gpu_executor | FileCheck %s
// RUN: tfrt_gpu_opt -tfrt-set-entry-point='platform=CUDA function_name=step buffer_sizes=12' %s | tfrt_gpu_translate -mlir-to-bef -o %t.bef
// RUN: not tfrt_gpu_executor %t.bef 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: tfrt_gpu_opt -tfrt-set-entry-point='platform=ROCm function_name=step buffer_sizes=12,4' %s | tfrt_gpu_translate -mlir-to-bef -o %t.bef
// RUN: not tfrt_gpu_executor %t.bef 2>&1 | FileCheck %s --check-prefix=ROCM

// CHECK: {{^}}GpuBuffer<pointer={{0x[0-9a-f]+}} (CUDA), size=12>GpuBuffer<pointer={{0x[0-9a-f]+}} (CUDA), size=4>
// COUNT: Incorrect number of arguments
// ROCM: Unsupported platform ROCm
func.func @step(%c0: !tfrt.chain, %s: !tfrt_gpu.stream, %a: !tfrt_gpu.buffer, %b: !tfrt_gpu.buffer) -> !tfrt.chain {
  %c1 = tfrt_gpu.mem.print_metadata %a, %c0
  %c2 = tfrt_gpu.mem.print_metadata %b, %c1
  // The diagnostic is found at this line, which the tools pass on.
  %n = tfrt.constant.i32 -1
  %dev = tfrt_gpu.device.get CUDA, %n  // expected-error {{CUDA_ERROR_INVALID_DEVICE}}
  tfrt.return %c2 : !tfrt.chain
}
func.func @other() {
  tfrt.return
}

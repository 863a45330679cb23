// The pass makes what tfrt_gpu_executor runs.
// RUN: tfrt_gpu_opt %s -tfrt-set-entry-point='platform=CUDA function_name=step buffer_sizes=512,16' | FileCheck %s
// RUN: tfrt_gpu_opt %s --tfrt-set-entry-point='platform=ROCm function_name=other' | FileCheck %s --check-prefix=ROCM
// RUN: not tfrt_gpu_opt %s -tfrt-set-entry-point 2>&1 | FileCheck %s --check-prefix=PLATFORM
// RUN: not tfrt_gpu_opt %s -tfrt-set-entry-point='platform=NONE function_name=step' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tfrt_gpu_opt %s -tfrt-set-entry-point='platform=cuda function_name=step' 2>&1 | FileCheck %s --check-prefix=SPELLING
// RUN: not tfrt_gpu_opt %s -tfrt-set-entry-point='platform=CUDA function_name=Step' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tfrt_gpu_opt %s -tfrt-set-entry-point='platform=CUDA' 2>&1 | FileCheck %s --check-prefix=ONE
// With one function its name can be left out; what the option wrote is read back and runs.
// RUN: echo 'func.func @only(%%c: !tfrt.chain, %%s: !tfrt_gpu.stream) -> !tfrt.chain { tfrt.return %%c : !tfrt.chain }' > %t.mlir
// RUN: tfrt_gpu_opt %t.mlir -tfrt-set-entry-point=platform=CUDA | tfrt_gpu_translate -mlir-to-bef | tfrt_gpu_translate -bef-to-mlir | FileCheck %s --check-prefix=ONLY

// CHECK: module {
// CHECK-NEXT: func.func @get_tfrt_gpu_entry_point() -> !tfrt_gpu.entry_point {
// CHECK-NEXT:   %0 = "tfrt_gpu.get_entry_point"() {buffer_sizes = [512, 16], function_name = "step", platform = 1 : si32, version = 410724080 : i64} : () -> !tfrt_gpu.entry_point
// CHECK-NEXT:   tfrt.return %0 : !tfrt_gpu.entry_point
// CHECK-NEXT: }
// CHECK-NEXT: func.func @step
// ROCM: {buffer_sizes = [], function_name = "other", platform = 2 : si32, version = 410724080 : i64}
// PLATFORM: set_entry_point.mlir:{{.*}}: error: Unspecified 'platform' option
// NONE: error: Invalid platform: NONE
// SPELLING: error: Invalid platform: cuda
// NAME: error: Function 'Step' not found
// ONE: error: Expected exactly one function
// ONLY: function_name = "only"
func.func @step(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %a: !tfrt_gpu.buffer, %b: !tfrt_gpu.buffer) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @other() {
  tfrt.return
}

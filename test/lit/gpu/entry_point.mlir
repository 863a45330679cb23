// The entry point that tfrt_gpu_executor asks for is no op of the dialect: its attributes stay in one dictionary.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | FileCheck %s
// RUN: tfrt_gpu_translate -mlir-to-bef %s | tfrt_gpu_translate -bef-to-mlir | FileCheck %s

// CHECK: "tfrt_gpu.get_entry_point"() {buffer_sizes = [512, 16], function_name = "step", platform = 1 : si32, version = 410724080 : i64} : () -> !tfrt_gpu.entry_point
func.func @get_tfrt_gpu_entry_point() -> !tfrt_gpu.entry_point {
  %0 = "tfrt_gpu.get_entry_point"() {buffer_sizes = [512, 16], function_name = "step", platform = 1 : si32, version = 410724080 : i64} : () -> !tfrt_gpu.entry_point
  tfrt.return %0 : !tfrt_gpu.entry_point
}

func.func @get_tfrt_gpu_entry_point() -> !tfrt_gpu.entry_point {
  %0 = "tfrt_gpu.get_entry_point"() {buffer_sizes = [], function_name = "step", platform = 1 : si32, version = 410724080 : i64} : () -> !tfrt_gpu.entry_point
  tfrt.return %0 : !tfrt_gpu.entry_point
}
func.func @step(%c: !tfrt.chain, %s: !tfrt_gpu.stream) -> !tfrt.chain {
  %n = tfrt.constant.i32 -1
  %dev = tfrt_gpu.device.get CUDA, %n  // expected-error {{CUDA_ERROR_INVALID_DEVICE}}
  %d = tfrt.merge.chains %dev, %c : !tfrt_gpu.device, !tfrt.chain
  tfrt.return %d : !tfrt.chain
}

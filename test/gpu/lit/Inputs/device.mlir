func.func @main() -> !tfrt_gpu.device {
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  tfrt.return %dev : !tfrt_gpu.device
}

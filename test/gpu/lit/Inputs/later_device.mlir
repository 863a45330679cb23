func.func @main() -> !tfrt_gpu.module {
  %zero = tfrt.constant.i32 0
  %device = tfrt_gpu.device.get CUDA, %zero
  %context = tfrt_gpu.context.primary %device
  %module = tfrt_gpu.module.load %context {data = ".version 7.8\n.target sm_90\n.address_size 64\n\00"}
  tfrt.return %module : !tfrt_gpu.module
}

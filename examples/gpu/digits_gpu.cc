// The digits program (examples/digits) with its network on a GPU: another compiled network, and the
// kernels of the GPU half for it.
//
//   digits_gpu [--bef=FILE] [--data=FOLDER] [--work_queue_type=s|mstd:N]

#include "digits_main.h"
#include "tfrt/gpu/kernels/gpu_kernels.h"

int main(int argc, char** argv) {
  return digits::Main(
      argc, argv,
      {.name = "digits_gpu",
       .bef = TFRT_DIGITS_GPU_BEF,
       .prepare_host = [](tfrt::HostContext& host) { return tfrt::gpu::RegisterGpu(host); }});
}

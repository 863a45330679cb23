// Entry points: launches.
#include "capture.h"
#include "launches.h"

namespace tfrt::gpu::cuda_double {
namespace {

CUresult Launch(Call& call, const LaunchShape& shape, CUstream stream, void** parameters,
                void** extra) {
  Driver& driver = call.driver();
  std::shared_ptr<Stream> found;
  TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
  std::shared_ptr<KernelOperation> operation;
  TFRT_GPU_RETURN_IF_FAILED(MakeKernelOperation(call, shape, parameters, extra,
                                                call.is_null_mode() ? nullptr : &operation));
  const std::shared_ptr<Kernel>& kernel = driver.kernels.Find(shape.function);
  call.Note("kernel=", kernel->entry->name, " grid=", shape.grid.x, ',', shape.grid.y, ',',
            shape.grid.z, " block=", shape.block.x, ',', shape.block.y, ',', shape.block.z);
  if (kernel->module->context != found->context) return CUDA_ERROR_INVALID_HANDLE;
  kernel->is_loaded = true;  // at the latest; a capture may contain that
  if (!operation && found->capture) {
    TFRT_GPU_RETURN_IF_FAILED(MakeKernelOperation(call, shape, parameters, extra, &operation));
  }
  return call.Submit(found, std::move(operation));
}

// Reads the attributes of a launch, which add to its shape.
CUresult ReadAttributes(const CUlaunchConfig& config, LaunchShape* shape) {
  if (config.numAttrs > 0 && !config.attrs) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    switch (attribute.id) {
      case CU_LAUNCH_ATTRIBUTE_IGNORE:
      case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      // It may begin before its predecessor has ended, if that says so: ours never do.
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        break;
      case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        shape->cooperative = attribute.value.cooperative != 0;
        break;
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: {
        const auto& cluster = attribute.value.clusterDim;
        if (cluster.x != 1 || cluster.y != 1 || cluster.z != 1) return CUDA_ERROR_NOT_SUPPORTED;
        break;
      }
      default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** parameters, void** extra) {
  return Enter(Function::cuLaunchKernel, Needs::kContext, [&](Call& call) -> CUresult {
    return Launch(call,
                  {function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes},
                  stream, parameters, extra);
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void** extra) {
  return Enter(Function::cuLaunchKernelEx, Needs::kContext, [&](Call& call) -> CUresult {
    if (!config) return CUDA_ERROR_INVALID_VALUE;
    LaunchShape shape{function,
                      {config->gridDimX, config->gridDimY, config->gridDimZ},
                      {config->blockDimX, config->blockDimY, config->blockDimZ},
                      config->sharedMemBytes};
    TFRT_GPU_RETURN_IF_FAILED(ReadAttributes(*config, &shape));
    return Launch(call, shape, config->hStream, parameters, extra);
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void** parameters) {
  return Enter(Function::cuLaunchCooperativeKernel, Needs::kContext, [&](Call& call) -> CUresult {
    return Launch(call,
                  {function,
                   {grid_x, grid_y, grid_z},
                   {block_x, block_y, block_z},
                   shared_bytes,
                   /*cooperative=*/true},
                  stream, parameters, nullptr);
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda

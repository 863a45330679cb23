#include "launches.h"

#include <cstring>
#include <utility>

namespace tfrt::gpu::cuda_double {
namespace {

bool IsGood(const ptx::Dim3& size, const uint32_t (&limits)[3]) {
  return size.x > 0 && size.y > 0 && size.z > 0 && size.x <= limits[0] && size.y <= limits[1] &&
         size.z <= limits[2];
}

CUresult CheckShape(const Kernel& kernel, const LaunchShape& shape) {
  const ptx::Entry& entry = *kernel.entry;
  if (!IsGood(shape.grid, kMaxGridDim) || !IsGood(shape.block, kMaxBlockDim) ||
      shape.block.count() > kMaxThreadsPerBlock) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (shape.dynamic_shared_bytes > kernel.max_dynamic_shared_bytes) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (entry.required_threads && *entry.required_threads != shape.block) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (shape.block.count() > MaxThreads(entry)) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (shape.cooperative) {
    uint64_t resident = MaxResidentBlocks(entry, static_cast<uint32_t>(shape.block.count()),
                                          shape.dynamic_shared_bytes);
    if (shape.grid.count() > resident * kNumMultiprocessors) {
      return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    }
  }
  return CUDA_SUCCESS;
}

// `extra` is a list of keys with values: a buffer, and its size.
CUresult ReadExtra(void** extra, const std::byte** buffer, size_t* size_bytes) {
  for (; *extra != reinterpret_cast<void*>(uintptr_t{CU_LAUNCH_PARAM_END_AS_INT}); extra += 2) {
    auto key = reinterpret_cast<uintptr_t>(extra[0]);
    if (key == CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT) {
      *buffer = static_cast<const std::byte*>(extra[1]);
    } else if (key == CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT) {
      *size_bytes = *static_cast<const size_t*>(extra[1]);
    } else {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

CUresult GatherParameters(const ptx::Entry& entry, void** parameters, void** extra,
                          std::vector<std::byte>* bytes) {
  if (parameters && extra) return CUDA_ERROR_INVALID_VALUE;
  bytes->resize(entry.parameter_bytes);
  if (extra) {
    const std::byte* buffer = nullptr;
    size_t size_bytes = 0;
    TFRT_GPU_RETURN_IF_FAILED(ReadExtra(extra, &buffer, &size_bytes));
    if (size_bytes < entry.parameter_bytes || (!buffer && size_bytes > 0)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (!bytes->empty()) std::memcpy(bytes->data(), buffer, bytes->size());
    return CUDA_SUCCESS;
  }
  if (entry.parameters.empty()) return CUDA_SUCCESS;
  if (!parameters) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const ptx::Parameter& parameter = entry.parameters[i];
    if (!parameters[i]) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(bytes->data() + parameter.offset, parameters[i], parameter.size);
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult MakeKernelOperation(Call& call, const LaunchShape& shape, void** parameters, void** extra,
                             std::shared_ptr<KernelOperation>* operation) {
  Driver& driver = call.driver();
  const std::shared_ptr<Kernel>& kernel = driver.kernels.Find(shape.function);
  if (!kernel) return call.BadHandle("function", driver.kernels.WasRemoved(shape.function));
  if (kernel->module->context->failure() != CUDA_SUCCESS) return kernel->module->context->failure();
  TFRT_GPU_RETURN_IF_FAILED(CheckShape(*kernel, shape));
  std::vector<std::byte> bytes;
  TFRT_GPU_RETURN_IF_FAILED(GatherParameters(*kernel->entry, parameters, extra, &bytes));
  if (operation) {
    *operation = std::make_shared<KernelOperation>(kernel, shape, std::move(bytes));
  }
  return CUDA_SUCCESS;
}

}  // namespace tfrt::gpu::cuda_double

#include "empty_driver.h"

#include <cstdint>
#include <cstdlib>

namespace tfrt::bench {
namespace {

using namespace gpu::cuda;  // NOLINT: the vendor's spellings

template <typename T>
CUresult Give(T* out) {
  static uintptr_t next = 0;
  next += size_t{1} << 40;  // addresses of device memory that are far apart
  *out = (T)(next);         // NOLINT: a pointer or a number
  return CUDA_SUCCESS;
}

DriverTable MakeTable() {
  DriverTable table;
  table.cuGetErrorString = [](CUresult, const char**) { return CUDA_ERROR_INVALID_VALUE; };
  table.cuDeviceGetCount = [](int* count) {
    *count = 1;
    return CUDA_SUCCESS;
  };
  table.cuDeviceGet = [](CUdevice* device, int) {
    *device = 0;
    return CUDA_SUCCESS;
  };
  table.cuDeviceGetAttribute = [](int* value, CUdevice_attribute, CUdevice) {
    *value = 0;
    return CUDA_SUCCESS;
  };
  table.cuDevicePrimaryCtxRetain = [](CUcontext* context, CUdevice) { return Give(context); };
  table.cuDevicePrimaryCtxRelease_v2 = [](CUdevice) { return CUDA_SUCCESS; };
  table.cuCtxSetCurrent = [](CUcontext) { return CUDA_SUCCESS; };
  table.cuStreamCreateWithPriority = [](CUstream* stream, unsigned, int) { return Give(stream); };
  table.cuStreamDestroy_v2 = [](CUstream) { return CUDA_SUCCESS; };
  table.cuStreamQuery = [](CUstream) { return CUDA_SUCCESS; };
  table.cuStreamSynchronize = [](CUstream) { return CUDA_SUCCESS; };
  table.cuStreamWaitEvent = [](CUstream, CUevent, unsigned) { return CUDA_SUCCESS; };
  table.cuEventCreate = [](CUevent* event, unsigned) { return Give(event); };
  table.cuEventDestroy_v2 = [](CUevent) { return CUDA_SUCCESS; };
  table.cuEventRecord = [](CUevent, CUstream) { return CUDA_SUCCESS; };
  table.cuEventQuery = [](CUevent) { return CUDA_SUCCESS; };
  table.cuEventSynchronize = [](CUevent) { return CUDA_SUCCESS; };
  table.cuMemAlloc_v2 = [](CUdeviceptr* address, size_t) { return Give(address); };
  table.cuMemFree_v2 = [](CUdeviceptr) { return CUDA_SUCCESS; };
  table.cuMemHostAlloc = [](void** memory, size_t size_bytes, unsigned) {
    *memory = std::malloc(size_bytes);
    return *memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  };
  table.cuMemFreeHost = [](void* memory) {
    std::free(memory);
    return CUDA_SUCCESS;
  };
  table.cuMemcpyHtoDAsync_v2 = [](CUdeviceptr, const void*, size_t, CUstream) {
    return CUDA_SUCCESS;
  };
  table.cuMemcpyDtoDAsync_v2 = [](CUdeviceptr, CUdeviceptr, size_t, CUstream) {
    return CUDA_SUCCESS;
  };
  table.cuModuleLoadDataEx = [](CUmodule* module, const void*, unsigned, CUjit_option*, void**) {
    return Give(module);
  };
  table.cuModuleUnload = [](CUmodule) { return CUDA_SUCCESS; };
  table.cuModuleGetFunction = [](CUfunction* function, CUmodule, const char*) {
    return Give(function);
  };
  table.cuFuncGetAttribute = [](int* value, CUfunction_attribute, CUfunction) {
    *value = 1024;
    return CUDA_SUCCESS;
  };
  table.cuLaunchKernel = [](CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            unsigned, CUstream, void**, void**) { return CUDA_SUCCESS; };
  return table;
}

}  // namespace

const DriverTable& EmptyDriver() {
  static const DriverTable table = MakeTable();
  return table;
}

}  // namespace tfrt::bench

// What differs between the fake drivers: FAKE_VERSION, and FAKE_INIT_RESULT of cuInit.
#include <cstring>

#include "gpu/abi/cuda_driver_exports.h"

namespace tfrt::gpu::cuda {

CUresult cuInit(unsigned flags) {
  return flags == 0 ? static_cast<CUresult>(FAKE_INIT_RESULT) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int* version) {
  *version = FAKE_VERSION;
  return FAKE_VERSION == 0 ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult result, const char** name) {
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult result, const char** text) {
  *text = result == CUDA_ERROR_NO_DEVICE ? "nothing is plugged in" : nullptr;
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int* count) {
  *count = 2;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal + 40;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int size_bytes, CUdevice device) {
  std::memset(name, 'x', static_cast<size_t>(size_bytes));  // longer than there is room for
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  *value = static_cast<int>(attribute) + device;
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t* size_bytes, CUdevice device) {
  *size_bytes = size_t{80} << 30;
  return CUDA_SUCCESS;
}

}  // namespace tfrt::gpu::cuda

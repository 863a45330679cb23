// Entry points: start, errors, devices.
#include <cstring>
#include <string>

#include "call.h"
#include "module.h"

namespace tfrt::gpu::cuda_double {
namespace {

constexpr int kDriverVersion = 13010;

int Attribute(const Driver& driver, const Device& device, CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return kMaxThreadsPerBlock;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
      return static_cast<int>(kMaxBlockDim[attribute - CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X]);
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
      return static_cast<int>(kMaxGridDim[attribute - CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X]);
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      return kSharedBytesPerBlock;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      return kSharedBytesPerBlockOptIn;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      return kSharedBytesPerMultiprocessor;
    case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK:
      return kReservedSharedBytesPerBlock;
    case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY:
      return 65536;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      return kWarpSize;
    case CU_DEVICE_ATTRIBUTE_MAX_PITCH:
      return kMaxPitch;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
      return kRegistersPerMultiprocessor;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
      return 1000000;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
      return 64;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      return 1 << 20;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
      return 512;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return kNumMultiprocessors;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      return kThreadsPerMultiprocessor;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
      return kBlocksPerMultiprocessor;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT:
      return 3;
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
      return device.ordinal + 1;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return driver.settings.major;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return driver.settings.minor;
    case CU_DEVICE_ATTRIBUTE_GPU_OVERLAP:
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM:
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
    case CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
      return 1;
    default:
      return 0;
  }
}

// Whether any driver knows the number: they run without large gaps.
bool IsAttribute(CUdevice_attribute attribute) { return attribute >= 1 && attribute <= 150; }

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuInit(unsigned flags) {
  return Enter(Function::cuInit, Needs::kNothing, [&](Call& call) -> CUresult {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (call.driver().settings.num_devices == 0) return CUDA_ERROR_NO_DEVICE;
    call.driver().is_initialized = true;
    return CUDA_SUCCESS;
  });
}

CUresult cuDriverGetVersion(int* version) {
  return Enter(Function::cuDriverGetVersion, Needs::kNothing, [&](Call&) -> CUresult {
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = kDriverVersion;
    return CUDA_SUCCESS;
  });
}

CUresult cuGetErrorName(CUresult result, const char** name) {
  return Enter(Function::cuGetErrorName, Needs::kNothing, [&](Call&) -> CUresult {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    std::string_view text = ResultName(result);  // of static strings, which end in a zero byte
    *name = text.empty() ? nullptr : text.data();
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuGetErrorString(CUresult result, const char** text) {
  return Enter(Function::cuGetErrorString, Needs::kNothing, [&](Call&) -> CUresult {
    if (!text) return CUDA_ERROR_INVALID_VALUE;
    *text = nullptr;
    if (ResultName(result).empty()) return CUDA_ERROR_INVALID_VALUE;
    *text = result == CUDA_SUCCESS ? "no error" : "an error that the test double answers";
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetCount(int* count) {
  return Enter(Function::cuDeviceGetCount, Needs::kDriver, [&](Call& call) -> CUresult {
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    *count = call.driver().settings.num_devices;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return Enter(Function::cuDeviceGet, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(ordinal, &found));
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char* name, int size_bytes, CUdevice device) {
  return Enter(Function::cuDeviceGetName, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    if (!name || size_bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
    std::strncpy(name, "tfrt test double", static_cast<size_t>(size_bytes));
    name[size_bytes - 1] = '\0';
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return Enter(Function::cuDeviceGetUuid_v2, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    if (!uuid) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
    std::memcpy(uuid->bytes, "tfrt test double", sizeof(uuid->bytes));
    uuid->bytes[15] = static_cast<char>(device);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem_v2(size_t* size_bytes, CUdevice device) {
  return Enter(Function::cuDeviceTotalMem_v2, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    if (!size_bytes) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
    *size_bytes = found->memory_bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return Enter(Function::cuDeviceGetAttribute, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    if (!value || !IsAttribute(attribute)) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
    *value = Attribute(call.driver(), *found, attribute);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  return Enter(Function::cuDeviceCanAccessPeer, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    if (!can_access) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(peer, &found));
    *can_access = device != peer;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return Enter(Function::cuDeviceGetDefaultMemPool, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* found = nullptr;
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(device, &found));
    *pool = found->default_pool;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda

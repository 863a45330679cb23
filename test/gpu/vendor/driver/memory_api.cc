// Entry points: memory of devices, and what an address is.
#include <algorithm>

#include "call.h"
#include "reports.h"

namespace tfrt::gpu::cuda_double {
namespace {

CUresult AllocateDevice(Call& call, uint64_t size_bytes, CUdeviceptr* address) {
  Driver& driver = call.driver();
  Device& device = *call.context()->device;
  if (size_bytes > device.memory_bytes - device.used_bytes) {
    // Pools give back what nobody uses before a program is refused memory.
    driver.TrimPools(&device);
  }
  if (size_bytes > device.memory_bytes - device.used_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  uint64_t begin = device.addresses.Reserve(size_bytes);
  if (begin == 0) return CUDA_ERROR_OUT_OF_MEMORY;
  device.used_bytes += size_bytes;
  auto allocation = std::make_shared<Allocation>();
  allocation->id = driver.memory.NextId();
  allocation->begin = begin;
  allocation->size_bytes = size_bytes;
  allocation->data = device.addresses.Data(begin);
  allocation->device = &device;
  allocation->context = call.context();
  if (call.is_null_mode()) {
    allocation->all_defined = true;
  } else {
    driver.checker.Allocate(driver.HostStamp(call.name()), allocation);
  }
  call.Note("allocation=", allocation->id);
  driver.memory.Add(std::move(allocation));
  *address = begin;
  return CUDA_SUCCESS;
}

CUresult FreeDevice(Call& call, CUdeviceptr address) {
  Driver& driver = call.driver();
  std::shared_ptr<Allocation> allocation = driver.memory.FindBegin(address);
  if (!allocation || IsHost(allocation->kind) || allocation->kind == MemoryKind::kGlobal) {
    TheReports().Add(StrCat("bad free: ", call.name(),
                            " is given an address at which no "
                            "allocation begins"));
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (allocation->context && allocation->context->failure() != CUDA_SUCCESS) {
    return allocation->context->failure();
  }
  // Documentation lets this function wait for the device, and does not promise it: it does not.
  if (allocation->context) call.NoteWaitForContext(*allocation->context);
  if (!call.is_null_mode()) driver.checker.Free(driver.HostStamp(call.name()), *allocation);
  driver.memory.Remove(address);
  if (allocation->pool) {
    // A command that has run stands for the call, as later requests ask what they are ordered
    // behind.
    auto freed = std::make_shared<Command>();
    freed->done = true;
    freed->stamp.step = driver.host_clock.Of(Checker::kHostTimeline);
    ReturnToPool(*allocation->pool, address, allocation->size_bytes, freed);
    if (allocation->pool->is_destroyed) TrimPool(*allocation->pool, 0);
    return CUDA_SUCCESS;
  }
  allocation->device->addresses.Release(address, allocation->size_bytes);
  allocation->device->used_bytes -= allocation->size_bytes;
  return CUDA_SUCCESS;
}

template <typename T>
void Store(void* value, T result) {
  *static_cast<T*>(value) = result;
}

// Null or zero for an address that the driver does not know, as documented.
CUresult PointerAttribute(const Allocation* allocation, CUdeviceptr address,
                          CUpointer_attribute attribute, void* value) {
  bool host = allocation && IsHost(allocation->kind);
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      Store<CUcontext>(value,
                       allocation && allocation->context ? allocation->context->handle : nullptr);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      Store<uint32_t>(value,
                      allocation ? uint32_t{host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE} : 0);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      Store<CUdeviceptr>(value, allocation ? address : 0);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      Store<void*>(value, host ? reinterpret_cast<void*>(address) : nullptr);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      Store<int>(value, 0);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      Store<uint64_t>(value, allocation ? allocation->id : 0);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: {
      const Device* device = !allocation           ? nullptr
                             : allocation->device  ? allocation->device
                             : allocation->context ? allocation->context->device
                                                   : nullptr;
      Store<int>(value, device ? device->ordinal : -2);
      return CUDA_SUCCESS;
    }
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      Store<CUdeviceptr>(value, allocation ? allocation->begin : 0);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      Store<size_t>(value, allocation ? allocation->size_bytes : 0);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      Store<int>(value, allocation != nullptr);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      Store<CUmemoryPool>(value,
                          allocation && allocation->pool ? allocation->pool->handle : nullptr);
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t size_bytes) {
  return Enter(Function::cuMemAlloc_v2, Needs::kContext, [&](Call& call) -> CUresult {
    call.Note("bytes=", size_bytes);
    if (!address || size_bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    return AllocateDevice(call, size_bytes, address);
  });
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  return Enter(Function::cuMemFree_v2, Needs::kContext, [&](Call& call) -> CUresult {
    if (address == 0) return CUDA_SUCCESS;
    TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    return FreeDevice(call, address);
  });
}

CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  return Enter(Function::cuMemGetInfo_v2, Needs::kContext, [&](Call& call) -> CUresult {
    if (!free_bytes || !total_bytes) return CUDA_ERROR_INVALID_VALUE;
    const Device& device = *call.context()->device;
    *total_bytes = device.memory_bytes;
    *free_bytes = device.memory_bytes - device.used_bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* begin, size_t* size_bytes, CUdeviceptr address) {
  return Enter(Function::cuMemGetAddressRange_v2, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Allocation> allocation = call.driver().memory.Find(address);
    if (!allocation) return CUDA_ERROR_NOT_FOUND;
    if (begin) *begin = allocation->begin;
    if (size_bytes) *size_bytes = allocation->size_bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr address) {
  return Enter(Function::cuPointerGetAttributes, Needs::kContext, [&](Call& call) -> CUresult {
    if (count == 0 || !attributes || !values) return CUDA_ERROR_INVALID_VALUE;
    std::shared_ptr<Allocation> allocation = call.driver().memory.Find(address);
    for (unsigned i = 0; i < count; ++i) {
      if (!values[i]) return CUDA_ERROR_INVALID_VALUE;
      TFRT_GPU_RETURN_IF_FAILED(
          PointerAttribute(allocation.get(), address, attributes[i], values[i]));
    }
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda

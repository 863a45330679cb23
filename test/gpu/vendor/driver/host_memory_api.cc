// Entry points: memory of the host that devices can use.
#include <sys/mman.h>

#include <cstring>

#include "call.h"
#include "reports.h"

namespace tfrt::gpu::cuda_double {
namespace {

constexpr unsigned kAllocationFlags =
    CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
constexpr unsigned kRegistrationFlags =
    CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;

void AddHostMemory(Call& call, MemoryKind kind, void* memory, size_t size_bytes, unsigned flags) {
  Driver& driver = call.driver();
  auto allocation = std::make_shared<Allocation>();
  allocation->id = driver.memory.NextId();
  allocation->kind = kind;
  allocation->begin = reinterpret_cast<uint64_t>(memory);
  allocation->size_bytes = size_bytes;
  allocation->data = static_cast<std::byte*>(memory);
  allocation->context = call.context();
  allocation->flags = flags;
  allocation->all_defined = true;
  allocation->writable = kind == MemoryKind::kPinned || (flags & CU_MEMHOSTREGISTER_READ_ONLY) == 0;
  call.Note("allocation=", allocation->id);
  driver.checker.Allocate(driver.HostStamp(call.name()), allocation);
  driver.memory.Add(std::move(allocation));
}

// Does not wait for commands that use the memory: documentation does not say that it would.
void RemoveHostMemory(Call& call, const std::shared_ptr<Allocation>& allocation) {
  Driver& driver = call.driver();
  driver.checker.Free(driver.HostStamp(call.name()), *allocation);
  driver.Forget(allocation);
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuMemHostAlloc(void** memory, size_t size_bytes, unsigned flags) {
  return Enter(Function::cuMemHostAlloc, Needs::kContext, [&](Call& call) -> CUresult {
    call.Note("bytes=", size_bytes);
    if (!memory || (flags & ~kAllocationFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    if (size_bytes == 0) {
      *memory = nullptr;
      return CUDA_SUCCESS;
    }
    if (size_bytes > uint64_t{1} << 40) return CUDA_ERROR_OUT_OF_MEMORY;
    void* mapped =
        mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
    // The driver promises no contents. Null mode, which measures, leaves the memory as it is.
    if (!call.is_null_mode()) std::memset(mapped, kFreshPoison, size_bytes);
    AddHostMemory(call, MemoryKind::kPinned, mapped, size_bytes, flags);
    *memory = mapped;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemFreeHost(void* memory) {
  return Enter(Function::cuMemFreeHost, Needs::kContext, [&](Call& call) -> CUresult {
    if (!memory) return CUDA_SUCCESS;  // what a request for no bytes gave
    auto allocation = call.driver().memory.FindBegin(reinterpret_cast<uint64_t>(memory));
    if (!allocation || allocation->kind != MemoryKind::kPinned) {
      TheReports().Add(
          "bad free: cuMemFreeHost is given an address at which no pinned memory "
          "begins");
      return CUDA_ERROR_INVALID_VALUE;
    }
    TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    call.NoteWaitForContext(*call.context());
    RemoveHostMemory(call, allocation);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostRegister_v2(void* memory, size_t size_bytes, unsigned flags) {
  return Enter(Function::cuMemHostRegister_v2, Needs::kContext, [&](Call& call) -> CUresult {
    call.Note("bytes=", size_bytes);
    if (!memory || size_bytes == 0 || (flags & ~kRegistrationFlags) != 0 ||
        size_bytes > UINT64_MAX - reinterpret_cast<uint64_t>(memory)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    if (call.driver().memory.Overlaps(reinterpret_cast<uint64_t>(memory), size_bytes)) {
      return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    }
    AddHostMemory(call, MemoryKind::kRegistered, memory, size_bytes, flags);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostUnregister(void* memory) {
  return Enter(Function::cuMemHostUnregister, Needs::kContext, [&](Call& call) -> CUresult {
    auto allocation = call.driver().memory.FindBegin(reinterpret_cast<uint64_t>(memory));
    if (!memory) return CUDA_ERROR_INVALID_VALUE;
    if (allocation && allocation->kind == MemoryKind::kPinned) return CUDA_ERROR_INVALID_VALUE;
    if (!allocation || allocation->kind != MemoryKind::kRegistered) {
      return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    }
    TFRT_GPU_RETURN_IF_FAILED(call.CheckCaptureAllows());
    RemoveHostMemory(call, allocation);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* memory, unsigned flags) {
  return Enter(Function::cuMemHostGetDevicePointer_v2, Needs::kContext,
               [&](Call& call) -> CUresult {
                 if (!address || flags != 0) return CUDA_ERROR_INVALID_VALUE;
                 auto allocation = call.driver().memory.Find(reinterpret_cast<uint64_t>(memory));
                 if (!allocation || !IsHost(allocation->kind)) return CUDA_ERROR_INVALID_VALUE;
                 *address = reinterpret_cast<uint64_t>(memory);
                 return CUDA_SUCCESS;
               });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda

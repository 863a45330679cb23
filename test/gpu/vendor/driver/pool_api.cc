// Entry points: stream-ordered memory.
#include "call.h"
#include "capture.h"
#include "operations.h"
#include "reports.h"

namespace tfrt::gpu::cuda_double {
namespace {

CUresult GetPool(Call& call, CUmemoryPool handle, std::shared_ptr<Pool>* pool) {
  *pool = call.driver().pools.Find(handle);
  if (*pool) return CUDA_SUCCESS;
  call.BadHandle("pool", call.driver().pools.WasRemoved(handle));
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult AllocateAsync(Call& call, const std::shared_ptr<Pool>& pool, Stream& stream,
                       uint64_t size_bytes, CUdeviceptr* address) {
  Driver& driver = call.driver();
  TFRT_GPU_RETURN_IF_FAILED(CheckImplicitStream(call, stream));
  if (stream.capture) {
    // A node that allocates: out of the double's scope, and said so.
    stream.capture->is_invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  bool reuses_block = false;
  uint64_t begin = TakeFromPool(*pool, call.ClockOf(stream), size_bytes, &reuses_block);
  if (begin == 0) {
    driver.TrimPools(pool->device);
    begin = TakeFromPool(*pool, call.ClockOf(stream), size_bytes, &reuses_block);
  }
  if (begin == 0) return CUDA_ERROR_OUT_OF_MEMORY;
  auto allocation = std::make_shared<Allocation>();
  allocation->reuses_block = reuses_block;
  allocation->id = driver.memory.NextId();
  allocation->kind = MemoryKind::kPool;
  allocation->begin = begin;
  allocation->size_bytes = size_bytes;
  allocation->data = pool->device->addresses.Data(begin);
  allocation->device = pool->device;
  allocation->context = stream.context;
  allocation->pool = pool.get();
  allocation->state = Allocation::State::kPending;
  allocation->all_defined = call.is_null_mode();
  call.Note("allocation=", allocation->id);
  driver.memory.Add(allocation);
  *address = begin;
  if (call.is_null_mode()) return CUDA_SUCCESS;
  auto operation = std::make_shared<AllocateOperation>(call.name(), std::move(allocation));
  driver.Enqueue(call.lock(), driver.MakeCommand(stream.context, stream.lane, std::move(operation),
                                                 ImplicitEdges(stream)));
  return CUDA_SUCCESS;
}

CUresult FreeAsync(Call& call, Stream& stream, CUdeviceptr address) {
  Driver& driver = call.driver();
  TFRT_GPU_RETURN_IF_FAILED(CheckImplicitStream(call, stream));
  if (stream.capture) {
    stream.capture->is_invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  std::shared_ptr<Allocation> allocation = driver.memory.FindBegin(address);
  if (!allocation || IsHost(allocation->kind) || allocation->kind == MemoryKind::kGlobal) {
    TheReports().Add("bad free: cuMemFreeAsync is given an address at which no allocation begins");
    return CUDA_ERROR_INVALID_VALUE;
  }
  // Memory of cuMemAlloc may be freed so as well; it then is as if it had been a pool's, but its
  // addresses do not come back.
  driver.memory.Remove(address);
  std::shared_ptr<Command> freed;
  if (call.is_null_mode()) {
    freed = std::make_shared<Command>();
    freed->done = true;
  } else {
    freed = driver.MakeCommand(stream.context, stream.lane,
                               std::make_shared<FreeOperation>(allocation), ImplicitEdges(stream));
  }
  if (allocation->pool) {
    ReturnToPool(*allocation->pool, address, allocation->size_bytes, freed);
  } else {
    allocation->device->used_bytes -= allocation->size_bytes;
  }
  if (!call.is_null_mode()) driver.Enqueue(call.lock(), freed);
  return CUDA_SUCCESS;
}

bool IsReadOnly(CUmemPool_attribute attribute) {
  return attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT ||
         attribute == CU_MEMPOOL_ATTR_USED_MEM_CURRENT;
}

// Where a pool keeps an attribute: one of the two is set, or none if there is no such attribute.
struct Slot {
  int* number = nullptr;
  uint64_t* bytes = nullptr;
};
Slot SlotOf(Pool& pool, CUmemPool_attribute attribute) {
  switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      return {.number = &pool.reuse_follow_event_dependencies};
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
      return {.number = &pool.reuse_allow_opportunistic};
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      return {.number = &pool.reuse_allow_internal_dependencies};
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      return {.bytes = &pool.release_threshold};
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
      return {.bytes = &pool.reserved_bytes};
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      return {.bytes = &pool.reserved_high};
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
      return {.bytes = &pool.used_bytes};
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      return {.bytes = &pool.used_high};
  }
  return {};
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t size_bytes, CUmemoryPool pool,
                                 CUstream stream) {
  return Enter(Function::cuMemAllocFromPoolAsync, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    std::shared_ptr<Pool> from;
    call.Note("bytes=", size_bytes);
    if (!address || size_bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(GetPool(call, pool, &from));
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    return AllocateAsync(call, from, *found, size_bytes, address);
  });
}

CUresult cuMemAllocAsync(CUdeviceptr* address, size_t size_bytes, CUstream stream) {
  return Enter(Function::cuMemAllocAsync, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    call.Note("bytes=", size_bytes);
    if (!address || size_bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    const Device& device = *found->context->device;
    return AllocateAsync(call, call.driver().pools.Find(device.default_pool), *found, size_bytes,
                         address);
  });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return Enter(Function::cuMemFreeAsync, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    return FreeAsync(call, *found, address);
  });
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return Enter(Function::cuMemPoolCreate, Needs::kDriver, [&](Call& call) -> CUresult {
    Device* device = nullptr;
    if (!pool || !properties || properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE) return CUDA_ERROR_NOT_SUPPORTED;
    for (unsigned char byte : properties->reserved) {
      if (byte != 0) return CUDA_ERROR_INVALID_VALUE;
    }
    TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(properties->location.id, &device));
    auto made = std::make_shared<Pool>();
    made->device = device;
    made->max_bytes = properties->maxSize;
    *pool = made->handle = call.driver().pools.Add(made);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return Enter(Function::cuMemPoolDestroy, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Pool> found;
    TFRT_GPU_RETURN_IF_FAILED(GetPool(call, pool, &found));
    if (found->is_default) return CUDA_ERROR_INVALID_VALUE;
    // Memory that was taken from it lives until it is freed, and keeps the pool.
    found->is_destroyed = true;
    TrimPool(*found, 0);
    call.driver().retired_pools.push_back(found);
    call.driver().pools.Remove(pool);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return Enter(Function::cuMemPoolSetAttribute, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Pool> found;
    TFRT_GPU_RETURN_IF_FAILED(GetPool(call, pool, &found));
    Slot slot = SlotOf(*found, attribute);
    if (!value || (!slot.number && !slot.bytes) || IsReadOnly(attribute)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    bool high = attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH ||
                attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH;
    if (high) {  // It can be reset, and to nothing else.
      if (*static_cast<uint64_t*>(value) != 0) return CUDA_ERROR_INVALID_VALUE;
      *slot.bytes =
          attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH ? found->used_bytes : found->reserved_bytes;
    } else if (slot.number) {
      *slot.number = *static_cast<int*>(value) != 0;
    } else {
      *slot.bytes = *static_cast<uint64_t*>(value);
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return Enter(Function::cuMemPoolGetAttribute, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Pool> found;
    TFRT_GPU_RETURN_IF_FAILED(GetPool(call, pool, &found));
    Slot slot = SlotOf(*found, attribute);
    if (!value || (!slot.number && !slot.bytes)) return CUDA_ERROR_INVALID_VALUE;
    if (slot.number) {
      *static_cast<int*>(value) = *slot.number;
    } else {
      *static_cast<uint64_t*>(value) = *slot.bytes;
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* accesses, size_t count) {
  return Enter(Function::cuMemPoolSetAccess, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Pool> found;
    TFRT_GPU_RETURN_IF_FAILED(GetPool(call, pool, &found));
    if (!accesses && count > 0) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; ++i) {
      Device* device = nullptr;
      if (accesses[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
      TFRT_GPU_RETURN_IF_FAILED(call.GetDevice(accesses[i].location.id, &device));
      if (accesses[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
        if (device == found->device) return CUDA_ERROR_INVALID_DEVICE;
        found->accessible_from.erase(device->ordinal);
      } else if (accesses[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
        found->accessible_from.insert(device->ordinal);
      } else {
        return CUDA_ERROR_INVALID_VALUE;
      }
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t min_bytes_to_keep) {
  return Enter(Function::cuMemPoolTrimTo, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Pool> found;
    TFRT_GPU_RETURN_IF_FAILED(GetPool(call, pool, &found));
    TrimPool(*found, min_bytes_to_keep);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda

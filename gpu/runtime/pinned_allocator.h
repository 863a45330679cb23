// PinnedAllocator: page-locked memory of the host for tensors of a GPU.
#ifndef TFRT_GPU_RUNTIME_PINNED_ALLOCATOR_H_
#define TFRT_GPU_RUNTIME_PINNED_ALLOCATOR_H_

#include <cstddef>
#include <map>
#include <mutex>

#include "memory.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/ref_count.h"

namespace tfrt::gpu {

class Context;

// Blocks of the context's PinnedPool, which keeps them after they are freed until commands that use
// them have run. So a copy of the device may go straight to a tensor, and the tensor may be
// destroyed before it arrives. Each block takes a page or more. Thread-safe. The context must
// outlive it.
class PinnedAllocator final : public HostAllocator {
 public:
  explicit PinnedAllocator(Context* context) : context_(*context) {}
  ~PinnedAllocator() override;

  // Null if the driver or the limit refuses it, or the device is lost.
  void* AllocateBytes(size_t size_bytes, size_t alignment) override;
  void DeallocateBytes(void* block, size_t size_bytes) override;

  // Returns bytes of a live block as a range for commands; empty if they are in none.
  MemoryRange Find(const void* address, size_t size_bytes) const;

 private:
  Context& context_;
  mutable std::mutex mutex_;
  std::map<cuda::CUdeviceptr, RCReference<Memory>> blocks_;  // by address; under mutex_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_PINNED_ALLOCATOR_H_

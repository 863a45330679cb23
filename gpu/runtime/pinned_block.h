// PinnedBlock: page-locked memory of a PinnedPool.
#ifndef TFRT_GPU_RUNTIME_PINNED_BLOCK_H_
#define TFRT_GPU_RUNTIME_PINNED_BLOCK_H_

#include "memory.h"

namespace tfrt::gpu {

class PinnedBlock final : public Memory {
 private:
  friend class PinnedPool;
  explicit PinnedBlock(Context* context) : Memory(MemoryKind::kPinned, context) {}

  // True if the host knows that the device is done with it; it then forgets the uses.
  bool Settle() {
    bool is_done = true;
    uses_.ForEach([&](Point point) { is_done &= IsKnownDone(point); });
    if (is_done) uses_.Reset({});
    return is_done;
  }

  void* begin_ = nullptr;  // null: no bytes
  int log_ = 0;            // of the bytes that it has
  bool keeps_context_ = true;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_PINNED_BLOCK_H_

// PinnedPool: page-locked memory of the host, which the device uses at the same address.
#ifndef TFRT_GPU_RUNTIME_PINNED_POOL_H_
#define TFRT_GPU_RUNTIME_PINNED_POOL_H_

#include <array>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "memory.h"
#include "point.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class Context;
class PinnedBlock;

// Blocks of a power of two of bytes, at least a page. After its last reference is dropped, a block
// is reused when its commands are known to have run on the device. Host writes into a block must
// not reach a copy in flight. Blocks are returned to the driver with the context. Reusable ones are
// returned earlier if the driver has no memory left for another size. Thread-safe.
class PinnedPool {
 public:
  static constexpr size_t kMinBytes = 4096;

  explicit PinnedPool(Context* context) : context_(context) {}
  // All blocks must be free, and no stream of any context may use them any more.
  ~PinnedPool();
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;

  // Never waits for the device. Without bytes there is no address. Fails with the driver's error,
  // or with ResourceExhausted "gpu:0: no page-locked memory of 16.00GiB; 8.00MiB are reserved".
  // With a limit (ContextOptions::pinned_limit_bytes) the text ends with ", limit: 1.00GiB".
  StatusOr<RCReference<Memory>> Allocate(size_t size_bytes) {
    return Allocate(size_bytes, /*keeps_context=*/true);
  }
  // Allocates for a part of the context, which frees it before the pool is destroyed.
  StatusOr<RCReference<Memory>> AllocateForContext(size_t size_bytes) {
    return Allocate(size_bytes, /*keeps_context=*/false);
  }
  // Returns the size of all blocks, in use or not.
  size_t bytes_reserved() const;
  // Returns free blocks that the host may use to the driver. Returns false if there are none. The
  // context must be current.
  bool Trim();
  // Appends the commands that still use free blocks, of any context.
  void AppendUses(std::vector<Point>* points) const;

 private:
  friend class Memory;
  static constexpr int kMaxLog = 40;

  StatusOr<RCReference<Memory>> Allocate(size_t size_bytes, bool keeps_context);
  // Takes a free block with 2^log bytes that the host may use; null if there is none.
  PinnedBlock* Acquire(int log);
  // Returns null if the driver has none.
  StatusOr<PinnedBlock*> AcquireFromDriver(int log);
  // Counts bytes to be requested from the driver. Returns false if they exceed the limit.
  bool Reserve(size_t size_bytes);
  void Free(PinnedBlock* block);
  // Queries the device about the block that has been free longest, if there are several.
  void Poll(int log);
  Status TooMany(size_t size_bytes) const;

  Context* const context_;
  mutable std::mutex mutex_;
  std::array<std::deque<PinnedBlock*>, kMaxLog + 1> free_;  // by log of size, oldest first
  size_t reserved_ = 0;                                     // bytes
  size_t in_use_ = 0;                                       // blocks
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_PINNED_POOL_H_

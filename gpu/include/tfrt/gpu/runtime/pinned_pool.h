// PinnedPool: page-locked memory of the host, which the device uses at the same address.
#ifndef TFRT_GPU_RUNTIME_PINNED_POOL_H_
#define TFRT_GPU_RUNTIME_PINNED_POOL_H_

#include <array>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "tfrt/gpu/runtime/memory.h"
#include "tfrt/gpu/runtime/point.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class Context;
class PinnedBlock;

// Blocks of a power of two of bytes, at least a page. A block whose last reference has gone is used
// again when the host knows that the commands which use it have run: what a host writes into a
// block must not reach a copy that is still under way. Blocks go back to the driver with the
// context, and those that the host may use where the driver has none left for another size.
// Thread-safe.
class PinnedPool {
 public:
  static constexpr size_t kMinBytes = 4096;

  explicit PinnedPool(Context* context) : context_(context) {}
  // All blocks are free, and no stream of any context uses them any more.
  ~PinnedPool();
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;

  // Never waits for the device. No bytes, no address. The driver's error, or ResourceExhausted
  // "gpu:0: no page-locked memory of 16.00GiB; 8.00MiB are reserved", with ", limit: 1.00GiB" if
  // there is one (ContextOptions::pinned_limit_bytes).
  StatusOr<RCReference<Memory>> Allocate(size_t size_bytes) {
    return Allocate(size_bytes, /*keeps_context=*/true);
  }
  // For a part of the context, which gives it back before the pool goes.
  StatusOr<RCReference<Memory>> AllocateForContext(size_t size_bytes) {
    return Allocate(size_bytes, /*keeps_context=*/false);
  }
  // Of all blocks, in use or not.
  size_t bytes_reserved() const;
  // Appends the commands that use free blocks still, of whatever context.
  void AppendUses(std::vector<Point>* points) const;

 private:
  friend class Memory;
  static constexpr int kMaxLog = 40;

  StatusOr<RCReference<Memory>> Allocate(size_t size_bytes, bool keeps_context);
  // A free block with 2^log bytes that the host may use; null if there is none.
  PinnedBlock* Take(int log);
  // Null if it has none.
  StatusOr<PinnedBlock*> TakeFromDriver(int log);
  // Counts bytes that the driver is asked for; false if they are more than the limit allows.
  bool Reserve(size_t size_bytes);
  // Gives free blocks that the host may use back to the driver. False if there is none. The context
  // is current.
  bool Trim();
  void Free(PinnedBlock* block);
  // Asks the device about the block that has been free longest, if there are several.
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

// DeviceAllocator: device memory that is reused where the order of commands allows it.
#ifndef TFRT_GPU_RUNTIME_DEVICE_ALLOCATOR_H_
#define TFRT_GPU_RUNTIME_DEVICE_ALLOCATOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "block_cache.h"
#include "memory.h"
#include "point.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class BlockPool;
class Context;
class Stream;

// Statistics in bytes of blocks, not of requested sizes.
struct MemoryStatistics {
  size_t bytes_in_use;
  size_t peak_bytes_in_use;
  size_t bytes_reserved;  // taken from the driver: in use or cached
  size_t peak_bytes_reserved;
  size_t limit_bytes;  // of bytes_reserved; 0: no limit
  size_t num_segments;
  uint64_t num_segment_allocations;  // calls of cuMemAlloc so far
  uint64_t num_device_waits;         // waits added to streams because nothing else was free
  uint64_t num_host_waits;           // waits for the whole device, for the same reason

  size_t bytes_cached() const { return bytes_reserved - bytes_in_use; }
};

// Takes segments of 2 MiB (for requests of up to 1 MiB) or multiples of 32 MiB from the driver.
// Returns them when no memory is left, and all at the end.
//
// A request takes the first available of these:
//  1. A block of its size that the stream has used last.
//  2. One that another stream has used last, up to a point that the requesting stream or the host
//     has waited for.
//  3. A piece of a larger block of which the same holds.
//  4. A piece of a new segment.
//  5. A block that commands of another stream still use: the stream then waits for them on the
//     device.
//  6. Any of these, after the thread has waited for all streams and returned unused segments to
//     the driver.
// Otherwise it fails with ResourceExhausted: "Out of memory trying to allocate 16.00GiB (1.50GiB of
// 8.00GiB available) on GPU 0 (CUDA). In use: ..., cached: ..., limit: ...".
//
// Dropping the last reference frees a block: it never waits and makes no calls. Memory::uses holds
// the commands that use a block. Thread-safe. Requests of one stream for blocks that it has used
// take only a short lock of the stream.
class DeviceAllocator {
 public:
  static constexpr size_t kAlignment = 256;
  static constexpr size_t kSmallSegmentBytes = size_t{2} << 20;
  static constexpr size_t kLargeSegmentBytes = size_t{32} << 20;
  static constexpr size_t kMaxSmallBytes = size_t{1} << 20;

  // `limit_bytes` is 0 for no limit.
  DeviceAllocator(Context* context, size_t limit_bytes);
  // All blocks must have been freed, and no stream of any context may use them any more.
  ~DeviceAllocator();
  DeviceAllocator(const DeviceAllocator&) = delete;
  DeviceAllocator& operator=(const DeviceAllocator&) = delete;

  // See Context::Allocate.
  StatusOr<RCReference<Memory>> Allocate(Stream& stream, size_t size_bytes);
  // The first part of Allocate: a block that the stream has used last. Null if there is none.
  // `size_class` is that of the size, which is not 0; the stream is one of the context.
  RCReference<Memory> AllocateFromCache(Stream& stream, SizeClass size_class, size_t size_bytes);

  MemoryStatistics statistics() const;
  // Waits for all streams, and returns unused segments to the driver.
  Status Trim();
  // Returns whether there is such a segment, or will be after waiting for the streams.
  bool CanTrim();
  // Appends the commands that still use blocks, of any context. All blocks must have been freed.
  void AppendUses(std::vector<Point>* points);

 private:
  friend class Memory;

  void Free(Block* block);
  // For a block that several streams have noted: returns the one that gets it. That stream gets it
  // alone if the others' uses come before. A separate function, so that Free stays short.
  [[gnu::noinline]] Stream* PassOn(Block* block);
  Memory* Start(Block* block, Stream& stream, SizeClass size_class, size_t size_bytes);
  Memory* MakeEmpty();
  StatusOr<RCReference<Memory>> AllocateSlow(Stream& stream, SizeClass size_class,
                                             size_t size_bytes);
  // Requests a block of `block_bytes` or, if there is none, of at least `least_bytes`.
  struct Request {
    size_t least_bytes, block_bytes;
    bool is_small;
  };

  // The following functions return null if they have no block.
  Block* AcquireFromOtherCaches(Stream& stream, SizeClass size_class);
  Block* AcquireFromPool(Stream& stream, const Request& request);
  // Takes a piece of a new segment. Called under driver_mutex_.
  StatusOr<Block*> AcquireFromDriver(const Request& request);
  // The segment has `segment_bytes`, a multiple of kSmallSegmentBytes.
  StatusOr<Block*> AcquireFromDriver(const Request& request, size_t segment_bytes);
  // Takes a block that is still used.
  Block* AcquireBusy(const Request& request);
  // Makes the stream wait for the block's users. Puts the block back into the pool if that fails.
  // Called under no lock.
  Status AwaitUses(Stream& stream, Block* block);
  // Puts the blocks of all caches into the pool. Called under mutex_.
  void DrainCaches();
  Status OutOfMemory(size_t size_bytes);
  // Returns unused segments to the driver. Called under driver_mutex_.
  Status GiveBackFree();

  Context* const context_;
  const size_t limit_bytes_;

  // Bytes of blocks in use. While it is not 0 the allocator has a reference to the context.
  std::atomic<size_t> in_use_{0}, peak_in_use_{0};

  // Held from the first request for more memory to the driver's answer, and while memory is
  // returned. Bytes in transit are in no list: other threads would find neither a block nor room
  // for one. No thread waits for a stream under it. mutex_ and the short locks of streams are taken
  // inside of it. Free takes only a stream's short lock.
  std::mutex driver_mutex_;
  mutable std::mutex mutex_;
  std::unique_ptr<BlockPool> pool_;  // under mutex_
  size_t reserved_ = 0, peak_reserved_ = 0;
  uint64_t num_segment_allocations_ = 0, num_device_waits_ = 0, num_host_waits_ = 0;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_DEVICE_ALLOCATOR_H_

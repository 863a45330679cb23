// DeviceAllocator: device memory that is used again where the order of commands allows it.
#ifndef TFRT_GPU_RUNTIME_DEVICE_ALLOCATOR_H_
#define TFRT_GPU_RUNTIME_DEVICE_ALLOCATOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "tfrt/gpu/runtime/block_cache.h"
#include "tfrt/gpu/runtime/memory.h"
#include "tfrt/gpu/runtime/point.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class BlockPool;
class Context;
class Stream;

// In bytes, of blocks and not of what was asked for.
struct MemoryStatistics {
  size_t bytes_in_use;
  size_t peak_bytes_in_use;
  size_t bytes_reserved;  // taken from the driver: in use or cached
  size_t peak_bytes_reserved;
  size_t limit_bytes;  // of bytes_reserved; 0: none
  size_t num_segments;
  uint64_t num_segment_allocations;  // calls of cuMemAlloc so far
  uint64_t num_device_waits;         // that a stream was given because nothing else was free
  uint64_t num_host_waits;           // for the whole device, for the same reason

  size_t bytes_cached() const { return bytes_reserved - bytes_in_use; }
};

// Takes segments of 2 MiB (for requests of up to 1 MiB) or multiples of 32 MiB from the driver, and
// gives them back when there is no memory left, or all at the end.
//
// A request takes, in this order: a block of its size that the stream has used last; one that
// another stream has used last, up to a point that the requesting stream or the host has waited
// for; a piece of a larger block of which the same holds; a piece of a new segment; a block that is
// still in use by commands of another stream, for which the stream then waits on the device; and,
// when the thread has waited for all streams and given unused segments back to the driver, any of
// these. ResourceExhausted then: "Out of memory trying to allocate 16.00GiB (1.50GiB of 8.00GiB
// available) on GPU 0 (CUDA). In use: ..., cached: ..., limit: ...".
//
// Freeing is dropping the last reference: it never waits and calls nobody. Which commands use a
// block is what Memory::uses says. Thread-safe; requests of one stream from blocks that it has used
// take no lock but a short one of the stream.
class DeviceAllocator {
 public:
  static constexpr size_t kAlignment = 256;
  static constexpr size_t kSmallSegmentBytes = size_t{2} << 20;
  static constexpr size_t kLargeSegmentBytes = size_t{32} << 20;
  static constexpr size_t kMaxSmallBytes = size_t{1} << 20;

  // `limit_bytes`: 0 for none.
  DeviceAllocator(Context* context, size_t limit_bytes);
  // All blocks have been freed, and no stream of any context uses them any more.
  ~DeviceAllocator();
  DeviceAllocator(const DeviceAllocator&) = delete;
  DeviceAllocator& operator=(const DeviceAllocator&) = delete;

  // See Context::Allocate.
  StatusOr<RCReference<Memory>> Allocate(Stream& stream, size_t size_bytes);

  MemoryStatistics statistics() const;
  // Forgets the peaks.
  void ResetPeaks();
  // Waits for all streams, and gives segments of which nothing is in use back to the driver.
  Status Trim();
  // Whether there is such a segment, or will be when the streams have been waited for.
  bool CanTrim();
  // Appends the commands that use blocks still, of whatever context. All blocks have been freed.
  void AppendUses(std::vector<Point>* points);

 private:
  friend class Memory;

  void Free(Block* block);
  // For a block that several streams have noted: which of them gets it, alone if the others are
  // behind. Apart, so that Free stays short.
  [[gnu::noinline]] Stream* PassOn(Block* block);
  Memory* Start(Block* block, Stream& stream, SizeClass size_class, size_t size_bytes);
  Memory* MakeEmpty();
  StatusOr<RCReference<Memory>> AllocateSlow(Stream& stream, SizeClass size_class,
                                             size_t size_bytes);
  // A block that is wanted: of `block_bytes` or, where there is none, of at least `least_bytes`.
  struct Request {
    size_t least_bytes, block_bytes;
    bool is_small;
  };

  // Those that follow return null if they have none.
  Block* TakeFromOtherCaches(Stream& stream, SizeClass size_class);
  Block* TakeFromPool(Stream& stream, const Request& request);
  // A piece of a new segment. Under driver_mutex_.
  StatusOr<Block*> TakeFromDriver(const Request& request);
  // Of so many bytes, a multiple of kSmallSegmentBytes.
  StatusOr<Block*> TakeFromDriver(const Request& request, size_t segment_bytes);
  // One that is still used.
  Block* TakeBusy(const Request& request);
  // Has the stream wait for what uses the block; puts it back into the pool if that fails. Under no
  // lock.
  Status AwaitUses(Stream& stream, Block* block);
  // Puts the blocks of all caches into the pool. Under mutex_.
  void DrainCaches();
  Status OutOfMemory(size_t size_bytes);
  // Gives segments of which nothing is in use back to the driver. Under driver_mutex_.
  Status GiveBackFree();

  Context* const context_;
  const size_t limit_bytes_;

  // Bytes of blocks in use. While it is not 0 the allocator has a reference to the context.
  std::atomic<size_t> in_use_{0}, peak_in_use_{0};

  // Held from the first question to the driver for more memory to the answer, and while memory goes
  // back: bytes that are on their way are in no list, and whoever looked meanwhile would find
  // neither a block nor room for one. No thread waits for a stream under it. mutex_ and the short
  // locks of streams are taken inside of it; Free takes none of them but a stream's short one.
  std::mutex driver_mutex_;
  mutable std::mutex mutex_;
  std::unique_ptr<BlockPool> pool_;  // under mutex_
  size_t reserved_ = 0, peak_reserved_ = 0;
  uint64_t num_segment_allocations_ = 0, num_device_waits_ = 0, num_host_waits_ = 0;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_DEVICE_ALLOCATOR_H_

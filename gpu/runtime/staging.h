// Staging: copies between memory of the device and memory of the host that is not page-locked.
#ifndef TFRT_GPU_RUNTIME_STAGING_H_
#define TFRT_GPU_RUNTIME_STAGING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/abi/cuda_types.h"
#include "memory.h"
#include "point.h"
#include "stream.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"

namespace tfrt {
class ConcurrentWorkQueue;
}  // namespace tfrt

namespace tfrt::gpu {

class Context;

// The driver would make such copies block the caller, or the stream, for an unspecified time. Here
// they use page-locked memory, and no thread waits. Copies of up to kDirectBytes are made at once
// through one block of the pool. Longer copies are made in pieces through two blocks of
// kBlockBytes. Those of one stream and direction come one after the other, those of others beside
// them. The calling thread, and tasks of `queue` (null: the context's), move the bytes.
//
// A copy keeps the range's memory. The pieces of a long copy are enqueued one by one. A command
// that must follow it, or that changes the copied bytes, must be enqueued after the chain is
// available. Thread-safe. Fails with FailedPrecondition without a queue, see Context::WhenDone.
class Staging {
 public:
  static constexpr size_t kDirectBytes = size_t{64} << 10;
  static constexpr size_t kBlockBytes = size_t{4} << 20;

  explicit Staging(Context* context) : context_(context) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();

  // Becomes available when `from` has been read and the last piece is enqueued on the stream: at
  // once for up to kDirectBytes. The value is the point of that piece. Calls `release` before that,
  // perhaps in a task, and destroys its captures: the source must live until then.
  AsyncValueRef<Point> CopyToDevice(RCReference<Stream> stream, const MemoryRange& to,
                                    const void* from, TaskFunction release,
                                    ConcurrentWorkQueue* queue = nullptr);
  // Becomes available when the bytes are in `to`. The destination must live until `release` is
  // called, which happens before the chain is available.
  AsyncValueRef<Chain> CopyToHost(RCReference<Stream> stream, void* to, const MemoryRange& from,
                                  TaskFunction release, ConcurrentWorkQueue* queue = nullptr);

 private:
  class Transfer;
  // Two blocks for the long copies of a stream in one direction.
  struct Blocks {
    uint32_t stream;
    bool is_to_host;
    std::array<RCReference<Memory>, 2> blocks;  // null: not made yet
  };
  // The long copies of a stream in one direction. The first one is in flight, and uses the blocks.
  struct Lane : Blocks {
    bool has_blocks = false;          // both of them; under mutex_
    std::deque<Transfer*> transfers;  // under mutex_
  };
  // More pairs of blocks than this are not kept for streams without a copy in flight.
  static constexpr size_t kMaxIdle = 4;

  AsyncValueRef<Point> Begin(std::unique_ptr<Transfer> transfer);
  void End(Transfer* transfer);
  // Takes idle blocks: those that the lane had last, or, if there are many, the oldest. Their last
  // copies may still run, for which transfers wait. Under mutex_.
  void TakeIdle(Lane* lane);
  // Sees to the blocks of a lane. Without page-locked memory for them it takes idle ones. False: it
  // gets those of the next lane that ends, which starts it.
  StatusOr<bool> MakeBlocks(Lane* lane);
  // Handles a missing queue: returns an error and calls `release`.
  Status Refuse(TaskFunction release) const;

  Context* const context_;
  std::mutex making_mutex_;  // held while a lane makes its blocks; taken before mutex_
  std::mutex mutex_;
  std::list<Lane> lanes_;      // those with copies; stay where they are. Under mutex_
  std::vector<Blocks> idle_;   // oldest first; under mutex_
  std::deque<Lane*> starved_;  // which wait for blocks; under mutex_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_STAGING_H_

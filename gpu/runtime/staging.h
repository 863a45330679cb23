// Staging: copies between memory of the device and memory of the host that is not page-locked.
#ifndef TFRT_GPU_RUNTIME_STAGING_H_
#define TFRT_GPU_RUNTIME_STAGING_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "gpu/abi/cuda_types.h"
#include "memory.h"
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
// through one block of the pool. Longer copies are made in pieces, one copy after the other,
// through two blocks of kBlockBytes for each direction. The calling thread, and tasks of `queue`
// (null: the context's), move the bytes.
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

  // Becomes available when `from` has been read and the last piece is enqueued on the stream; at
  // once for up to kDirectBytes. Calls `release` before that, perhaps in a task, and destroys its
  // captures: the source must live until then.
  AsyncValueRef<Chain> CopyToDevice(RCReference<Stream> stream, const MemoryRange& to,
                                    const void* from, TaskFunction release,
                                    ConcurrentWorkQueue* queue = nullptr);
  // Becomes available when the bytes are in `to`. The destination must live until `release` is
  // called, which happens before the chain is available.
  AsyncValueRef<Chain> CopyToHost(RCReference<Stream> stream, void* to, const MemoryRange& from,
                                  TaskFunction release, ConcurrentWorkQueue* queue = nullptr);

 private:
  class Transfer;
  // The two blocks of a direction, and the long copies that need them. The first copy is in flight.
  struct Direction {
    RCReference<Memory> blocks[2];
    std::deque<Transfer*> transfers;
  };

  AsyncValueRef<Chain> Begin(std::unique_ptr<Transfer> transfer);
  void End(Transfer* transfer);
  // Handles a missing queue: returns an error and calls `release`.
  Status Refuse(TaskFunction release) const;

  Context* const context_;
  std::mutex mutex_;
  Direction to_device_, to_host_;  // under mutex_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_STAGING_H_

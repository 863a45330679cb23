// Staging: copies between memory of the device and memory of the host that is not page-locked.
#ifndef TFRT_GPU_RUNTIME_STAGING_H_
#define TFRT_GPU_RUNTIME_STAGING_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/gpu/abi/cuda_types.h"
#include "tfrt/gpu/runtime/memory.h"
#include "tfrt/gpu/runtime/stream.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"

namespace tfrt {
class ConcurrentWorkQueue;
}  // namespace tfrt

namespace tfrt::gpu {

class Context;

// The driver would make such copies block the caller, or the stream, for as long as it sees fit.
// Here they go through page-locked memory, and no thread waits: up to kDirectBytes at once through
// a block of the pool, more in pieces through two blocks of kBlockBytes for each direction, one
// copy after the other. The thread that calls, and tasks of `queue` (null: the context's), move the
// bytes.
//
// The pieces of a long copy are enqueued one by one: a command that the caller wants behind it, or
// that changes what is copied, is enqueued when the chain is available. Thread-safe.
// FailedPrecondition where there is no queue to go on with, see Context::WhenDone.
class Staging {
 public:
  static constexpr size_t kDirectBytes = size_t{64} << 10;
  static constexpr size_t kBlockBytes = size_t{4} << 20;

  explicit Staging(Context* context) : context_(context) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();

  // Available when `from` has been read and the last piece is enqueued on the stream: at once up to
  // kDirectBytes. `release` is called by then, perhaps by a task, with whatever it owns: the source
  // lives until then.
  AsyncValueRef<Chain> CopyToDevice(RCReference<Stream> stream, RCReference<Memory> memory,
                                    cuda::CUdeviceptr to, const void* from, size_t size_bytes,
                                    TaskFunction release, ConcurrentWorkQueue* queue = nullptr);
  // Available when the bytes are in `to`, which lives until `release` is called, before the chain
  // is available.
  AsyncValueRef<Chain> CopyToHost(RCReference<Stream> stream, void* to, RCReference<Memory> memory,
                                  cuda::CUdeviceptr from, size_t size_bytes, TaskFunction release,
                                  ConcurrentWorkQueue* queue = nullptr);

 private:
  class Transfer;
  // The two blocks of a direction, and the long copies that want them. The first is under way.
  struct Direction {
    RCReference<Memory> blocks[2];
    std::deque<Transfer*> transfers;
  };

  AsyncValueRef<Chain> Begin(std::unique_ptr<Transfer> transfer);
  void End(Transfer* transfer);
  // There is no queue: an error, and whoever owns something is told.
  Status Refuse(TaskFunction release) const;

  Context* const context_;
  std::mutex mutex_;
  Direction to_device_, to_host_;  // under mutex_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_STAGING_H_

// StreamPool: the streams of a context.
#ifndef TFRT_GPU_RUNTIME_STREAM_POOL_H_
#define TFRT_GPU_RUNTIME_STREAM_POOL_H_

#include <memory>
#include <mutex>
#include <vector>

#include "stream.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Streams live as long as their context. Recorded facts about them therefore stay true, and a
// stream can always be ordered after the last use of memory. A stream without references is given
// out again when it is known to be idle. Thread-safe.
class StreamPool {
 public:
  explicit StreamPool(Context* context) : context_(context) {}
  // All streams are idle, or the device is lost.
  ~StreamPool();
  StreamPool(const StreamPool&) = delete;
  StreamPool& operator=(const StreamPool&) = delete;

  // See Context::CreateStream.
  StatusOr<RCReference<Stream>> Acquire(int priority);
  void GiveBack(Stream* stream);
  // All there are, which stay where they are.
  std::vector<Stream*> All() const;
  // Calls function(Stream&) -> bool for each until it says true.
  template <typename F>
  void ForEachUntil(F&& function) const {
    // acquire: sees the streams that the list has grown by.
    size_t count = num_listed_.load(std::memory_order_acquire);
    for (size_t i = 0; i < count; ++i) {
      if (function(*listed_[i])) return;
    }
  }

 private:
  // Those that nobody has which are asked whether they are idle, before another one is made.
  static constexpr size_t kMaxAsked = 16;

  // One that nobody has, if possible one that is known to be idle; null if there is none.
  Stream* AcquireUnused(int priority);
  RCReference<Stream> GiveOut(Stream* stream);
  struct Destroy {
    void operator()(Stream* stream) const;
  };
  // Those that the allocator looks at without a lock.
  static constexpr size_t kMaxListed = 16;

  Context* const context_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Stream, Destroy>> streams_;  // under mutex_
  std::vector<Stream*> unused_;                            // under mutex_, oldest first
  Stream* listed_[kMaxListed] = {};                        // the first streams; never changed
  std::atomic<size_t> num_listed_{0};
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_STREAM_POOL_H_

// Context: all that a process has on a device: streams, memory, modules, and the threads that wait.
#ifndef TFRT_GPU_RUNTIME_CONTEXT_H_
#define TFRT_GPU_RUNTIME_CONTEXT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/gpu/abi/cuda_driver_table.h"
#include "tfrt/gpu/runtime/device_allocator.h"
#include "tfrt/gpu/runtime/memory.h"
#include "tfrt/gpu/runtime/module.h"
#include "tfrt/gpu/runtime/pinned_pool.h"
#include "tfrt/gpu/runtime/point.h"
#include "tfrt/gpu/runtime/stream.h"
#include "tfrt/gpu/wrapper/cuda_context.h"
#include "tfrt/gpu/wrapper/cuda_status.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"

namespace tfrt {
class ConcurrentWorkQueue;
}  // namespace tfrt

namespace tfrt::gpu {

class Completion;
class Context;
class EventPool;
class ModuleCache;
class Staging;
class StreamPool;

namespace internal {
RCReference<Context> ContextOf(uint32_t id);
}  // namespace internal

// A queue that may go before those who use it: whoever ends it sets it to null.
struct QueueSlot {
  std::atomic<ConcurrentWorkQueue*> queue{nullptr};
};

struct ContextOptions {
  // What the device is called in messages.
  std::string name = "gpu:0";
  // Of device memory that the allocator takes from the driver; 0: as much as there is.
  size_t memory_limit_bytes = 0;
  // The same of page-locked memory of the host.
  size_t pinned_limit_bytes = 0;
  // Every command is waited for by the thread that enqueues it: slow, and an error of the device is
  // that of the op which caused it.
  bool launch_blocking = false;
  // Where what has been waited for goes on, unless a call names another queue. Outlives the
  // context. Null: each call names one.
  ConcurrentWorkQueue* queue = nullptr;
  // Instead, of a queue that may not outlive the context.
  std::shared_ptr<const QueueSlot> queue_slot;
};

// Thread-safe. Lives as long as anything that was made of it. Its destruction, on whatever thread
// the last reference goes, waits for what is enqueued, on its streams and on those of others that
// use its memory, and gives everything back to the driver.
//
// A device that has met an error which the driver says to be sticky is *lost*: whoever waited for
// something that is not known to have run gets that error, with the ops whose commands it can have
// been; calls that come later are UNAVAILABLE. Nothing hangs, and what was known to be done stays
// good.
class Context : public ReferenceCounted<Context> {
 public:
  static constexpr std::string_view kProgramTypeName = "context";
  using Options = ContextOptions;

  // The device's primary context, which is retained once more. `driver` is initialised and outlives
  // the context.
  static StatusOr<RCReference<Context>> RetainPrimary(const cuda::DriverTable& driver,
                                                      cuda::CUdevice device, Options options);
  // One of its own.
  static StatusOr<RCReference<Context>> Create(const cuda::DriverTable& driver,
                                               cuda::CUdevice device, Options options);
  ~Context();
  // Others find it by its streams (internal::ContextOf); the count tells them whether it goes.
  void DropRef() const { DropRefByCount(); }

  const cuda::DriverTable& driver() const { return driver_; }
  cuda::CUdevice device() const { return native_->device(); }
  cuda::CUcontext handle() const { return native_->get(); }
  const cuda::Context& native() const { return *native_; }
  const std::string& name() const { return options_.name; }
  const Options& options() const { return options_; }
  // Where what has been waited for goes on if the call names no other queue. May be null.
  // relaxed: whoever ends a queue has made all others stop using it.
  ConcurrentWorkQueue* queue() const {
    return options_.queue_slot ? options_.queue_slot->queue.load(std::memory_order_relaxed)
                               : options_.queue;
  }
  // 90 for compute capability 9.0.
  int compute_capability() const { return compute_capability_; }
  // Of dynamic shared memory that a kernel may ask for.
  int max_shared_bytes_per_block() const { return max_shared_bytes_per_block_; }

  // --- What it makes ---

  // Not blocking, without order among streams. An idle one of the same priority that nobody uses
  // any more, or a new one. `priority`: 0 is the default, lower numbers go first.
  StatusOr<RCReference<Stream>> CreateStream(int priority = 0);

  // Device memory whose first use is a command that `stream` gets later, or one behind its tail.
  // 256-byte aligned; no bytes, no address. InvalidArgument for a stream of another context;
  // ResourceExhausted, see DeviceAllocator.
  StatusOr<RCReference<Memory>> Allocate(Stream& stream, size_t size_bytes) {
    return allocator_->Allocate(stream, size_bytes);
  }
  DeviceAllocator& allocator() { return *allocator_; }

  // Page-locked memory of the host, that device and host use at the same address.
  StatusOr<RCReference<Memory>> AllocatePinned(size_t size_bytes) {
    return pinned_->Allocate(size_bytes);
  }
  PinnedPool& pinned_pool() { return *pinned_; }
  // Makes memory of the host that somebody else has allocated usable by the device, at the same
  // address. `release` is called when the last reference has gone, the commands that use the memory
  // have run and the driver has been told: by a task of the context's queue or, where there is
  // none, by the thread that waits for the device. Also called if this fails.
  StatusOr<RCReference<Memory>> Register(void* memory, size_t size_bytes, TaskFunction release);

  // Device code: PTX text (with a zero byte at its end), or a binary for this architecture. Loaded
  // once for the same bytes, and kept for a while when nobody has it any more. May wait for all
  // that is enqueued in the context: drivers do. The driver's error with what its compiler says.
  StatusOr<RCReference<Module>> LoadModule(std::string_view image);

  Staging& staging() { return *staging_; }

  // --- Waiting ---

  // Available when `point`, of a stream of this context, has been reached; see Stream::Synchronize.
  // FailedPrecondition if there is no queue: `queue` is null, and the host of the context has
  // ended.
  AsyncValueRef<Chain> WhenDone(Point point, ConcurrentWorkQueue* queue = nullptr);
  // Available when the memory is not used by any command any more.
  AsyncValueRef<Chain> WhenUnused(const Memory& memory, ConcurrentWorkQueue* queue = nullptr);
  // For a thread that may block. Spins for a while before it sleeps.
  Status Wait(Point point);
  // Waits for all streams.
  Status Synchronize();

  // --- Errors ---

  bool is_lost() const {
    // acquire: who sees it reads the error.
    return is_lost_.load(std::memory_order_acquire);
  }
  // The error by which the device was lost; OK if it was not.
  Status loss() const;

  // --- For the parts of the runtime ---

  // Makes the context that of the calling thread: a comparison if this is what this runtime gave
  // the thread last. Enough for calls that name a stream or an event. Unavailable if the device is
  // lost.
  Status Enter() {
    if (is_lost()) [[unlikely]]
      return Unavailable();
    return native_->MakeCurrent();
  }
  // The same for calls that go by the thread's context alone, such as those that make something,
  // and so must not depend on what else runs on the thread: that may have set another since.
  Status EnterAnew() {
    cuda::Context::ForgetCurrent();
    return Enter();
  }
  // Returns what `call`, a call of the driver, returns. It is made again where what it lacked can
  // be had: memory that the allocator has cached, or the thread's context, which other code may
  // have taken away. Under no lock. The context is current.
  template <typename F>
  cuda::CUresult Call(F&& call) {
    cuda::CUresult result = call();
    if (result != cuda::CUDA_SUCCESS) [[unlikely]] {
      if (CanTryAgain(result)) result = call();
    }
    return result;
  }
  // OK, or the error of a call that returned `result`. If that cannot be undone, the device is
  // lost. `call`: "cuLaunchKernel"; `subject`: what it was about, or nothing. Not to be called
  // under a stream's lock.
  Status Check(cuda::CUresult result, std::string_view call, std::string_view subject = {}) {
    if (result == cuda::CUDA_SUCCESS) [[likely]]
      return Status();
    return Error(result, call, subject);
  }

 private:
  friend class Completion;
  friend class DeviceAllocator;
  friend class Memory;
  friend class ModuleCache;
  friend class PinnedPool;
  friend class Staging;
  friend class Stream;
  friend class StreamPool;
  friend RCReference<Context> internal::ContextOf(uint32_t id);

  Context(const cuda::DriverTable& driver, std::unique_ptr<cuda::Context> native, Options options);
  static StatusOr<RCReference<Context>> Make(const cuda::DriverTable& driver,
                                             StatusOr<std::unique_ptr<cuda::Context>> native,
                                             Options options);
  Status Initialize();
  // When the context goes: waits for the stream. Why what it was to do has not all run, if so.
  Status EndOf(Stream& stream);

  // As WhenDone, for a point of any context that is not known to be done.
  AsyncValueRef<Chain> WhenDoneAnywhere(Point point, ConcurrentWorkQueue* queue);

  // `result` is no success.
  [[gnu::cold]] Status Error(cuda::CUresult result, std::string_view call,
                             std::string_view subject);
  // Gives cached device memory back, for which it waits for all streams. False if there is none.
  // The context is current, and is so afterwards.
  bool MakeRoom();
  // Whether a call that failed so may succeed now, see Call.
  [[gnu::cold]] bool CanTryAgain(cuda::CUresult result);
  // Whether the driver can do something in the context; what it answers is not an unknown error.
  bool Answers();
  // The device has answered with an error that cannot be undone. Returns what all get who waited.
  Status Lose(const Status& error);
  // The error of whoever is to be told later, by nobody.
  [[gnu::cold]] Status NoQueue() const;
  // The error of whoever comes when the device is lost.
  [[gnu::cold]] Status Unavailable() const;

  const cuda::DriverTable& driver_;
  // Destroyed last.
  const std::unique_ptr<cuda::Context> native_;
  const Options options_;
  int compute_capability_ = 0;
  int max_shared_bytes_per_block_ = 0;

  std::atomic<bool> is_lost_{false};
  mutable std::mutex loss_mutex_;
  Status loss_;  // under loss_mutex_

  std::unique_ptr<EventPool> events_;
  std::unique_ptr<StreamPool> streams_;
  std::unique_ptr<DeviceAllocator> allocator_;
  std::unique_ptr<PinnedPool> pinned_;
  std::unique_ptr<Staging> staging_;
  std::unique_ptr<ModuleCache> modules_;
  std::unique_ptr<Completion> completion_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_CONTEXT_H_

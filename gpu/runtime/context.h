// Context: all state of a process on a device: streams, memory, modules, and the waiting threads.
#ifndef TFRT_GPU_RUNTIME_CONTEXT_H_
#define TFRT_GPU_RUNTIME_CONTEXT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "context_part.h"
#include "device_allocator.h"
#include "gpu/abi/cuda_driver_table.h"
#include "gpu/wrapper/cuda_context.h"
#include "gpu/wrapper/cuda_status.h"
#include "memory.h"
#include "module.h"
#include "pinned_pool.h"
#include "point.h"
#include "stream.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/memory_space.h"
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

// A queue that may be destroyed before its users: its owner then sets the slot to null.
struct QueueSlot {
  std::atomic<ConcurrentWorkQueue*> queue{nullptr};
};

struct ContextOptions {
  // The device's name in messages.
  std::string name = "gpu:0";
  // The limit of device memory that the allocator takes from the driver; 0: no limit.
  size_t memory_limit_bytes = 0;
  // The limit of page-locked memory of the host; 0: no limit.
  size_t pinned_limit_bytes = 0;
  // The enqueuing thread waits for every command. This is slow, but attributes an error of the
  // device to the op that caused it.
  bool launch_blocking = false;
  // See AcceleratorOptions.
  bool allow_tf32 = false;
  std::string plan_folder = {};
  // The queue for continuations of waits, unless a call names another one. Must outlive the
  // context. Null: each call names one.
  ConcurrentWorkQueue* queue = nullptr;
  // Replaces `queue` by one that may not outlive the context.
  std::shared_ptr<const QueueSlot> queue_slot;
};

// Thread-safe. Lives as long as anything that was made of it. Its destruction runs on the thread
// that drops the last reference. It waits for enqueued work on its streams, and on other contexts'
// streams that use its memory, and returns everything to the driver.
//
// A device is *lost* after an error which the driver reports as sticky. Waits for work that is not
// known to have run then get that error, with the ops whose commands may have caused it. Later
// calls are UNAVAILABLE. Nothing hangs, and results that were known to be done stay valid.
class Context : public ReferenceCounted<Context> {
 public:
  static constexpr std::string_view kProgramTypeName = "context";
  using Options = ContextOptions;

  // Retains the device's primary context once more. `driver` must be initialised and outlive the
  // context.
  static StatusOr<RCReference<Context>> RetainPrimary(const cuda::DriverTable& driver,
                                                      cuda::CUdevice device, Options options);
  // Creates a separate context.
  static StatusOr<RCReference<Context>> Create(const cuda::DriverTable& driver,
                                               cuda::CUdevice device, Options options);
  ~Context();
  // Other threads find it by its streams (internal::ContextOf). The count tells them whether it is
  // being destroyed.
  void DropRef() const { DropRefByCount(); }

  const cuda::DriverTable& driver() const { return driver_; }
  cuda::CUdevice device() const { return native_->device(); }
  cuda::CUcontext handle() const { return native_->get(); }
  const cuda::Context& native() const { return *native_; }
  const std::string& name() const { return options_.name; }
  const Options& options() const { return options_; }
  // Returns the queue for continuations of waits if the call names no other queue. May be null.
  // relaxed: the owner of a queue has stopped all uses of it before it ends it.
  ConcurrentWorkQueue* queue() const {
    return options_.queue_slot ? options_.queue_slot->queue.load(std::memory_order_relaxed)
                               : options_.queue;
  }
  // Returns the memory of this context, by which tensors and devices recognise it. Another context
  // of the same GPU has another one, whose addresses are not valid here.
  const MemorySpace& memory_space() const { return memory_space_; }
  // Returns 90 for compute capability 9.0.
  int compute_capability() const { return compute_capability_; }
  // Returns the most dynamic shared memory of a kernel's block.
  int max_shared_bytes_per_block() const { return max_shared_bytes_per_block_; }
  // Returns the largest distance of the rows of a copy. A copy of more would lose the device.
  size_t max_pitch_bytes() const { return max_pitch_bytes_; }

  // --- Its parts ---

  // Returns a stream that does not block and has no order among streams. It is an idle one of the
  // same priority that is no longer used, or a new one. The default `priority` is 0, lower numbers
  // run first.
  StatusOr<RCReference<Stream>> CreateStream(int priority = 0);

  // Allocates device memory. Its first use must be a later command of `stream`, or one after the
  // stream's tail. The address is 256-byte aligned; without bytes there is no address. Fails with
  // InvalidArgument for a stream of another context, and with ResourceExhausted, see
  // DeviceAllocator.
  StatusOr<RCReference<Memory>> Allocate(Stream& stream, size_t size_bytes) {
    return allocator_->Allocate(stream, size_bytes);
  }
  DeviceAllocator& allocator() { return *allocator_; }

  // Allocates page-locked memory of the host that device and host use at the same address.
  StatusOr<RCReference<Memory>> AllocatePinned(size_t size_bytes) {
    return pinned_->Allocate(size_bytes);
  }
  PinnedPool& pinned_pool() { return *pinned_; }
  // Makes existing memory of the host usable by the device, at the same address. Calls `release`
  // after the last reference is dropped, the commands that use the memory have run and the driver
  // has unregistered it. A task of the context's queue calls it, or, without a queue, the thread
  // that waits for the device. Also calls it if this function fails.
  StatusOr<RCReference<Memory>> Register(void* memory, size_t size_bytes, TaskFunction release);
  // Uses memory of the device that belongs to another library of the process. Calls `release` as
  // Register does. The address is not checked.
  RCReference<Memory> Borrow(cuda::CUdeviceptr address, size_t size_bytes, TaskFunction release);

  // Loads device code: PTX text (with a zero byte at its end), or a binary for this architecture.
  // The same bytes are loaded once, and are kept for a while after their last use. May wait for all
  // enqueued work of the context: drivers do. Fails with the driver's error and its compiler's
  // output.
  StatusOr<RCReference<Module>> LoadModule(std::string_view image);

  Staging& staging() { return *staging_; }

  // Returns the context's own T, a ContextPart, which the first call makes as T(Context*). The
  // reference is valid as long as the context.
  template <typename T>
  T& Part() {
    return static_cast<T&>(parts_.Get(&internal::part_key<T>, this,
                                      [](Context* context) -> std::unique_ptr<ContextPart> {
                                        return std::make_unique<T>(context);
                                      }));
  }

  // Lets the hardware copy from the memory of a peer on another device without a detour through the
  // host, if it can. Asks the driver once for each peer.
  Status EnableCopiesFrom(const Context& peer);

  // --- Waiting ---

  // Becomes available when `point`, of a stream of this context, has been reached; see
  // Stream::Synchronize. Fails with FailedPrecondition without a queue: `queue` is null, and the
  // host of the context has ended.
  AsyncValueRef<Chain> WhenDone(Point point, ConcurrentWorkQueue* queue = nullptr);
  // Becomes available when `point`, of a stream of any context, has been reached: for results of
  // its command. On a lost device it becomes the error by which the device was lost, whoever asks
  // and when, unlike WhenDone. After the end of the host it waits on the calling thread.
  AsyncValueRef<Chain> WhenWritten(Point point);
  // Becomes available when no command uses the memory any more.
  AsyncValueRef<Chain> WhenUnused(const Memory& memory, ConcurrentWorkQueue* queue = nullptr);
  // Waits on a thread that may block. Spins for a while before it sleeps.
  Status Wait(Point point);
  // Waits for all streams.
  Status Synchronize();

  // --- Errors ---

  bool is_lost() const {
    // acquire: a thread that sees the flag may read the error.
    return is_lost_.load(std::memory_order_acquire);
  }
  // Returns the error by which the device was lost; OK if it was not.
  Status loss() const;

  // --- Internal to the runtime ---

  // Makes the context current on the calling thread. This is one comparison if the runtime made it
  // current there last. Sufficient for calls that name a stream or an event. Fails with Unavailable
  // if the device is lost.
  Status Enter() {
    if (is_lost()) [[unlikely]]
      return Unavailable();
    return native_->MakeCurrent();
  }
  // As Enter, for calls that depend only on the thread's context, such as those that create
  // something. Other code on the thread may have set another context since the runtime's last call.
  Status EnterAnew() {
    cuda::Context::ForgetCurrent();
    return Enter();
  }
  // Returns the result of `call`, a call of the driver. Repeats the call if a missing resource can
  // be restored. That is memory that the allocator has cached, or the thread's context, which other
  // code may have changed. Must be called under no lock, with the context current.
  template <typename F>
  cuda::CUresult Call(F&& call) {
    // Calls it in one place, so that it is inlined there.
    for (bool is_last = false;; is_last = true) {
      const cuda::CUresult result = call();
      if (result == cuda::CUDA_SUCCESS || is_last || !CanTryAgain(result)) [[likely]]
        return result;
    }
  }
  // Returns OK, or the error of a call that returned `result`. If the error cannot be undone, the
  // device is lost. `call` is, for example, "cuLaunchKernel"; `subject` is the object of the call,
  // or empty. Must not be called under a stream's lock.
  Status Check(cuda::CUresult result, std::string_view call, std::string_view subject = {}) {
    if (result == cuda::CUDA_SUCCESS) [[likely]]
      return Status();
    return Error(result, call, subject);
  }
  // Returns cached device memory to the driver, after waiting for all streams. Returns false if
  // there is none, or if the thread is in the function of a Stream::Enqueue. Must be called under
  // no lock.
  bool MakeRoom();
  // Returns the error of a library's call that enqueued commands in the stream, or was to do so. If
  // the driver then reports an error that cannot be undone, the device is lost. That error is
  // returned instead, with the ops that may have caused it. Must be called under no lock.
  Status CheckLibrary(const Status& error, Stream& stream);
  // As Check, of a call that waits for the stream or asks about it. Other errors than the loss of
  // the device name the ops whose commands were waited for.
  Status CheckWait(cuda::CUresult result, std::string_view call, Stream& stream);

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
  // Waits for the stream when the context is destroyed. Returns why its work has not all run, if
  // so.
  Status EndOf(Stream& stream);

  // As WhenDone, for a point of any context that is not known to be done.
  AsyncValueRef<Chain> WhenDoneAnywhere(Point point, ConcurrentWorkQueue* queue);

  // `result` must not be a success.
  [[gnu::cold]] Status Error(cuda::CUresult result, std::string_view call,
                             std::string_view subject);
  // Returns whether a call that failed with `result` may succeed now, see Call.
  [[gnu::cold]] bool CanTryAgain(cuda::CUresult result);
  // Returns whether the driver still works in the context, that is, does not report an unknown
  // error.
  bool Answers();
  // Returns the error with the ops of all commands of `streams` that are not known to be done.
  std::string WithOps(const Status& error, std::span<Stream* const> streams) const;
  // Handles an error of the device that cannot be undone. Returns the error for all waiting
  // threads.
  Status Lose(const Status& error);
  // Returns the error of a wait that has no queue for its continuation.
  [[gnu::cold]] Status NoQueue() const;
  // Returns the error of calls that come after the device is lost.
  [[gnu::cold]] Status Unavailable() const;

  const cuda::DriverTable& driver_;
  // Destroyed last.
  const std::unique_ptr<cuda::Context> native_;
  const Options options_;
  const MemorySpace memory_space_;
  int compute_capability_ = 0;
  int max_shared_bytes_per_block_ = 0;
  size_t max_pitch_bytes_ = 0;

  std::atomic<bool> is_lost_{false};
  mutable std::mutex loss_mutex_;
  Status loss_;  // under loss_mutex_

  std::mutex peers_mutex_;
  std::vector<cuda::CUcontext> peers_;  // which the driver was asked about; under peers_mutex_

  std::unique_ptr<EventPool> events_;
  std::unique_ptr<StreamPool> streams_;
  std::unique_ptr<DeviceAllocator> allocator_;
  std::unique_ptr<PinnedPool> pinned_;
  std::unique_ptr<Staging> staging_;
  std::unique_ptr<ModuleCache> modules_;
  std::unique_ptr<Completion> completion_;
  internal::ContextParts parts_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_CONTEXT_H_

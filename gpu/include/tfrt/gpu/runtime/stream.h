// Stream: commands that a device runs in order, behind the back of the host.
#ifndef TFRT_GPU_RUNTIME_STREAM_H_
#define TFRT_GPU_RUNTIME_STREAM_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/gpu/abi/cuda_result.h"
#include "tfrt/gpu/abi/cuda_types.h"
#include "tfrt/gpu/runtime/block_cache.h"
#include "tfrt/gpu/runtime/launch.h"
#include "tfrt/gpu/runtime/launch_scope.h"
#include "tfrt/gpu/runtime/memory.h"
#include "tfrt/gpu/runtime/point.h"
#include "tfrt/gpu/runtime/spin_lock.h"
#include "tfrt/gpu/wrapper/cuda_handles.h"
#include "tfrt/support/location.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/tracing/device_observer.h"

namespace tfrt {
class ConcurrentWorkQueue;
}  // namespace tfrt

namespace tfrt::gpu {

class Context;
class Function;
struct EventRecord;

namespace internal {
// Open while somebody is to be told of commands. Hidden: each copy of the runtime has its own.
[[gnu::visibility("hidden")]] extern tracing::DeviceGate command_gate;

void ForgetLocations(const LocationHandler& handler);

// What a stream had waited for at some time. Immutable, as the stream's records have it, too.
struct SeenClock : ReferenceCounted<SeenClock> {
  Clock clock;
};
}  // namespace internal

// Any thread may use any stream: the order of the commands is the order of the numbers that a short
// lock gives them, which is held while the command is enqueued and never while a thread waits for
// the device. Calls return when the command is enqueued; an error that they return is the call's
// own, or that of a lost device (see Context).
//
// Held by references (RCReference<Stream>), which keep its context. When the last one goes, what
// was enqueued still runs, and the context gives the idle stream to whoever asks for one next.
class Stream {
 public:
  static constexpr std::string_view kProgramTypeName = "stream";
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Context& context() const { return *context_; }
  cuda::CUstream handle() const { return handle_.get(); }
  // Among those of the process that live now; not 0.
  uint32_t id() const { return id_; }
  // "gpu:0/stream 3", for people.
  const std::string& name() const { return name_; }
  int priority() const { return priority_; }

  // --- Commands ---

  // A kernel of this context: InvalidArgument if it is none. Fails as Function::Check, or with the
  // driver's error:
  // "'cuLaunchKernel' of 'relu': CUDA_ERROR_... (...)".
  Status Launch(const Function& function, const LaunchShape& shape,
                std::span<const LaunchArgument> arguments);

  // Copies between memories that the device can use, in any direction. `to` and `from` are
  // addresses in `to_memory` and `from_memory`. A record follows at once, so that whoever waits for
  // the copy does not wait for the next one. Bytes of the host that go to the host are moved by a
  // thread of the driver.
  Status Copy(const Memory& to_memory, cuda::CUdeviceptr to, const Memory& from_memory,
              cuda::CUdeviceptr from, size_t size_bytes);
  // Writes the four bytes of `pattern` again and again; the last up to three bytes of the memory
  // get the first of them. `to` is a multiple of 4.
  Status Fill(const Memory& memory, cuda::CUdeviceptr to, uint32_t pattern, size_t size_bytes);

  // What is enqueued from now on runs when `point` has been reached: a device-side wait, and only
  // if neither the stream nor the host has waited for it or for something behind it. If it is one
  // of another context whose destructor has begun, the thread waits here until that knows it as
  // done.
  Status WaitFor(Point point);
  // The same for all commands that use `memory` so far.
  Status WaitForUses(const Memory& memory);

  // --- Points ---

  // Behind all that is enqueued now.
  Point tail() const {
    // acquire: whoever takes it for the use of memory comes after the command it stands for.
    return {id_, last_number_.load(std::memory_order_acquire)};
  }
  // The same, with a record if there is none there: who waits for the point later does not wait for
  // what is enqueued after this call.
  StatusOr<Point> Record();
  // Whether what is enqueued now runs behind `point` without a further wait.
  bool HasSeen(Point point) const;

  // --- The host ---

  // Available when all that is enqueued now has run: by a task of `queue` (null: the context's),
  // not by the thread that waits for the device. The queue's Quiesce waits for it. The error that
  // keeps the device from reaching it otherwise.
  AsyncValueRef<Chain> Synchronize(ConcurrentWorkQueue* queue = nullptr);
  // The same for a thread that may block; no task and no worker of a queue.
  Status Wait();

  // What was enqueued by others than this class, such as a library that was given handle(): counts
  // as one command, so that points and uses tell of it. `enqueue` calls the library, with the
  // context current, and must enqueue nothing here itself; its error is returned as it is. It may
  // take long, and wait for other threads, such as those of the other ranks of a collective:
  // meanwhile others enqueue nothing in this stream, and wait for what was in it as ever; tail() is
  // behind the call. `what` is for messages and lives as long as the stream.
  template <typename F>
  Status Enqueue(std::string_view what, std::span<const Memory* const> memories, F&& enqueue) {
    return EnqueueCall(
        what, memories, [](void* call) { return (*static_cast<std::remove_cvref_t<F>*>(call))(); },
        &enqueue);
  }

  void AddRef(uint32_t n = 1) const {
    // relaxed: a new reference is made from one that is already held.
    count_.fetch_add(n, std::memory_order_relaxed);
  }
  void DropRef(uint32_t n = 1) const {
    // acq_rel: who takes the stream up again sees what its users did.
    if (count_.fetch_sub(n, std::memory_order_acq_rel) == n) const_cast<Stream*>(this)->Retire();
  }

 private:
  friend class Completion;
  friend class Context;
  friend class DeviceAllocator;
  friend class PinnedPool;
  friend class StreamPool;

  // A command that was enqueued, for errors that come later. Nothing here is owned.
  struct Attribution {
    uint64_t number = 0;  // 0: none
    std::string_view what;
    std::string_view op;
    Location location;
  };
  static constexpr size_t kAttributions = 256;  // a power of two
  // A stream whose copies nobody waits for asks about its oldest record once it has more than this.
  static constexpr size_t kManyRecords = 64;

  // Of a command that copies within the host. `number`: of the command.
  struct HostCopy {
    uint64_t number;
    void* to;
    const void* from;
    size_t size_bytes;
  };

  Stream(Context* context, cuda::Stream handle, uint32_t id, uint64_t first_number, int priority);
  ~Stream();

  // No reference is left.
  void Retire();

  // InvalidArgument "WHAT belongs to another context than gpu:0/stream 3, which is to use it".
  [[gnu::cold]] Status OfAnotherContext(std::string_view what) const;
  // The parts of Launch: what is out of the ordinary, and the call.
  Status LaunchSlow(const Function& function, const LaunchShape& shape,
                    std::span<const LaunchArgument> arguments);
  Status LaunchObserved(const Function& function, const LaunchShape& shape,
                        std::span<const LaunchArgument> arguments, void** parameters);
  Status LaunchChecked(const Function& function, const LaunchShape& shape,
                       std::span<const LaunchArgument> arguments, void** parameters);
  // Tells an observer of devices of the command that follows, as long as the result lives; empty if
  // there is none.
  static std::optional<tracing::CommandScope> Observe() {
    // Not under the stream's lock: an observer may call its vendor's library.
    if (!tracing::IsDeviceObserved(internal::command_gate)) [[likely]]
      return std::nullopt;
    const LaunchScope* scope = LaunchScope::current();
    return std::optional<tracing::CommandScope>(std::in_place,
                                                scope ? scope->op() : std::string_view());
  }
  // The number of the next command. Under order_.
  uint64_t Begin(std::string_view what) {
    // relaxed: changed under the lock. release: see tail.
    uint64_t number = last_number_.load(std::memory_order_relaxed) + 1;
    last_number_.store(number, std::memory_order_release);
    Attribution& attribution = attributions_[number % kAttributions];
    const LaunchScope* scope = LaunchScope::current();
    attribution.number = number;
    attribution.what = what;
    attribution.op = scope ? scope->op() : std::string_view();
    attribution.location = scope ? scope->location() : Location();
    return number;
  }
  // A command: enqueue() calls the driver, under order_, and returns what it says. With
  // `is_recorded` a record follows.
  template <typename F>
  Status Command(std::string_view what, std::span<const Memory* const> memories, bool is_recorded,
                 const std::string_view& call, F&& enqueue);
  // Has the host copy bytes in the stream's order: the driver's own copy within the host makes its
  // caller wait for all that the stream has to do. Under order_.
  cuda::CUresult EnqueueInHost(cuda::CUdeviceptr to, cuda::CUdeviceptr from, size_t size_bytes);
  Status EnqueueCall(std::string_view what, std::span<const Memory* const> memories,
                     Status (*call)(void*), void* argument);
  Status BeginCall(std::string_view what, Point* point);
  // What follows a command that returned `result`: its error, or waits for it where launches block.
  Status End(cuda::CUresult result, std::string_view call, std::string_view subject);

  // The first record behind command `number`, or a new one behind all that is enqueued; null if the
  // command is known to have run. The caller owes one Unpin.
  StatusOr<EventRecord*> PinRecordBehind(uint64_t number);
  void Unpin(EventRecord* record);
  // The listed record behind command `number`; null if there is none. Under order_.
  EventRecord* FindRecord(uint64_t number);
  // Records `record` behind all that is enqueued. Under order_.
  cuda::CUresult PushRecord(EventRecord* record);
  // Forgets records that the host knows to have happened; those that nobody uses become free. Under
  // order_.
  void TrimRecords();
  // Asks the device how far it has come: by its records, or whether it has come to the end.
  void Poll();
  // `record`, of this stream, has happened, says the driver. So has what the stream had waited for,
  // but for commands of another context that has failed: those never ran, whatever became of the
  // wait. So these contexts are asked. Their error, and then nothing of the record is known. Under
  // no lock; enters other contexts.
  Status NoteDone(const EventRecord& record);
  // The same where nobody need be asked; false, and nothing is noted, if somebody must be. Any
  // lock.
  bool NoteDoneIfOwn(const EventRecord& record);
  // What `seen` has, and `point`, of this stream.
  static void NoteAllDone(const Clock& seen, Point point);
  // Whether all that `seen` has is of streams of this context, or known to be done.
  bool IsOfContext(const Clock& seen) const;
  // Whether what `seen` has of other contexts has run, of a stream that has passed it.
  Status CheckSeen(const Clock& seen) const;
  // What the stream has waited for when it will have waited for `record`, without what the host
  // knows anyway. Under order_.
  RCReference<const internal::SeenClock> SeenWith(const EventRecord& record) const;
  // The same as CheckSeen of all that this stream has waited for, when its context goes.
  Status CheckEnd() const;

  // The ops of commands behind `done` up to `end`, oldest first. Returns how many of those commands
  // are forgotten: they are older than the last kAttributions.
  uint64_t AppendAttributions(uint64_t done, uint64_t end, std::vector<Attribution>* out);
  friend void internal::ForgetLocations(const LocationHandler& handler);
  void ForgetLocations(const LocationHandler& handler);

  Context* const context_;
  const cuda::Stream handle_;
  const uint32_t id_;
  const int priority_;
  const std::string name_;
  mutable std::atomic<uint32_t> count_{1};

  // Before a command gets its number. Under order_.
  void AwaitEndOfCall() {
    if (call_goes_on_) [[unlikely]]
      AwaitEndOfCallSlow();
  }
  void AwaitEndOfCallSlow();

  std::mutex order_;
  // A library enqueues commands, without the lock; the thread that calls it. Under order_.
  bool call_goes_on_ = false;
  std::thread::id caller_;
  std::condition_variable call_ended_;
  // Changed under order_. A command has its number before it is enqueued.
  std::atomic<uint64_t> last_number_;
  // Under order_. By number; what each one's stream had seen is part of it.
  std::vector<EventRecord*> records_;
  std::deque<HostCopy> host_copies_;  // by number; those that may not have run. Under order_
  std::unique_ptr<Attribution[]> attributions_;  // of command n at n % kAttributions; under order_

  // Taken inside of order_. Nobody is called while it is held, and nothing is allocated.
  mutable internal::SpinLock light_;
  // Of other streams. Another one under order_ and light_, whenever the stream waits: so it is read
  // under either of them.
  RCReference<const internal::SeenClock> seen_;
  BlockCache cache_;  // under light_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_STREAM_H_

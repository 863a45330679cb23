// Stream: commands that a device runs in order, asynchronously to the host.
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

#include "block_cache.h"
#include "gpu/abi/cuda_result.h"
#include "gpu/abi/cuda_types.h"
#include "gpu/wrapper/cuda_handles.h"
#include "launch.h"
#include "launch_scope.h"
#include "lib/base/tracing/device_observer.h"
#include "memory.h"
#include "order_lock.h"
#include "point.h"
#include "spin_lock.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/support/location.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {
class ConcurrentWorkQueue;
}  // namespace tfrt

namespace tfrt::gpu {

class Context;
class Function;
struct EventRecord;

namespace internal {
// Open while an observer receives commands. Hidden: each copy of the runtime has its own.
[[gnu::visibility("hidden")]] extern tracing::DeviceGate command_gate;

void ForgetLocations(const LocationHandler& handler);

// The points that a stream had waited for at some time. Immutable, because the stream's records
// share it.
struct SeenClock : ReferenceCounted<SeenClock> {
  Clock clock;
};
}  // namespace internal

// The rows of a copy.
struct CopyRows {
  size_t num_rows = 1;
  size_t row_bytes = 0;         // of each row
  size_t to_pitch_bytes = 0;    // from the beginning of a row to that of the next one
  size_t from_pitch_bytes = 0;  // the same of the source
};

// Any thread may use any stream. A short lock gives commands their numbers, in the order in which
// they run. It is held while a command is enqueued, and never while a thread waits for the device.
// Calls return when the command is enqueued. An error that they return is the call's own, or that
// of a lost device (see Context).
//
// Held by references (RCReference<Stream>), which keep its context alive. After the last one is
// dropped, enqueued work still runs, and the context reuses the idle stream for the next request.
class Stream {
 public:
  static constexpr std::string_view kProgramTypeName = "stream";
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Context& context() const { return *context_; }
  cuda::CUstream handle() const { return handle_.get(); }
  // Returns a number that is unique among the process's live streams; not 0.
  uint32_t id() const { return id_; }
  // Returns the human-readable name: "gpu:0/stream 3".
  const std::string& name() const { return name_; }
  int priority() const { return priority_; }

  // --- Commands ---

  // Return the point of the very command, not that of what other threads have enqueued since. The
  // point is empty if there was nothing to do.

  // Launches a kernel of this context. Fails with InvalidArgument for a kernel of another context,
  // like Function::Check, or with the driver's error: "'cuLaunchKernel' of 'relu': CUDA_ERROR_...
  // (...)".
  StatusOr<Point> Launch(const Function& function, const LaunchShape& shape,
                         std::span<const LaunchArgument> arguments);
  // As above, for a launch of which Function::Check has returned OK. `parameters` are the addresses
  // of the arguments. The kernel uses `memories`; null ones do not count.
  StatusOr<Point> LaunchChecked(const Function& function, const LaunchShape& shape,
                                void** parameters, std::span<const Memory* const> memories);

  // Copies between memories that the device can use, in any direction. A record follows at once, so
  // that waits for the copy do not include the next command. A thread of the driver moves bytes
  // from host to host. Fails with InvalidArgument unless the ranges have the same size, lie in
  // their memories and do not overlap.
  StatusOr<Point> Copy(const MemoryRange& to, const MemoryRange& from);
  // As Copy, of rows that lie in the ranges, from the beginning of each on. Rows of one matrix may
  // lie between those of the other. Two device memories must be of the same context.
  StatusOr<Point> Copy2D(const MemoryRange& to, const MemoryRange& from, const CopyRows& rows);
  // Writes the four bytes of `pattern` repeatedly. The last up to three bytes of the range get the
  // pattern's first ones. The range must begin at a multiple of 4 and lie in its memory.
  StatusOr<Point> Fill(const MemoryRange& to, uint32_t pattern);

  // Makes all later commands run after `point` has been reached. This is a device-side wait. It is
  // enqueued only if neither the stream nor the host has waited for the point or a later one. If
  // the point belongs to another context whose destructor has begun, the calling thread waits here
  // until that destructor knows the point as done.
  Status WaitFor(Point point);
  // As WaitFor, for all commands that use `memory` so far.
  Status WaitForUses(const Memory& memory);

  // --- Points ---

  // Returns the point after all enqueued commands.
  Point tail() const {
    // acquire: a thread that takes the tail for the use of memory comes after the command of the
    // tail.
    return {id_, last_number_.load(std::memory_order_acquire)};
  }
  // As tail, and adds a record if the point has none. A later wait for the point then does not wait
  // for commands that are enqueued after this call.
  StatusOr<Point> Record();
  // Returns whether the next command runs after `point` without a further wait.
  bool HasSeen(Point point) const {
    if (!point || point.stream == id_) return true;
    // acquire: the wait that was noted here is in the stream.
    const uint64_t last = last_wait_.load(std::memory_order_acquire);
    if (last >> kNumberBits == point.stream && (last & kNumberMask) >= point.number) [[likely]]
      return true;
    return HasSeenSlow(point);
  }

  // --- The host ---

  // Becomes available when all commands enqueued so far have run, or becomes the error that
  // prevents it. A task of `queue` (null: the context's) makes it available, not the thread that
  // waits for the device. The queue's Quiesce waits for it.
  AsyncValueRef<Chain> Synchronize(ConcurrentWorkQueue* queue = nullptr);
  // As Synchronize, for a thread that may block: no task and no worker of a queue.
  Status Wait();

  // Runs `enqueue`, which lets other code, for example a library that was given handle(), enqueue
  // commands. They count as one command for points and uses. The function `enqueue` is called with
  // the context current. It must enqueue nothing here itself, and its error is returned as it is.
  //
  // The call may take long, and may wait for other threads, such as those of the other ranks of a
  // collective. Meanwhile other threads cannot enqueue in this stream, but can wait for earlier
  // commands. The tail() is then after the call. The text `what` is for messages and must live as
  // long as the stream.
  template <typename F>
  StatusOr<Point> Enqueue(std::string_view what, std::span<const Memory* const> memories,
                          F&& enqueue) {
    return EnqueueCall(
        what, memories, [](void* call) { return (*static_cast<std::remove_cvref_t<F>*>(call))(); },
        &enqueue);
  }

  // Returns whether the calling thread runs the function of an Enqueue. Waiting for streams would
  // then wait for the end of that function.
  static bool IsThreadInCall() { return calls_of_thread_ != 0; }

  void AddRef(uint32_t n = 1) const {
    // relaxed: a new reference is made from one that is already held.
    count_.fetch_add(n, std::memory_order_relaxed);
  }
  void DropRef(uint32_t n = 1) const {
    // acq_rel: the thread that reuses the stream sees what its users did.
    if (count_.fetch_sub(n, std::memory_order_acq_rel) == n) const_cast<Stream*>(this)->Retire();
  }

 private:
  friend class Completion;
  friend class Context;
  friend class DeviceAllocator;
  friend class PinnedPool;
  friend class StreamPool;

  // An enqueued command, for errors that come later. Owns nothing.
  struct Attribution {
    uint64_t number = 0;  // 0: none
    std::string_view what;
    std::string_view op;
    Location location;
  };
  static constexpr size_t kAttributions = 256;  // a power of two
  // A stream whose copies are not waited for queries its oldest record if it has more records than
  // this.
  static constexpr size_t kManyRecords = 64;

  // A command that copies within the host. `number` is that of the command.
  struct HostCopy {
    uint64_t number;
    std::byte* to;
    const std::byte* from;
    CopyRows rows;
  };

  Stream(Context* context, cuda::Stream handle, uint32_t id, uint64_t first_number, int priority);
  ~Stream();

  // Called when no reference is left.
  void Retire();
  bool HasSeenSlow(Point point) const;

  // Returns InvalidArgument "WHAT belongs to another context than gpu:0/stream 3, which is to use
  // it".
  [[gnu::cold]] Status OfAnotherContext(std::string_view what) const;
  // The parts of Launch: the exceptional cases, and the call.
  StatusOr<Point> LaunchSlow(const Function& function, const LaunchShape& shape,
                             std::span<const LaunchArgument> arguments);
  // `uses` is called with the point of the command, under order_, to note it in memories.
  template <typename F>
  StatusOr<Point> EnqueueKernel(const Function& function, const LaunchShape& shape,
                                void** parameters, F&& uses);
  // The same, reported to an observer.
  template <typename F>
  StatusOr<Point> LaunchObserved(const Function& function, const LaunchShape& shape,
                                 void** parameters, F&& uses);
  // Reports the next command to an observer of devices, as long as the result lives; empty if there
  // is no observer.
  static std::optional<tracing::CommandScope> Observe() {
    // Not under the stream's lock: an observer may call its vendor's library.
    if (!tracing::IsDeviceObserved(internal::command_gate)) [[likely]]
      return std::nullopt;
    const LaunchScope* scope = LaunchScope::current();
    return std::optional<tracing::CommandScope>(std::in_place,
                                                scope ? scope->op() : std::string_view());
  }
  // Returns the number of the next command. Called under order_.
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
  // Runs a command: enqueue() calls the driver, under order_, and returns its result. With
  // `is_recorded` a record follows.
  template <typename F>
  StatusOr<Point> Command(std::string_view what, std::span<const Memory* const> memories,
                          bool is_recorded, const std::string_view& call, F&& enqueue);
  // Makes the host copy bytes in the stream's order. The driver's own copy within the host makes
  // its caller wait for all work of the stream. Called under order_.
  cuda::CUresult EnqueueInHost(const MemoryRange& to, const MemoryRange& from,
                               const CopyRows& rows);
  StatusOr<Point> EnqueueCall(std::string_view what, std::span<const Memory* const> memories,
                              Status (*call)(void*), void* argument);
  Status BeginCall(std::string_view what, Point* point);
  // Ends a command that returned `result`: returns its error, or waits for it if launches block.
  Status End(cuda::CUresult result, std::string_view call, std::string_view subject);

  // Returns the first record after command `number`, or a new one after all enqueued commands; null
  // if the command is known to have run. The caller owes one Unpin.
  StatusOr<EventRecord*> PinRecordBehind(uint64_t number);
  void Unpin(EventRecord* record);
  // Returns the listed record after command `number`; null if there is none. Called under order_.
  EventRecord* FindRecord(uint64_t number);
  // Records `record` after all enqueued commands. Called under order_.
  cuda::CUresult PushRecord(EventRecord* record);
  // Drops records that the host knows to have happened; unused ones become free. Called under
  // order_.
  void TrimRecords();
  // Queries the device's progress: by its records, or whether it has reached the end.
  void Poll();
  // Notes that `record`, of this stream, has happened, as the driver reports. The points that the
  // stream had waited for are then done, too, with one exception. Commands of another context that
  // has failed never ran, even if the wait ended. So these contexts are checked. On an error of
  // theirs, nothing of the record is noted. Called under no lock; enters other contexts.
  Status NoteDone(const EventRecord& record);
  // As NoteDone, if no other context must be checked. Otherwise returns false and notes nothing.
  // May be called under any lock.
  bool NoteDoneIfOwn(const EventRecord& record);
  // Notes all points of `seen` as done, and `point`, of this stream.
  static void NoteAllDone(const Clock& seen, Point point);
  // Returns whether all points of `seen` are of streams of this context, or known to be done.
  bool IsOfContext(const Clock& seen) const;
  // For a stream that has passed `seen`: checks that the commands of other contexts in it have run.
  Status CheckSeen(const Clock& seen) const;
  // Returns the points that the stream will have waited for after a wait for `record`, without
  // those that the host knows as done. Called under order_.
  RCReference<const internal::SeenClock> SeenWith(const EventRecord& record) const;
  // As CheckSeen, for all points that this stream has waited for, when its context is destroyed.
  Status CheckEnd() const;

  // Appends the ops of commands after `done` up to `end`, oldest first. Returns how many of those
  // commands are unknown, because they are older than the last kAttributions.
  uint64_t AppendAttributions(uint64_t done, uint64_t end, std::vector<Attribution>* out);
  friend void internal::ForgetLocations(const LocationHandler& handler);
  void ForgetLocations(const LocationHandler& handler);

  Context* const context_;
  const cuda::Stream handle_;
  const uint32_t id_;
  const int priority_;
  const std::string name_;
  mutable std::atomic<uint32_t> count_{1};

  // Called before a command gets its number. Called under order_.
  void AwaitEndOfCall() {
    if (call_goes_on_) [[unlikely]]
      AwaitEndOfCallSlow();
  }
  void AwaitEndOfCallSlow();

  internal::OrderLock order_;
  // A library enqueues commands, without the lock; and the thread that calls it. Guarded by order_.
  bool call_goes_on_ = false;
  std::thread::id caller_;
  static constinit thread_local int calls_of_thread_;  // calls of all streams, as they may nest
  std::condition_variable_any call_ended_;
  // Changed under order_. A command has its number before it is enqueued.
  std::atomic<uint64_t> last_number_;
  // Ordered by number; each record includes what its stream had seen. Guarded by order_.
  std::vector<EventRecord*> records_;
  std::deque<HostCopy> host_copies_;  // by number; those that may not have run. Under order_
  std::unique_ptr<Attribution[]> attributions_;  // of command n at n % kAttributions; under order_

  // Taken inside of order_. No calls and no allocations are made under it.
  mutable internal::SpinLock light_;
  // Points of other streams. Replaced under order_ and light_, whenever the stream waits. So it is
  // read under either of them.
  RCReference<const internal::SeenClock> seen_;
  BlockCache cache_;  // under light_

  // The point of the last wait, in one word as in UsePoints. A stream that waits for one other
  // stream has seen nothing else. Written under order_.
  static constexpr int kNumberBits = 52;
  static constexpr uint64_t kNumberMask = (uint64_t{1} << kNumberBits) - 1;
  std::atomic<uint64_t> last_wait_{0};
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_STREAM_H_

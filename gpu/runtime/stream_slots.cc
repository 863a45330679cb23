#include "stream_slots.h"

#include <array>
#include <atomic>
#include <cassert>
#include <map>
#include <mutex>

#include "context.h"
#include "stream.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace internal {
namespace {

// Constant-initialised and never destroyed: streams may come and go at any time of the process.
constinit std::array<std::atomic<uint64_t>, kMaxStreams> known_done = {};
constinit std::array<std::atomic<Stream*>, kMaxStreams> streams = {};
constinit std::array<std::atomic<Context*>, kMaxStreams> contexts = {};  // of the streams
constinit std::array<bool, kMaxStreams> is_taken = {};                   // under slots_mutex
constinit std::mutex slots_mutex;
// The marks and the errors of streams that failed and were destroyed; their numbers stay taken. The
// errors are guarded by slots_mutex, the marks are not.
constinit std::array<std::atomic<bool>, kMaxStreams> has_failed = {};
std::map<uint32_t, Status>& Failures() {
  static auto* const failures = new std::map<uint32_t, Status>;
  return *failures;
}
// Those who ask the stream's context for its state just now.
constinit std::array<std::atomic<uint32_t>, kMaxStreams> num_askers = {};

// Each call on a context that has failed is answered with what it failed of.
Status AskContext(Context& context) {
  if (context.is_lost()) return context.loss();
  cuda::Context::ForgetCurrent();
  (void)context.native().MakeCurrent();
  cuda::CUevent event = nullptr;
  // Not a query, which ends captures.
  const cuda::CUresult result =
      context.driver().cuEventCreate(&event, cuda::CU_EVENT_DISABLE_TIMING);
  if (result == cuda::CUDA_SUCCESS) (void)context.driver().cuEventDestroy_v2(event);
  // Says nothing of what the context has done.
  if (result == cuda::CUDA_ERROR_OUT_OF_MEMORY) return OkStatus();
  return context.Check(result, "cuEventCreate");
}

// Held where a stream goes, and where its context is looked for.
constinit std::mutex contexts_mutex;
// Grows when the end of a stream is known. It and not a condition variable, which is destroyed.
constinit std::atomic<uint32_t> num_ends = 0;
// Held where a stream goes, and where locations that streams remember are read or forgotten.
constinit std::mutex locations_mutex;

}  // namespace

StatusOr<StreamSlot> AcquireStreamSlot() {
  // release: with what the function uses, which is there from the start.
  tfrt::internal::forget_locations.store(&ForgetLocations, std::memory_order_release);
  std::lock_guard lock(slots_mutex);
  for (uint32_t id = 1; id < kMaxStreams; ++id) {
    if (is_taken[id]) continue;
    is_taken[id] = true;
    // relaxed: written under the lock while nobody has the number.
    return StreamSlot{id, known_done[id].load(std::memory_order_relaxed)};
  }
  return ResourceExhaustedError(
      StrCat("a process has up to ", kMaxStreams - 1, " streams at once"));
}

void SetStream(uint32_t id, Stream* stream, Context* context) {
  // release: whoever finds the stream sees it whole, and whoever finds the context the stream.
  streams[id].store(stream, std::memory_order_release);
  contexts[id].store(context, std::memory_order_release);
}

void CloseStreamSlot(uint32_t id) {
  {
    // Whoever has found the context under this lock has looked at its count: it may end now.
    std::lock_guard lock(contexts_mutex);
    contexts[id].store(nullptr, std::memory_order_relaxed);
  }
  // acquire: after what they do with it. They are few, and wait for nobody.
  while (uint32_t askers = num_askers[id].load(std::memory_order_acquire)) {
    num_askers[id].wait(askers, std::memory_order_relaxed);
  }
}

void GiveBackStreamSlot(uint32_t id, uint64_t last_number) {
  // First, as whoever then finds no context counts on it.
  const bool is_good = !has_failed[id].load(std::memory_order_relaxed);
  if (is_good) NoteEnd({id, last_number});
  CloseStreamSlot(id);
  {
    std::lock_guard lock(locations_mutex);
    streams[id].store(nullptr, std::memory_order_relaxed);
  }
  std::lock_guard lock(slots_mutex);
  assert(is_taken[id]);
  if (is_good) is_taken[id] = false;
}

std::unique_lock<std::mutex> KeepLocations() { return std::unique_lock(locations_mutex); }

void ForgetLocations(const LocationHandler& handler) {
  std::lock_guard lock(locations_mutex);
  for (uint32_t id = 1; id < kMaxStreams; ++id) {
    Stream* stream = streams[id].load(std::memory_order_acquire);
    if (stream) stream->ForgetLocations(handler);
  }
}

Stream* StreamOf(uint32_t id, const Context* context) {
  return contexts[id].load(std::memory_order_acquire) == context
             ? streams[id].load(std::memory_order_acquire)
             : nullptr;
}

RCReference<Context> ContextOf(uint32_t id) {
  std::lock_guard lock(contexts_mutex);
  Context* context = contexts[id].load(std::memory_order_acquire);
  return context && context->TryAddRef() ? TakeRef(context) : RCReference<Context>();
}

Status AwaitGoing(Point point) {
  for (;;) {
    uint32_t ends = num_ends.load(std::memory_order_acquire);
    if (IsKnownDone(point)) return OkStatus();
    // acquire: sees why.
    if (has_failed[point.stream].load(std::memory_order_acquire)) {
      std::lock_guard lock(slots_mutex);
      return Failures().at(point.stream);
    }
    num_ends.wait(ends, std::memory_order_acquire);
  }
}

Status CheckPassed(Point point) {
  if (IsKnownDone(point)) return OkStatus();
  Context* context;
  {
    std::lock_guard lock(contexts_mutex);
    context = contexts[point.stream].load(std::memory_order_relaxed);
    // relaxed: under the lock, as where the context is taken away.
    if (context) num_askers[point.stream].fetch_add(1, std::memory_order_relaxed);
  }
  // Then all that is known of the stream was noted before.
  if (!context) return AwaitGoing(point);
  Status status = AskContext(*context);
  // release: the context's end comes after it.
  if (num_askers[point.stream].fetch_sub(1, std::memory_order_release) == 1) {
    num_askers[point.stream].notify_all();
  }
  return status;
}

bool IsOver(Point point) {
  return IsKnownDone(point) || has_failed[point.stream].load(std::memory_order_acquire);
}

void AwaitAll(std::span<const Point> points) {
  for (Point point : points) {
    if (IsKnownDone(point)) continue;
    RCReference<Context> context = ContextOf(point.stream);
    if (!context) {
      (void)AwaitGoing(point);
    } else if (!context->Wait(point).ok()) {
      // Why ever that has failed; at once if the device is lost. In its context, which a lost one
      // has not made current: the driver would refuse the call, and wait for nothing.
      cuda::Context::ForgetCurrent();
      (void)context->native().MakeCurrent();
      Stream* stream = StreamOf(point.stream, context.get());
      (void)context->driver().cuStreamSynchronize(stream->handle());
    }
  }
}

void NoteKnownDone(Point point) {
  std::atomic<uint64_t>& known = known_done[point.stream];
  uint64_t now = known.load(std::memory_order_relaxed);
  // release: whoever reads it goes on behind the wait of this thread, whose effects (what the
  // device wrote to host memory) it then sees.
  while (now < point.number &&
         !known.compare_exchange_weak(now, point.number, std::memory_order_release,
                                      std::memory_order_relaxed)) {
  }
}

void NoteEnd(Point tail) {
  NoteKnownDone(tail);
  // release: whoever sees the number sees the point as done.
  num_ends.fetch_add(1, std::memory_order_release);
  num_ends.notify_all();
}

void NoteFailed(uint32_t id, const Status& why) {
  {
    std::lock_guard lock(slots_mutex);
    Failures().emplace(id, why);
  }
  // release: with the reason. Then those that wait look again.
  has_failed[id].store(true, std::memory_order_release);
  num_ends.fetch_add(1, std::memory_order_release);
  num_ends.notify_all();
}

uint64_t KnownDone(uint32_t id) { return known_done[id].load(std::memory_order_acquire); }

}  // namespace internal

bool IsKnownDone(Point point) { return internal::KnownDone(point.stream) >= point.number; }

}  // namespace tfrt::gpu

#include "stream_slots.h"

#include <array>
#include <atomic>
#include <cassert>
#include <mutex>

#include "tfrt/gpu/runtime/stream.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace internal {
namespace {

// Constant-initialised and never destroyed: streams may come and go at any time of the process.
constinit std::array<std::atomic<uint64_t>, kMaxStreams> known_done = {};
constinit std::array<std::atomic<Stream*>, kMaxStreams> streams = {};
constinit std::array<bool, kMaxStreams> is_taken = {};  // under slots_mutex
constinit std::mutex slots_mutex;
// Held where a stream goes, and where locations that streams remember are read or forgotten.
constinit std::mutex locations_mutex;

}  // namespace

StatusOr<StreamSlot> TakeStreamSlot() {
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

void SetStream(uint32_t id, Stream* stream) {
  // release: whoever finds the stream sees it whole.
  streams[id].store(stream, std::memory_order_release);
}

void GiveBackStreamSlot(uint32_t id, uint64_t last_number) {
  {
    std::lock_guard lock(locations_mutex);
    SetStream(id, nullptr);
  }
  NoteKnownDone({id, last_number});
  std::lock_guard lock(slots_mutex);
  assert(is_taken[id]);
  is_taken[id] = false;
}

std::unique_lock<std::mutex> KeepLocations() { return std::unique_lock(locations_mutex); }

void ForgetLocations(const LocationHandler& handler) {
  std::lock_guard lock(locations_mutex);
  for (uint32_t id = 1; id < kMaxStreams; ++id) {
    if (Stream* stream = StreamOf(id)) stream->ForgetLocations(handler);
  }
}

Stream* StreamOf(uint32_t id) { return streams[id].load(std::memory_order_acquire); }

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

uint64_t KnownDone(uint32_t id) { return known_done[id].load(std::memory_order_acquire); }

}  // namespace internal

bool IsKnownDone(Point point) { return internal::KnownDone(point.stream) >= point.number; }

}  // namespace tfrt::gpu

// The streams of the process by number, and how far the host knows them to be.
#ifndef TFRT_GPU_RUNTIME_STREAM_SLOTS_H_
#define TFRT_GPU_RUNTIME_STREAM_SLOTS_H_

#include <cstdint>
#include <mutex>

#include "tfrt/gpu/runtime/point.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class Stream;

namespace internal {

struct StreamSlot {
  uint32_t id;
  // What the stream counts on from: a number that is used again goes on where its last stream
  // ended, so that what was noted of that one says nothing wrong about this one.
  uint64_t first_number;
};

// ResourceExhausted "a process has up to 4095 streams at once". Thread-safe, as all of these.
StatusOr<StreamSlot> TakeStreamSlot();
void SetStream(uint32_t id, Stream* stream);
// The stream is idle: all of it is known to be done from now on.
void GiveBackStreamSlot(uint32_t id, uint64_t last_number);

// For who reads locations that streams remember: while it is held, no handler of them goes, and no
// stream. Taken before locks of streams.
std::unique_lock<std::mutex> KeepLocations();
// Streams forget the locations of a handler that goes (support/location.h).
void ForgetLocations(const LocationHandler& handler);

// Null if there is none. It may go at any time unless the caller keeps its context.
Stream* StreamOf(uint32_t id);
// A thread of the host has waited for the point.
void NoteKnownDone(Point point);
// Up to which command the stream is known to have run.
uint64_t KnownDone(uint32_t id);

}  // namespace internal
}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_STREAM_SLOTS_H_

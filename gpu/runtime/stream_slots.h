// The streams of the process by number, and how far the host knows them to be.
#ifndef TFRT_GPU_RUNTIME_STREAM_SLOTS_H_
#define TFRT_GPU_RUNTIME_STREAM_SLOTS_H_

#include <cstdint>
#include <mutex>
#include <span>

#include "tfrt/gpu/runtime/point.h"
#include "tfrt/support/location.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class Context;
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
void SetStream(uint32_t id, Stream* stream, Context* context);
// The context goes, and the end of the stream is known: nobody finds the context by it any more,
// and those who ask it (CheckPassed) have done so.
void CloseStreamSlot(uint32_t id);
// The stream goes, and is idle: all of it is known to be done from now on, unless it has failed.
void GiveBackStreamSlot(uint32_t id, uint64_t last_number);

// For who reads locations that streams remember: while it is held, no handler of them goes, and no
// stream. Taken before locks of streams, so that whoever closes a file waits for a launch that
// waits for room in its queue.
std::unique_lock<std::mutex> KeepLocations();
// Streams forget the locations of a handler that goes (support/location.h).
void ForgetLocations(const LocationHandler& handler);

// Memory tells which streams use it, and keeps its own context but not theirs. So of a point that
// is not known to be done, the stream may be one of the caller's context, which has it as long as
// it lives; one of another context, which ContextOf keeps; or one of a context whose destructor has
// begun. That destructor waits for its streams before it does anything else, needs nobody for it,
// and tells those who wait for it here.

// The stream if it is one of `context`, which the caller keeps; null if not.
Stream* StreamOf(uint32_t id, const Context* context);
// The context of the stream; null if the destructor has begun, or ended. Its lock is held for a few
// instructions, and nothing is called under it. Who drops the reference may be the last one, and
// then runs that destructor: so under no lock that it takes.
RCReference<Context> ContextOf(uint32_t id);
// Sleeps until the point is known to be done; the error if it is known that it never will be.
// ContextOf its stream was null.
Status AwaitGoing(Point point);
// Whether a point that a stream of another context has passed was reached, and not only given up:
// the error of its context if that has failed. Asks that context's driver, also while its
// destructor runs, which waits for that; so it neither waits for anybody nor ends a context. Leaves
// that context current.
Status CheckPassed(Point point);
// Whether the device does no more with what the commands up to the point used: they have run, or
// never will, because their context has failed and gone.
bool IsOver(Point point);
// Sleeps until the commands up to the points have run, of whatever context. On a lost device
// nothing runs.
void AwaitAll(std::span<const Point> points);

// A thread of the host has waited for the point.
void NoteKnownDone(Point point);
// The same of the end of a stream whose context goes, for AwaitGoing.
void NoteEnd(Point tail);
// The context of the stream goes, and what the stream did has not run, or nobody knows: from now on
// all of its points that are not known to be done fail so. Its number is not used again.
void NoteFailed(uint32_t id, const Status& why);
// Up to which command the stream is known to have run.
uint64_t KnownDone(uint32_t id);

}  // namespace internal
}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_STREAM_SLOTS_H_

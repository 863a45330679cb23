// The streams of the process by number, and how far the host knows them to be.
#ifndef TFRT_GPU_RUNTIME_STREAM_SLOTS_H_
#define TFRT_GPU_RUNTIME_STREAM_SLOTS_H_

#include <cstdint>
#include <mutex>
#include <span>

#include "point.h"
#include "tfrt/support/location.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class Context;
class Stream;

namespace internal {

struct StreamSlot {
  uint32_t id;
  // The number that the stream counts on from. A slot that is reused continues where its last
  // stream ended, so that notes about that stream stay true for this one.
  uint64_t first_number;
};

// ResourceExhausted "a process has up to 4095 streams at once". Thread-safe, as all of these.
StatusOr<StreamSlot> AcquireStreamSlot();
void SetStream(uint32_t id, Stream* stream, Context* context);
// Closes the slot of a context that is being destroyed, when the end of the stream is known. The
// context can no longer be found by it, and threads that query it (CheckPassed) have finished.
void CloseStreamSlot(uint32_t id);
// The stream goes, and is idle: all of it is known to be done from now on, unless it has failed.
void GiveBackStreamSlot(uint32_t id, uint64_t last_number);

// For who reads locations that streams remember: while it is held, no handler of them goes, and no
// stream. Taken before locks of streams, so that whoever closes a file waits for a launch that
// waits for room in its queue.
std::unique_lock<std::mutex> KeepLocations();
// Streams forget the locations of a handler that goes (support/location.h).
void ForgetLocations(const LocationHandler& handler);

// Memory records the streams that use it, and keeps its own context but not theirs. If a point is
// not known to be done, its stream is in one of three contexts. It may be the caller's context,
// which has the stream as long as it lives. It may be another context, which ContextOf keeps. It
// may also be a context whose destructor has begun. That destructor first waits for its streams,
// depends on no other thread, and wakes the threads that wait for it here.

// The stream if it is one of `context`, which the caller keeps; null if not.
Stream* StreamOf(uint32_t id, const Context* context);
// Returns the context of the stream; null if the destructor has begun, or ended. Its lock is held
// for a few instructions, and nothing is called under it. Dropping the reference may run that
// destructor, so drop it under no lock that the destructor takes.
RCReference<Context> ContextOf(uint32_t id);
// Sleeps until the point is known to be done; the error if it is known that it never will be.
// ContextOf its stream was null.
Status AwaitGoing(Point point);
// Tells whether a point that a stream of another context has passed was reached, and not only given
// up. Returns the error of its context if that has failed. Queries that context's driver, also
// while its destructor runs, which waits for the query. It therefore neither waits nor ends a
// context. Leaves that context current.
Status CheckPassed(Point point);
// Tells whether the device has finished with the memory of the commands up to the point. Either
// they have run, or they never will, because their context has failed and was destroyed.
bool IsOver(Point point);
// Sleeps until the commands up to the points have run, of whatever context. On a lost device
// nothing runs.
void AwaitAll(std::span<const Point> points);

// A thread of the host has waited for the point.
void NoteKnownDone(Point point);
// The same of the end of a stream whose context goes, for AwaitGoing.
void NoteEnd(Point tail);
// Notes that the context of the stream is being destroyed, and that the stream's commands have not
// run or may not have run. From now on all of its points that are not known to be done fail with
// `why`. Its number is not used again.
void NoteFailed(uint32_t id, const Status& why);
// Up to which command the stream is known to have run.
uint64_t KnownDone(uint32_t id);

}  // namespace internal
}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_STREAM_SLOTS_H_

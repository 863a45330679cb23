// TimelineObserver: what a device with streams tells somebody who checks the order of its work.
//
// A *timeline* is a sequence of operations that run one after the other: a stream of a device, or a
// host thread. Different timelines know nothing of each other but by *events*: an event is recorded
// on one timeline, and another that waits for it continues after all that the first did until then.
// Nothing here is about time: an observer decides from these calls alone whether two operations are
// ordered, whichever happened to run first.
#ifndef TFRT_HOST_CONTEXT_TIMELINE_OBSERVER_H_
#define TFRT_HOST_CONTEXT_TIMELINE_OBSERVER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tfrt {

// Told by devices, in builds of tests; devices have none in normal use. Thread-safe; calls nobody.
//
// A device calls at the moment at which the host asks for something, not when it is done, and calls
// about one stream come in the order in which the stream will do what they say (so they are made
// under the lock that orders the stream). What a call says about a stream happens after everything
// that the calling thread has done and waited for before the call.
class TimelineObserver {
 public:
  using Timeline = uint32_t;
  using Space = uint32_t;
  using Event = uint64_t;

  // The host thread that makes the call.
  static constexpr Timeline kCallingThread = 0;
  // The memory of the host, all of which anybody may use without having told of its allocation.
  static constexpr Space kHostMemory = 0;

  enum class AccessKind : uint8_t { kRead, kWrite, kReadWrite };

  // Some bytes that an operation uses.
  struct Access {
    Space space;  // where the operation believes that `address` lies
    AccessKind kind;
    const void* address;
    size_t size_bytes;
  };

  virtual ~TimelineObserver() = default;

  // A stream of a device. Names are copied.
  virtual Timeline AddTimeline(std::string_view name) = 0;

  // The memory of a device: addresses that are nobody else's until RemoveSpace, before which all
  // work on them has ended. Its bytes may be used only between Allocate and Free.
  virtual Space AddSpace(std::string_view name, const void* begin, size_t size_bytes) = 0;
  virtual void RemoveSpace(Space space) = 0;

  // `operation`, the next one on `timeline`, uses these bytes.
  virtual void Use(Timeline timeline, std::string_view operation,
                   std::span<const Access> accesses) = 0;

  // From here on in the order of `timeline` the bytes are allocated, and what they hold is
  // undefined.
  virtual void Allocate(Timeline timeline, std::string_view operation, Space space,
                        const void* address, size_t size_bytes) = 0;
  // From here on in the order of `timeline` the block that begins at `address` is free. A device
  // tells also of requests that it refuses. Host memory that was not allocated here may be freed,
  // too: its history is forgotten.
  virtual void Free(Timeline timeline, std::string_view operation, Space space,
                    const void* address) = 0;

  // Records a new event behind all that `timeline` was told to do. Never 0. An event object that is
  // recorded again gets a new one, and who waited for the old one has waited for nothing more.
  virtual Event Record(Timeline timeline) = 0;
  // What `timeline` does from here on happens after `event`. A host thread that was told that an
  // event has happened has waited for it, and two host threads order themselves by an event that
  // one records and the other waits for.
  virtual void Wait(Timeline timeline, Event event) = 0;
  // Nobody will wait for `event` any more.
  virtual void Forget(Event event) = 0;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_TIMELINE_OBSERVER_H_

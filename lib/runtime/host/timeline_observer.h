// TimelineObserver: receives the work of a device with streams, to check its order.
//
// A *timeline* is a sequence of operations that run one after the other: a stream of a device, or a
// host thread. Only *events* order different timelines. An event is recorded on one timeline.
// Another timeline that waits for it continues after all that the first did until then. Time plays
// no role: an observer decides from these calls alone whether two operations are ordered, whichever
// ran first.
#ifndef TFRT_LIB_RUNTIME_HOST_TIMELINE_OBSERVER_H_
#define TFRT_LIB_RUNTIME_HOST_TIMELINE_OBSERVER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tfrt {

// Called by devices, in builds of tests; devices have no observer in normal use. Thread-safe; makes
// no calls of its own.
//
// A device calls at the moment of the host's request, not when the work is done. Calls about one
// stream come in the order in which the stream will execute them. So they are made under the lock
// that orders the stream. The reported work happens after everything that the calling thread has
// done and waited for before the call.
class TimelineObserver {
 public:
  using Timeline = uint32_t;
  using Space = uint32_t;
  using Event = uint64_t;

  // The host thread that makes the call.
  static constexpr Timeline kCallingThread = 0;
  // The memory of the host. All of it may be used without a reported allocation.
  static constexpr Space kHostMemory = 0;

  enum class AccessKind : uint8_t { kRead, kWrite, kReadWrite };

  // Some bytes that an operation uses.
  struct Access {
    Space space;  // the memory in which the operation expects `address`
    AccessKind kind;
    const void* address;
    size_t size_bytes;
  };

  virtual ~TimelineObserver() = default;

  // Adds a stream of a device. Names are copied.
  virtual Timeline AddTimeline(std::string_view name) = 0;

  // Adds the memory of a device. Its addresses belong to it alone until RemoveSpace, before which
  // all work on them has ended. Its bytes may be used only between Allocate and Free.
  virtual Space AddSpace(std::string_view name, const void* begin, size_t size_bytes) = 0;
  virtual void RemoveSpace(Space space) = 0;

  // Reports that `operation`, the next one on `timeline`, uses these bytes.
  virtual void Use(Timeline timeline, std::string_view operation,
                   std::span<const Access> accesses) = 0;

  // Reports that the bytes are allocated from here on in the order of `timeline`. Their contents
  // are undefined.
  virtual void Allocate(Timeline timeline, std::string_view operation, Space space,
                        const void* address, size_t size_bytes) = 0;
  // Reports that the block that begins at `address` is free from here on in the order of
  // `timeline`. Requests that the device refuses are reported too. Host memory that was not
  // allocated here may also be freed: its history is forgotten.
  virtual void Free(Timeline timeline, std::string_view operation, Space space,
                    const void* address) = 0;

  // Records a new event after all work reported for `timeline`. Never 0. An event object that is
  // recorded again gets a new event; waits for the old event do not extend to it.
  virtual Event Record(Timeline timeline) = 0;
  // Reports that all later work of `timeline` happens after `event`. A host thread that was told
  // that an event has happened has waited for it. Two host threads are ordered by an event that one
  // records and the other waits for.
  virtual void Wait(Timeline timeline, Event event) = 0;
  // Reports that no timeline will wait for `event` any more.
  virtual void Forget(Event event) = 0;
};

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_HOST_TIMELINE_OBSERVER_H_

// Timeline: work of a device that runs asynchronously to the host, in the order of enqueuing.
#ifndef TFRT_LIB_RUNTIME_HOST_TIMELINE_H_
#define TFRT_LIB_RUNTIME_HOST_TIMELINE_H_

#include <string_view>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/async/type_id.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"

namespace tfrt {

// A position in a timeline. Immutable, thread-safe; may outlive the timeline.
class TimelineEvent : public ReferenceCounted<TimelineEvent> {
 public:
  virtual ~TimelineEvent() = default;
  // Returns the type of its class, so that timelines of one kind recognise their own events.
  TypeId type() const { return type_; }
  // Becomes available when all earlier work has run, or becomes the error that stopped the
  // timeline. Its waiters run on a thread of the device and must not block.
  virtual AsyncValueRef<Chain> done() const = 0;
  // As done(), for a thread of the host, which sleeps. Must not be called by work on a timeline.
  virtual Status Wait() const = 0;

 protected:
  explicit TimelineEvent(TypeId type) : type_(type) {}

 private:
  const TypeId type_;
};

// Made and owned by a device, and lives as long. Thread-safe: work that several threads enqueue
// runs in the order of the calls. Enqueuing does not block and does not fail. A timeline that was
// stopped drops later work, and its events become the error.
class Timeline {
 public:
  virtual ~Timeline() = default;
  // Returns a human-readable name: "sim:0/compute".
  virtual std::string_view name() const = 0;
  // Runs `work` on a thread of the device when all earlier work has run. It is also destroyed
  // there, even if it is dropped. `operation` is for messages, and copied.
  virtual void Enqueue(std::string_view operation, TaskFunction work) = 0;
  // Returns a new event after all enqueued work.
  virtual RCReference<TimelineEvent> Record() = 0;
  // Makes all work that is enqueued from now on run after the event, which may be of any timeline.
  virtual void WaitFor(RCReference<TimelineEvent> event) = 0;
};

// Marks a thread of a device that runs enqueued work, from construction to destruction. Code on
// such a thread must not wait for timelines: their progress may depend on the running work.
class TimelineScope {
 public:
  TimelineScope();
  ~TimelineScope();
  TimelineScope(const TimelineScope&) = delete;
  TimelineScope& operator=(const TimelineScope&) = delete;

  // Returns OK on other threads. On such a thread it returns FailedPrecondition "WHAT cannot be
  // part of what runs on a timeline of a device: it might wait for itself".
  static Status Check(std::string_view what);
  // Returns whether the calling thread is such a thread.
  static bool IsActive();
  // Sleeps until the value is available, as such a thread must: it runs no tasks meanwhile.
  static void SleepUntil(AsyncValue* value);

 private:
  const bool outer_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_HOST_TIMELINE_H_

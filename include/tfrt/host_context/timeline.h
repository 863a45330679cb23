// Timeline: what a device does behind the back of the host, in the order in which it was enqueued.
#ifndef TFRT_HOST_CONTEXT_TIMELINE_H_
#define TFRT_HOST_CONTEXT_TIMELINE_H_

#include <string_view>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/async/type_id.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"

namespace tfrt {

// A place in a timeline. Immutable, thread-safe; may outlive the timeline.
class TimelineEvent : public ReferenceCounted<TimelineEvent> {
 public:
  virtual ~TimelineEvent() = default;
  // Of the class that it is, so that timelines of one kind know their own events.
  TypeId type() const { return type_; }
  // Available when all before it has run, or the error that stopped the timeline. Its waiters run
  // on a thread of the device and must not block.
  virtual AsyncValueRef<Chain> done() const = 0;
  // The same for a thread of the host, which sleeps. Not to be called by what runs on a timeline.
  virtual Status Wait() const = 0;

 protected:
  explicit TimelineEvent(TypeId type) : type_(type) {}

 private:
  const TypeId type_;
};

// Made and owned by a device, and lives as long. Thread-safe: what several threads enqueue runs in
// the order of the calls. Enqueuing does not block and does not fail; a timeline that something has
// stopped drops what follows, and its events become the error.
class Timeline {
 public:
  virtual ~Timeline() = default;
  // For people: "sim:0/compute".
  virtual std::string_view name() const = 0;
  // Runs `work` on a thread of the device when all that was enqueued before has run; it is
  // destroyed there, too, also if it is dropped. `operation` is for messages, and copied.
  virtual void Enqueue(std::string_view operation, TaskFunction work) = 0;
  // A new event behind all that was enqueued.
  virtual RCReference<TimelineEvent> Record() = 0;
  // What is enqueued from now on runs after the event, which may be one of any timeline.
  virtual void WaitFor(RCReference<TimelineEvent> event) = 0;
};

// Marks a thread of a device, from construction to destruction, that runs what was enqueued: there
// nobody may wait for timelines, which may be behind what runs.
class TimelineScope {
 public:
  TimelineScope();
  ~TimelineScope();
  TimelineScope(const TimelineScope&) = delete;
  TimelineScope& operator=(const TimelineScope&) = delete;

  // OK, or on such a thread FailedPrecondition "WHAT cannot be part of what runs on a timeline of a
  // device: it might wait for itself".
  static Status Check(std::string_view what);
  // Whether this is such a thread.
  static bool IsActive();
  // Sleeps until the value is available, as such a thread must: it runs no tasks meanwhile.
  static void SleepUntil(AsyncValue* value);

 private:
  const bool outer_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_TIMELINE_H_

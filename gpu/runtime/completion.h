// Completion: the thread of a context that waits for the device.
#ifndef TFRT_GPU_RUNTIME_COMPLETION_H_
#define TFRT_GPU_RUNTIME_COMPLETION_H_

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/gpu/runtime/point.h"
#include "tfrt/gpu/runtime/stream.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu {

class Context;
struct EventRecord;

// Waits for the oldest of the events that somebody wants to hear of, one call of the driver for
// each, and hands what waits to work queues by their tickets: it runs nobody's code itself, as what
// it waits for next may depend on nothing but its waiting. So a point is told of when those that
// were asked for before it have been reached; streams of one context are rarely years apart.
//
// The thread starts with the first wait. Each wait keeps the context until the task of its queue
// has run, so that the destructor, which joins the thread, finds none and is not called by the
// thread. Thread-safe.
class Completion {
 public:
  explicit Completion(Context* context) : context_(context) {}
  ~Completion();
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  // `done` becomes available, or the device's error, by a task behind `ticket` when the record,
  // which was pinned for this, has happened.
  void Add(Stream* stream, EventRecord* record, AsyncValueRef<Chain> done, TaskTicket ticket);
  // The same for a point of another context whose destructor has begun, so that nobody can record
  // anything behind it.
  void AddGoing(Point point, AsyncValueRef<Chain> done, TaskTicket ticket);

 private:
  struct Wait {
    Stream* stream;
    EventRecord* record;  // null: for `point`, of a context that goes
    Point point;
    AsyncValueRef<Chain> done;
    TaskTicket ticket;
    RCReference<Context> context;
  };

  void Add(Wait wait);
  void Run();
  // Waits on the device for a record of the stream.
  Status Await(Stream& stream, const EventRecord& record);

  Context* const context_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Under mutex_.
  std::deque<Wait> waits_;
  bool is_closing_ = false;
  std::thread thread_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_COMPLETION_H_

// Completion: the threads of a context that wait for the device.
#ifndef TFRT_GPU_RUNTIME_COMPLETION_H_
#define TFRT_GPU_RUNTIME_COMPLETION_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

#include "point.h"
#include "stream.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/support/os_thread.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu {

class Context;
struct EventRecord;

// Waits for awaited events, with one call of the driver for each. It hands the waiting tasks to
// work queues by their tickets and runs no tasks itself. Points of one stream come in their order.
// A stream does not delay another one, as its event may depend on the effects of the other.
// Examples are a collective of several devices and a flag that the host sets. There is a thread for
// each stream that is awaited at the same time, which is one, mostly.
//
// Threads start when none is free, and stay. Each wait keeps the context until the task of its
// queue has run. The destructor, which joins the threads, therefore finds no waits and is not
// called by one of the threads. Thread-safe.
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
  void StartThread();
  // Waits on the device for a record of the stream.
  Status Await(Stream& stream, const EventRecord& record);

  Context* const context_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Under mutex_.
  // By stream, in the order of the points; a stream that a thread waits for stays, also without
  // any.
  std::map<uint32_t, std::deque<Wait>> waits_;
  std::deque<uint32_t> ready_;  // streams with waits for which no thread waits
  size_t num_free_ = 0;         // threads that wait for nothing
  bool is_closing_ = false;
  std::deque<OsThread> threads_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_COMPLETION_H_

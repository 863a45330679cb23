// Stream: operations of a `sim` device that run in order, asynchronously to the host. Event: a
// position in that order.
#ifndef TFRT_LIB_DEVICES_SIM_STREAM_H_
#define TFRT_LIB_DEVICES_SIM_STREAM_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lib/runtime/host/timeline_observer.h"
#include "tfrt/async/chain.h"
#include "tfrt/support/os_thread.h"
#include "tfrt/support/status.h"
#include "tfrt/tracing/record.h"

namespace tfrt::sim {

class Accelerator;

namespace internal {
struct DeviceState;
struct EventRecord;
class Positions;

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual Status Run(std::span<std::byte* const> addresses) = 0;
};

template <typename F>
class KernelOf final : public Kernel {
 public:
  explicit KernelOf(F function) : function_(std::move(function)) {}
  Status Run(std::span<std::byte* const> addresses) override { return function_(addresses); }

 private:
  F function_;
};
}  // namespace internal

// Determines how long operations take: each sleeps for a while before it runs. The time depends
// only on the seed, the stream and the number of the operation, so it is the same in each run.
struct Delay {
  std::chrono::microseconds at_least{0};
  std::chrono::microseconds at_most{0};  // at_least if it is less
  uint64_t seed = 0;

  // `stream` numbers the streams of a device, `operation` the operations of the stream.
  std::chrono::microseconds Of(uint32_t stream, uint64_t operation) const;
};

// Stands for all work of a stream before Record. A value: copies are the same event, and a new
// Record makes a new one. An empty event has happened. May outlive its stream, but not the observer
// of its device. Thread-safe.
class Event {
 public:
  Event() = default;

  explicit operator bool() const { return record_ != nullptr; }
  // Blocks until it has happened. Returns the error of the stream if an operation before it failed.
  // Must not be called by an operation or a waiter of the same stream.
  Status Wait() const;
  // Returns whether it has happened. If so, the caller may rely on it as if it had waited.
  bool Poll() const;
  // Becomes available when it has happened, or becomes the stream's error: not later than Wait
  // returns and Poll returns true. Its waiters run on the thread of the stream and must not block.
  // The observer receives no wait from this: code that then uses memory must call Poll first.
  AsyncValueRef<Chain> done() const;

 private:
  friend class Stream;
  explicit Event(std::shared_ptr<internal::EventRecord> record) : record_(std::move(record)) {}

  std::shared_ptr<internal::EventRecord> record_;
};

// Device memory that an operation uses.
struct Operand {
  using Use = TimelineObserver::AccessKind;

  const void* address;  // a device address
  size_t size_bytes;
  Use use;
};

// Made and owned by an Accelerator. Thread-safe: operations of several threads run in the order of
// the calls. Errors and reports of an observer name the operation by `operation`, which is copied.
//
// An operation that fails stops its stream. Later operations are dropped. Each later event and wait
// returns an error with the stream's name, the operation and its number. Operations of other
// streams that wait for such an event fail alike. Calls that enqueue do not fail by themselves. If
// the system cannot create a thread for a new stream, that stream is stopped from the start with
// ResourceExhausted.
class Stream {
 public:
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  // Returns "sim:0/compute".
  const std::string& name() const { return name_; }

  // Runs `kernel`, a Status(std::span<std::byte* const>), with the stream addresses of the
  // operands, in the same order; null for one without bytes. The kernel may use these bytes until
  // it returns, and no other memory of the device. It is destroyed once it has run.
  template <typename F>
    requires std::is_invocable_r_v<Status, F&, std::span<std::byte* const>>
  void Launch(std::string_view operation, std::vector<Operand> operands, F kernel) {
    Enqueue(operation, {}, std::move(operands), {},
            std::make_unique<internal::KernelOf<F>>(std::move(kernel)));
  }

  // Runs a function of the host in the order of the stream. It acts as Launch without operands, but
  // is not recorded as a kernel of the device.
  template <typename F>
    requires std::is_invocable_r_v<Status, F&, std::span<std::byte* const>>
  void Call(std::string_view operation, F function) {
    Enqueue(operation, {.is_host_call = true}, {}, {},
            std::make_unique<internal::KernelOf<F>>(std::move(function)));
  }

  // Copies. Host memory is read or written when the copy runs, and must live until then. Ranges of
  // device memory may overlap.
  void CopyToDevice(std::string_view operation, void* to, const void* from_host, size_t size_bytes);
  void CopyToHost(std::string_view operation, void* to_host, const void* from, size_t size_bytes);
  void CopyOnDevice(std::string_view operation, void* to, const void* from, size_t size_bytes);
  // Copies from the memory of another device, which must live until the copy has run.
  void CopyFromPeer(std::string_view operation, void* to, const Accelerator& peer, const void* from,
                    size_t size_bytes);

  // Allocates a block for later work on this stream, and for work that waits for an event of it
  // recorded after this call. Its contents are undefined. Its address is a multiple of 256; an
  // empty block has one, too. Fails with ResourceExhausted if there are not enough bytes together.
  //
  // Memory that was freed on this stream, or whose free precedes this stream's position, is reused
  // at once. Other freed memory is reused only when no fresh memory is left; this stream then waits
  // until it is free.
  StatusOr<void*> Allocate(std::string_view operation, size_t size_bytes);
  // Frees a block when all earlier work has run. Uses on other streams must be ordered before.
  // Fails with InvalidArgument if no block begins at `address`; this does not stop the stream.
  Status Free(std::string_view operation, void* address);

  Event Record();
  // Makes all later work run after the event. Does not block the caller.
  void WaitFor(const Event& event);
  // Blocks until all enqueued work has run; the same as Record().Wait().
  Status Synchronize();

  // Returns the error that has stopped the stream by now, or OK.
  Status status() const;
  // Sets the delay of all work that is enqueued from now on.
  void set_delay(Delay delay);

 private:
  friend class Accelerator;
  using Access = TimelineObserver::Access;

  // The data for the record of an operation. The names are those of memories that outlive the copy.
  struct RecordedAs {
    std::string_view from = {}, to = {};  // empty: no copy
    size_t size_bytes = 0;
    bool is_host_call = false;
  };
  // One of: a kernel, an event to wait for, an event that has happened.
  struct Entry {
    uint64_t number = 0;
    std::string operation;
    RecordedAs recorded_as;
    tracing::RecordContext caller = {};  // while records are made: the context that enqueued the
                                         // kernel
    std::vector<Operand> operands;
    std::unique_ptr<internal::Kernel> kernel;
    std::chrono::microseconds delay{0};
    std::shared_ptr<internal::EventRecord> wait, record;
    bool takes_errors = true;  // the errors of the event that it waits for
  };

  // `index` is its number among the streams of the device.
  Stream(internal::DeviceState* device, std::string_view name, uint32_t index, Delay delay);

  // `host_accesses` are reported to the observer beside those of the operands.
  void Enqueue(std::string_view operation, RecordedAs recorded_as, std::vector<Operand> operands,
               std::span<const Access> host_accesses, std::unique_ptr<internal::Kernel> kernel);
  // Runs all enqueued work, then ends the thread. Work that is enqueued later fails.
  void Close();

  // These need mutex_.
  void Push(Entry entry);
  std::shared_ptr<internal::EventRecord> PushRecord();
  void PushWait(const std::shared_ptr<internal::EventRecord>& record, bool takes_errors);

  void Run();
  // `error` is the error that has stopped the stream.
  Status RunEntry(Entry& entry, const Status& error);
  Status RunKernel(Entry& entry);
  Status RunKernelNow(Entry& entry);

  internal::DeviceState* const device_;
  const std::string name_;
  const uint32_t index_;
  const uint32_t id_;  // among all streams of the process
  const TimelineObserver::Timeline timeline_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> queue_;
  uint64_t num_enqueued_ = 0;
  std::unique_ptr<internal::Positions> seen_;  // what precedes the next operation
  Delay delay_;
  Status error_;
  bool closing_ = false;
  OsThread thread_;
};

}  // namespace tfrt::sim

#endif  // TFRT_LIB_DEVICES_SIM_STREAM_H_

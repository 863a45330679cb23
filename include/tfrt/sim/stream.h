// Stream: operations of a `sim` device that run in order, behind the back of the host. Event: a
// place in that order.
#ifndef TFRT_SIM_STREAM_H_
#define TFRT_SIM_STREAM_H_

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

#include "tfrt/async/chain.h"
#include "tfrt/host_context/timeline_observer.h"
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

// How long operations take: each sleeps for a while before it runs. The time follows from the seed,
// the stream and the number of the operation alone, so it is the same in each run.
struct Delay {
  std::chrono::microseconds at_least{0};
  std::chrono::microseconds at_most{0};  // at_least if it is less
  uint64_t seed = 0;

  // `stream` counts the streams of a device, `operation` those of the stream.
  std::chrono::microseconds Of(uint32_t stream, uint64_t operation) const;
};

// All that a stream was told to do until Record. A value: copies are the same event, and a new
// Record makes a new one. An empty event has happened. May outlive its stream, but not the observer
// of its device. Thread-safe.
class Event {
 public:
  Event() = default;

  explicit operator bool() const { return record_ != nullptr; }
  // Blocks until it has happened. Returns the error of the stream if an operation before it failed.
  // Must not be called by an operation or a waiter of the same stream.
  Status Wait() const;
  // Whether it has happened. If so, the caller may rely on it as if it had waited.
  bool Poll() const;
  // Becomes available when it has happened, or the stream's error: not later than Wait returns and
  // Poll says so. Its waiters run on the thread of the stream and must not block. The observer is
  // not told that somebody saw it: who goes on to use memory calls Poll first.
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
// the calls. `operation` is what errors and reports of an observer call the operation; it is
// copied.
//
// An operation that fails stops its stream: what follows is dropped, and each later event and wait
// returns an error with the stream's name, the operation and its number. What waits for such an
// event on another stream fails alike. Calls that enqueue do not fail by themselves. Where the
// system has no thread left for a new stream, that one is stopped from the start:
// ResourceExhausted.
class Stream {
 public:
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  // "sim:0/compute".
  const std::string& name() const { return name_; }

  // Runs `kernel`, a Status(std::span<std::byte* const>), with the stream addresses of the
  // operands, in the same order; null for one without bytes. They may be used until it returns,
  // and nothing of the device's memory but these bytes. The kernel is destroyed once it has run.
  template <typename F>
    requires std::is_invocable_r_v<Status, F&, std::span<std::byte* const>>
  void Launch(std::string_view operation, std::vector<Operand> operands, F kernel) {
    Enqueue(operation, {}, std::move(operands), {},
            std::make_unique<internal::KernelOf<F>>(std::move(kernel)));
  }

  // Runs a function of the host in the order of the stream: what Launch does without operands, but
  // it is no kernel of the device and recorded as none.
  template <typename F>
    requires std::is_invocable_r_v<Status, F&, std::span<std::byte* const>>
  void Call(std::string_view operation, F function) {
    Enqueue(operation, {.is_host_call = true}, {}, {},
            std::make_unique<internal::KernelOf<F>>(std::move(function)));
  }

  // Copies. Host memory is read or written when the copy runs, and must live until then. Memory of
  // the device may overlap.
  void CopyToDevice(std::string_view operation, void* to, const void* from_host, size_t size_bytes);
  void CopyToHost(std::string_view operation, void* to_host, const void* from, size_t size_bytes);
  void CopyOnDevice(std::string_view operation, void* to, const void* from, size_t size_bytes);
  // From the memory of another device, which must live until the copy has run.
  void CopyFromPeer(std::string_view operation, void* to, const Accelerator& peer, const void* from,
                    size_t size_bytes);

  // A block that may be used by what follows on this stream, and by what waits for an event of it
  // that is recorded after this call. What it holds is undefined. Its address is a multiple of 256;
  // an empty block has one, too. ResourceExhausted if there are not enough bytes together.
  //
  // Memory that was freed on this stream, or behind which this stream is ordered, is used again at
  // once; other memory only when there is no fresh one, and then this stream waits until it is
  // free.
  StatusOr<void*> Allocate(std::string_view operation, size_t size_bytes);
  // Frees a block when all before this has run. What uses it elsewhere must be ordered before.
  // InvalidArgument if no block begins at `address`; the stream is not stopped by that.
  Status Free(std::string_view operation, void* address);

  Event Record();
  // What follows runs after the event. Does not block the caller.
  void WaitFor(const Event& event);
  // Blocks until all that was enqueued has run; the same as Record().Wait().
  Status Synchronize();

  // The error that has stopped the stream by now, or OK.
  Status status() const;
  // Of what is enqueued from now on.
  void set_delay(Delay delay);

 private:
  friend class Accelerator;
  using Access = TimelineObserver::Access;

  // What an operation is recorded with. The names are those of memories that outlive the copy.
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
    tracing::RecordContext caller = {};  // while records are made: who enqueued the kernel
    std::vector<Operand> operands;
    std::unique_ptr<internal::Kernel> kernel;
    std::chrono::microseconds delay{0};
    std::shared_ptr<internal::EventRecord> wait, record;
    bool takes_errors = true;  // those of what it waits for
  };

  // `index`: among the streams of the device.
  Stream(internal::DeviceState* device, std::string_view name, uint32_t index, Delay delay);

  // `host_accesses`: beside those of the operands, for the observer.
  void Enqueue(std::string_view operation, RecordedAs recorded_as, std::vector<Operand> operands,
               std::span<const Access> host_accesses, std::unique_ptr<internal::Kernel> kernel);
  // Runs what is there, then ends the thread. What is enqueued later fails.
  void Close();

  // These need mutex_.
  void Push(Entry entry);
  std::shared_ptr<internal::EventRecord> PushRecord();
  void PushWait(const std::shared_ptr<internal::EventRecord>& record, bool takes_errors);

  void Run();
  // `error`: what has stopped the stream.
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

#endif  // TFRT_SIM_STREAM_H_

// Session: records (record.h) from Start to Stop, and what reads them.
#ifndef TFRT_TRACING_SESSION_H_
#define TFRT_TRACING_SESSION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/support/status.h"
#include "tfrt/tracing/record.h"

namespace tfrt::tracing {

// A record as readers see it: times in nanoseconds of CLOCK_MONOTONIC.
struct Span {
  uint64_t id = 0;
  uint64_t parent_id = 0;  // 0: none. The parent may be missing: dropped, or not over yet
  uint64_t op_id = 0;
  uint64_t correlation_id = 0;
  const RecordType* type = nullptr;
  std::string_view name;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  int64_t ready_ns = 0;  // when its results were there; 0: not yet
  uint32_t thread = 0;   // Trace::threads says which
  std::array<uint64_t, kMaxArguments> arguments = {};

  StackLevel level() const { return type->level; }
  RecordKind kind() const { return type->kind; }
  int64_t duration_ns() const { return end_ns - begin_ns; }
  // The argument of this name; 0 or empty if the type has none of that name and kind.
  int64_t Integer(std::string_view argument) const;
  double Real(std::string_view argument) const;
  std::string_view Text(std::string_view argument) const;
  // What sinks were told of the record, as far as it was recorded.
  std::string ToString() const;
};

struct TraceThread {
  uint32_t number = 0;    // in the order in which threads first recorded, from 1
  int32_t system_id = 0;  // gettid()
};

// What a session has recorded, by begin. Plain data; its texts live as long as the process.
struct Trace {
  std::vector<Span> spans;
  std::vector<TraceThread> threads;  // by number
  uint64_t num_dropped = 0;          // records for which there was no room

  // Null if there is none. Takes time in the number of spans.
  const Span* Find(uint64_t id) const;
  // Those of a type, by its name.
  std::vector<const Span*> OfType(std::string_view type_name) const;
};

struct SessionOptions {
  // Nothing deeper is recorded.
  StackLevel max_level = StackLevel::kDevice;
  bool queue_events = true;
  bool details = true;  // RecordType::is_detail
  // For records, in pieces of 64 KiB of which each thread fills one at a time; at least one piece,
  // at most 1 GiB. What finds no room is dropped and counted.
  size_t buffer_bytes = size_t{64} << 20;
};

// Whether a record says no more than that the results of another one, whose id is its correlation
// id, were there at its begin. Of several such records the last one counts.
bool IsReadyRecord(const Record& record);

// Gets records of one thread, those that ended first first. Valid during the call.
using DrainedRecords = std::function<void(std::span<const Record>, const TraceThread&)>;

// Records of the whole process, one session at a time. Started, stopped and destroyed by any
// thread, one at a time; records are made by all threads meanwhile.
class Session {
 public:
  // Takes all memory that the session will need, and 2 ms the first time. FailedPrecondition while
  // there is another Session; InvalidArgument for a buffer_bytes that cannot be;
  // ResourceExhausted without memory; Unimplemented in builds without tracing.
  static StatusOr<std::unique_ptr<Session>> Start(const SessionOptions& options = {});
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  // Stops. The records are gone; spans that were read stay.
  ~Session();

  // No record that ends from now on is kept. Does nothing the second time.
  void Stop();
  // What has been recorded until now. Any thread, also while others record, but not during the
  // destructor.
  Trace Read() const;

  // For sessions that are longer than their buffer: gives all records that have ended since the
  // last call, and their room to those that come. A session that is drained is not read. Any
  // thread, one at a time, also while others record; not during the destructor.
  void Drain(const DrainedRecords& records);
  // How many records there was no room for.
  uint64_t num_dropped() const;

 private:
  explicit Session(uint32_t generation) : generation_(generation) {}

  const uint32_t generation_;
  std::atomic<bool> stopped_{false};
  ClockMap clock_;  // from Stop on
};

}  // namespace tfrt::tracing

#endif  // TFRT_TRACING_SESSION_H_

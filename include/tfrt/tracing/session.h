// Session: keeps the records (record.h) made from Start to Stop, and lets readers read them.
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

// A record in the form for readers, with times in nanoseconds of CLOCK_MONOTONIC.
struct Span {
  uint64_t id = 0;
  uint64_t parent_id = 0;  // 0: none. The parent may be missing: dropped, or not over yet
  uint64_t op_id = 0;
  uint64_t correlation_id = 0;
  const RecordType* type = nullptr;
  std::string_view name;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  int64_t ready_ns = 0;  // when its results became available; 0: not yet
  uint32_t thread = 0;   // a number in Profile::threads
  std::array<uint64_t, kMaxArguments> arguments = {};

  StackLevel level() const { return type->level; }
  RecordKind kind() const { return type->kind; }
  int64_t duration_ns() const { return end_ns - begin_ns; }
  // Returns the argument of this name; 0 or empty if the type has none of that name and kind.
  int64_t Integer(std::string_view argument) const;
  double Real(std::string_view argument) const;
  std::string_view Text(std::string_view argument) const;
  // Returns the text that sinks received for the record, as far as it was recorded.
  std::string ToString() const;
};

struct ProfileThread {
  uint32_t number = 0;    // in the order in which threads first recorded, from 1
  int32_t system_id = 0;  // gettid()
};

// The records of a session, ordered by begin. Plain data; its texts live as long as the process.
struct Profile {
  std::vector<Span> spans;
  std::vector<ProfileThread> threads;  // ordered by number
  uint64_t num_dropped = 0;            // records that did not fit

  // Returns null if the span is missing. Takes time linear in the number of spans.
  const Span* Find(uint64_t id) const;
  // Returns the spans of a type, given by its name.
  std::vector<const Span*> OfType(std::string_view type_name) const;
};

struct SessionOptions {
  // The deepest level that is recorded.
  StackLevel max_level = StackLevel::kDevice;
  bool queue_events = true;
  bool details = true;  // RecordType::is_detail
  // The memory for records, in pieces of 64 KiB; each thread fills one piece at a time. At least
  // one piece, at most 1 GiB. Records that do not fit are dropped and counted.
  size_t buffer_bytes = size_t{64} << 20;
};

// Returns whether a record only reports that the results of another record became available at its
// begin. The other record's id is its correlation id. The last of several such records counts.
bool IsReadyRecord(const Record& record);

// Receives records of one thread, ordered by end. Valid during the call.
using DrainedRecords = std::function<void(std::span<const Record>, const ProfileThread&)>;

// Keeps records of the whole process; only one session exists at a time. Any thread may start, stop
// and destroy it, one at a time. All threads make records meanwhile.
class Session {
 public:
  // Allocates all memory that the session will need, and takes 2 ms the first time. Fails with
  // FailedPrecondition while another Session exists, and with InvalidArgument for an impossible
  // buffer_bytes. Fails with ResourceExhausted without memory, and with Unimplemented in builds
  // without tracing.
  static StatusOr<std::unique_ptr<Session>> Start(const SessionOptions& options = {});
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  // Stops the session and destroys its records. Spans that were read remain valid.
  ~Session();

  // Stops recording: no record that ends from now on is kept. Does nothing the second time.
  void Stop();
  // Returns the records made until now. Any thread may call it, also while others record, but not
  // during the destructor.
  Profile Read() const;

  // Passes on all records that have ended since the last call, and frees their room for new ones.
  // For sessions that are longer than their buffer. A session that is drained must not be read. Any
  // thread may call it, one at a time, also while others record, but not during the destructor.
  void Drain(const DrainedRecords& records);
  // Returns how many records did not fit.
  uint64_t num_dropped() const;

 private:
  explicit Session(uint32_t generation) : generation_(generation) {}

  const uint32_t generation_;
  std::atomic<bool> stopped_{false};
  ClockMap clock_;  // set by Stop
};

}  // namespace tfrt::tracing

#endif  // TFRT_TRACING_SESSION_H_

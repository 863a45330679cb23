// RecordStream: converts the runtime's records to events of a profile.
#ifndef TFRT_LIB_PROFILER_COLLECT_RECORD_STREAM_H_
#define TFRT_LIB_PROFILER_COLLECT_RECORD_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "record_clock.h"
#include "tfrt/profiler/event_stream.h"
#include "tfrt/tracing/session.h"

namespace tfrt::profiler {

// One thread at a time.
class RecordStream {
 public:
  // `stream` is borrowed.
  explicit RecordStream(EventStream* stream) : stream_(*stream) {}
  RecordStream(const RecordStream&) = delete;
  RecordStream& operator=(const RecordStream&) = delete;

  // Must be called often, before records are added: keeps times near those of the system's clock.
  void FollowClock() { clock_.Follow(); }
  // Adds records of one thread, in the form of tracing::Session::Drain.
  void Add(std::span<const tracing::Record> records, const tracing::ProfileThread& thread);
  uint64_t num_events() const { return num_events_; }

 private:
  struct KnownType {
    TypeId id = 0;
    size_t num_arguments = 0;
    // The arguments that are names, one bit each.
    uint32_t names = 0;
  };
  KnownType TypeOf(const tracing::RecordType& type);
  StringId StringOf(tracing::Name name);
  TrackId TrackOf(const tracing::ProfileThread& thread);
  void AddRecord(const tracing::Record& record, TrackId track);

  EventStream& stream_;
  RecordClock clock_;
  std::unordered_map<const tracing::RecordType*, KnownType> types_;
  std::unordered_map<uint64_t, StringId> names_;  // by the name's bits
  std::unordered_map<uint32_t, TrackId> tracks_;  // by the thread's number
  // Caches of the previous record: most records follow one of their kind.
  const tracing::RecordType* last_type_ = nullptr;
  KnownType last_known_;
  uint64_t num_events_ = 0;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_RECORD_STREAM_H_

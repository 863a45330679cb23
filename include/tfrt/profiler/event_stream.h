// EventStream: a TraceConsumer that is told of texts, types and tracks once, when they are first
// needed.
#ifndef TFRT_PROFILER_EVENT_STREAM_H_
#define TFRT_PROFILER_EVENT_STREAM_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/tracing/record.h"

namespace tfrt::profiler {

// For whatever makes events. One thread at a time.
class EventStream {
 public:
  // `consumer` is borrowed, has been told of nothing yet, and is told by this stream alone.
  explicit EventStream(TraceConsumer* consumer) : consumer_(*consumer) {}
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  // The number of a text; the same one for the same text. Likewise of a type, and of a track, which
  // is the same if its kind, process and number are, and has the name that it had first.
  StringId String(std::string_view text);
  TypeId Type(const EventType& type);
  TrackId TrackOf(const Track& track);

  // For events, properties and problems.
  TraceConsumer& consumer() { return consumer_; }

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  TraceConsumer& consumer_;
  std::unordered_map<std::string, StringId, TextHash, std::equal_to<>> strings_;
  std::vector<EventType> types_;
  std::vector<Track> tracks_;
};

// What a stream is told of a record's type. Its arguments are the record's first ones, in order.
EventType EventTypeOf(const tracing::RecordType& type);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_EVENT_STREAM_H_

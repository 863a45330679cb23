// EventStream: passes events to a ProfileConsumer, and each text, type and track once, when first
// needed.
#ifndef TFRT_PROFILER_EVENT_STREAM_H_
#define TFRT_PROFILER_EVENT_STREAM_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/tracing/record.h"

namespace tfrt::profiler {

// For producers of events. One thread at a time.
class EventStream {
 public:
  // `consumer` is borrowed, must be empty so far, and receives data from this stream alone.
  explicit EventStream(ProfileConsumer* consumer) : consumer_(*consumer) {}
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  // Returns the number of a text, the same for the same text. Types and tracks work likewise. A
  // track is the same if its kind, process and number are; it keeps its first name.
  StringId String(std::string_view text);
  TypeId Type(const EventType& type);
  TrackId TrackOf(const Track& track);

  // Returns the consumer, for events, properties and problems.
  ProfileConsumer& consumer() { return consumer_; }

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  ProfileConsumer& consumer_;
  std::unordered_map<std::string, StringId, TextHash, std::equal_to<>> strings_;
  std::vector<EventType> types_;
  std::vector<Track> tracks_;
};

// Returns the stream's type for a record's type. Its arguments are the record's first ones, in
// order.
EventType EventTypeOf(const tracing::RecordType& type);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_EVENT_STREAM_H_

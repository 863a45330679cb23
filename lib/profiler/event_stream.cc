#include "tfrt/profiler/event_stream.h"

#include <algorithm>

namespace tfrt::profiler {

StringId EventStream::String(std::string_view text) {
  auto found = strings_.find(text);
  if (found != strings_.end()) return found->second;
  const auto id = static_cast<StringId>(strings_.size());
  strings_.emplace(text, id);
  consumer_.AddString(text);
  return id;
}

TypeId EventStream::Type(const EventType& type) {
  auto found = std::ranges::find(types_, type);
  if (found != types_.end()) return static_cast<TypeId>(found - types_.begin());
  types_.push_back(type);
  consumer_.AddType(type);
  return static_cast<TypeId>(types_.size() - 1);
}

TrackId EventStream::TrackOf(const Track& track) {
  auto found = std::ranges::find_if(tracks_, [&](const Track& other) {
    return other.kind == track.kind && other.process_id == track.process_id &&
           other.number == track.number;
  });
  if (found != tracks_.end()) return static_cast<TrackId>(found - tracks_.begin());
  tracks_.push_back(track);
  consumer_.AddTrack(track);
  return static_cast<TrackId>(tracks_.size() - 1);
}

EventType EventTypeOf(const tracing::RecordType& type) {
  EventType made = {.name = std::string(type.name),
                    .level = type.level,
                    .kind = type.kind,
                    .is_op = type.is_op,
                    .arguments = {}};
  for (const tracing::ArgumentSpec& argument : type.arguments) {
    if (argument.type == ArgumentType::kNone) break;
    made.arguments.push_back({std::string(argument.name), argument.type});
  }
  return made;
}

}  // namespace tfrt::profiler

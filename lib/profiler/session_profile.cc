#include "session_profile.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tfrt/profiler/event_stream.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

Track TrackOf(const tracing::ProfileThread& thread) {
  return {
      .kind = Track::Kind::kThread, .name = {}, .process_id = getpid(), .number = thread.system_id};
}

class SpanStream {
 public:
  SpanStream(const tracing::Profile& profile, ProfileConsumer* consumer) : stream_(consumer) {
    for (const tracing::ProfileThread& thread : profile.threads) {
      tracks_.emplace(thread.number, stream_.TrackOf(TrackOf(thread)));
    }
  }
  void Add(const tracing::Span& span);

 private:
  EventStream stream_;
  std::unordered_map<const tracing::RecordType*, TypeId> types_;
  std::unordered_map<uint32_t, TrackId> tracks_;  // by the thread's number
};

void SpanStream::Add(const tracing::Span& span) {
  auto [type, is_new_type] = types_.try_emplace(span.type);
  if (is_new_type) type->second = stream_.Type(EventTypeOf(*span.type));
  auto [track, is_new_track] = tracks_.try_emplace(span.thread);
  if (is_new_track)
    track->second = stream_.TrackOf(TrackOf({.system_id = static_cast<int32_t>(span.thread)}));
  std::vector<uint64_t> arguments;
  for (size_t i = 0; i < tracing::kMaxArguments; ++i) {
    const tracing::ArgumentSpec& spec = span.type->arguments[i];
    if (spec.type == ArgumentType::kNone) break;
    const uint64_t bits = span.arguments[i];
    arguments.push_back(spec.type == ArgumentType::kName
                            ? stream_.String(tracing::Name::FromBits(bits).text())
                            : bits);
  }
  EventFields::Ready ready = EventFields::Ready::kAt;
  if (span.ready_ns == 0) ready = EventFields::Ready::kLater;
  if (span.ready_ns == span.end_ns) ready = EventFields::Ready::kAtEnd;
  const StringId name = stream_.String(span.name);
  stream_.consumer().AddEvent({.type = type->second,
                               .name = name,
                               .track = track->second,
                               .id = span.id,
                               .parent_id = span.parent_id,
                               .op_id = span.op_id,
                               .correlation_id = span.correlation_id,
                               .begin_ns = span.begin_ns,
                               .end_ns = span.end_ns,
                               .ready = ready,
                               .ready_ns = span.ready_ns,
                               .arguments = arguments});
}

}  // namespace

void ProfileFromSession(const tracing::Profile& profile, ProfileConsumer& consumer) {
  consumer.AddProperty(property::kProducer, "tfrt");
  SpanStream stream(profile, &consumer);
  for (const tracing::Span& span : profile.spans) stream.Add(span);
  if (profile.num_dropped == 0) return;
  consumer.AddProblem({.kind = Problem::Kind::kDropped,
                       .count = profile.num_dropped,
                       .text = StrCat(profile.num_dropped,
                                      " records found no room: give the session more "
                                      "(SessionOptions::buffer_bytes)")});
}

Profile ProfileFromSession(const tracing::Profile& profile) {
  ProfileBuilder builder;
  ProfileFromSession(profile, builder);
  return builder.Build();
}

}  // namespace tfrt::profiler

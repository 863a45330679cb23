#include "record_stream.h"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <fstream>
#include <string>

#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// The name that the program gave a thread of its own; empty if it has ended.
std::string ThreadName(int32_t system_id) {
  std::ifstream file(StrCat("/proc/self/task/", system_id, "/comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace

RecordStream::KnownType RecordStream::TypeOf(const tracing::RecordType& type) {
  if (&type == last_type_) [[likely]]
    return last_known_;
  auto [found, is_new] = types_.try_emplace(&type);
  KnownType& known = found->second;
  if (is_new) {
    const EventType event_type = EventTypeOf(type);
    for (const EventType::Argument& argument : event_type.arguments) {
      if (argument.type == ArgumentType::kName) known.names |= 1u << known.num_arguments;
      ++known.num_arguments;
    }
    known.id = stream_.Type(event_type);
  }
  last_type_ = &type;
  last_known_ = known;
  return known;
}

StringId RecordStream::StringOf(tracing::Name name) {
  auto [found, is_new] = names_.try_emplace(name.bits());
  // Files of profiles have limits for what is one piece.
  constexpr size_t kMaxText = 64 << 10;
  if (is_new) found->second = stream_.String(name.text().substr(0, kMaxText));
  return found->second;
}

TrackId RecordStream::TrackOf(const tracing::ProfileThread& thread) {
  auto [found, is_new] = tracks_.try_emplace(thread.number);
  if (is_new) {
    // A thread that ended may have had the same number of the system.
    found->second = stream_.TrackOf({.kind = Track::Kind::kThread,
                                     .name = ThreadName(thread.system_id),
                                     .process_id = getpid(),
                                     .number = thread.system_id});
  }
  return found->second;
}

void RecordStream::AddRecord(const tracing::Record& record, TrackId track) {
  const KnownType type = TypeOf(*record.type);
  std::array<uint64_t, tracing::kMaxArguments> arguments = record.arguments;
  for (size_t i = 0; i < type.num_arguments; ++i) {
    if ((type.names >> i & 1) != 0) {
      arguments[i] = StringOf(tracing::Name::FromBits(arguments[i]));
    }
  }
  EventFields event = {.type = type.id,
                       .name = StringOf(record.name),
                       .track = track,
                       .id = record.id,
                       .parent_id = record.parent_id,
                       .op_id = record.op_id,
                       .correlation_id = record.correlation_id,
                       .begin_ns = clock_.ToNanoseconds(record.begin),
                       .end_ns = clock_.ToNanoseconds(record.end),
                       .arguments = {arguments.data(), type.num_arguments}};
  if (record.ready == 0) {
    event.ready = EventFields::Ready::kLater;
  } else if (record.ready != record.end) {
    event.ready = EventFields::Ready::kAt;
    event.ready_ns = clock_.ToNanoseconds(record.ready);
  }
  stream_.consumer().AddEvent(event);
  ++num_events_;
}

void RecordStream::Add(std::span<const tracing::Record> records,
                       const tracing::ProfileThread& thread) {
  const TrackId track = TrackOf(thread);
  for (const tracing::Record& record : records) {
    if (tracing::IsReadyRecord(record)) {
      stream_.consumer().AddReady(record.correlation_id, clock_.ToNanoseconds(record.begin));
    } else {
      AddRecord(record, track);
    }
  }
}

}  // namespace tfrt::profiler

// Packets of events: this is what the time of writing a profile goes to.
#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "encoder.h"
#include "schema.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

using protozero::pbf_writer;
namespace packet = schema::packet;
namespace fields = schema::event;

// Iids of Perfetto's table of queues and stages of devices.
static uint64_t QueueIid(TrackId track) { return uint64_t{track} * 4 + 1; }
static uint64_t StageIid(StringId name, bool is_copy) {
  return uint64_t{name} * 4 + 2 + (is_copy ? 1 : 0);
}

bool PerfettoEncoder::Check(const EventFields& event) {
  auto fail = [&](std::string_view what, uint64_t number, uint64_t count) {
    out_.Fail(InvalidArgumentError(StrCat("cannot write '", out_.name(), "': an event has ", what,
                                          ' ', number, ", but there are ", count)));
    return false;
  };
  if (event.type >= types_.size()) [[unlikely]]
    return fail("type", event.type, types_.size());
  if (event.name >= texts_.size()) [[unlikely]]
    return fail("name", event.name, texts_.size());
  if (event.track >= tracks_.size()) [[unlikely]]
    return fail("track", event.track, tracks_.size());
  const Type& type = types_[event.type];
  if (event.arguments.size() != type.arguments.size()) [[unlikely]] {
    out_.Fail(InvalidArgumentError(StrCat("cannot write '", out_.name(), "': an event of type ",
                                          event.type, " has ", event.arguments.size(),
                                          " arguments instead of ", type.arguments.size())));
    return false;
  }
  if (!type.has_texts) return true;
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    if (type.arguments[i].second == ArgumentType::kName && event.arguments[i] >= texts_.size())
        [[unlikely]]
      return fail("an argument with the name", event.arguments[i], texts_.size());
  }
  return true;
}

// The other tables that the event's texts must be in.
void PerfettoEncoder::InternTexts(const EventFields& event, const Type& type) {
  auto write = [&](uint32_t table, uint64_t iid, std::string_view text, int category) {
    pbf_writer out = StartPacket();
    {
      pbf_writer interned(out, packet::kInternedData);
      pbf_writer entry(interned, table);
      entry.add_uint64(schema::interned::kIid, iid);
      entry.add_bytes(schema::interned::kText, text.data(), text.size());
      if (category >= 0) entry.add_enum(schema::interned::kGpuCategory, category);
    }
    EndPacket();
  };
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    if (type.arguments[i].second != ArgumentType::kName) continue;
    const uint64_t id = event.arguments[i];
    if (is_value_interned_.size() <= id) is_value_interned_.resize(texts_.size());
    if (is_value_interned_[id]) continue;
    is_value_interned_[id] = true;
    write(schema::interned::kStringValues, id + 1, texts_[id], -1);
  }
  if (!type.is_device_run) return;
  const bool is_copy = type.kind == RecordKind::kCopy;
  const size_t stage = size_t{event.name} * 2 + is_copy;
  if (is_stage_interned_.size() <= stage) is_stage_interned_.resize(texts_.size() * 2);
  if (!is_stage_interned_[stage]) {
    is_stage_interned_[stage] = true;
    write(schema::interned::kGpuSpecifications, StageIid(event.name, is_copy), texts_[event.name],
          is_copy ? schema::interned::kGpuOther : schema::interned::kGpuCompute);
  }
  TrackState& track = tracks_[event.track];
  if (!track.has_queue) {
    track.has_queue = true;
    write(schema::interned::kGpuSpecifications, QueueIid(event.track),
          StrCat("queue ", event.track), schema::interned::kGpuOther);
  }
}

PerfettoEncoder::Times PerfettoEncoder::PlaceEvent(const EventFields& event, const Type& type) {
  // Perfetto has no times below 0, and slices that do not end before they begin.
  Times times = {.is_instant = true,
                 .uuid = tracks_[event.track].uuid,
                 .begin = std::max<int64_t>(event.begin_ns, 0),
                 .end = std::max<int64_t>(event.end_ns, 0)};
  if (event.begin_ns == event.end_ns ? type.is_moment : event.end_ns < event.begin_ns) return times;
  std::optional<TrackLanes::LanePosition> place =
      tracks_[event.track].lanes.Find(times.begin, times.end, event.parent_id);
  if (!place) return times;  // shown as an instant: there is no lane left
  times.is_instant = false;
  times.begin = place->begin;
  if (place->lane != 0) [[unlikely]]
    times.uuid = LaneUuid(event.track, place->lane);
  return times;
}

uint64_t PerfettoEncoder::CounterUuid(const EventFields& event, const Type& type) {
  // Queues and allocators; what has more names than these has no counters.
  constexpr size_t kMaxCounters = 1024;
  const uint64_t key = uint64_t{type.arguments[type.counter].first} << 32 | event.name;
  auto& recent = recent_counters_[(key ^ key >> 32) % recent_counters_.size()];
  if (recent.first == key) return recent.second;
  auto found = counters_.find(key);
  if (found != counters_.end()) {
    recent = *found;
    return found->second;
  }
  if (counters_.size() >= kMaxCounters) return 0;
  const uint64_t uuid = ++last_uuid_;
  counters_.emplace(key, uuid);
  std::string_view name;
  for (const auto& [text, iid] : annotation_names_) {
    if (iid == type.arguments[type.counter].first) name = text;
  }
  pbf_writer out = StartPacket();
  {
    pbf_writer descriptor(out, packet::kTrackDescriptor);
    descriptor.add_uint64(schema::track::kUuid, uuid);
    descriptor.add_string(schema::track::kName, StrCat(texts_[event.name], ' ', name));
    auto process = parents_.find({tracks_[event.track].kind, tracks_[event.track].device});
    descriptor.add_uint64(schema::track::kParentUuid, process->second);
    // Counted things or bytes.
    pbf_writer(descriptor, schema::track::kCounter)
        .add_enum(schema::track::kUnit, name == "in_use" ? 3 : 2);
  }
  EndPacket();
  return uuid;
}

Cursor PerfettoEncoder::PutArguments(Cursor out, const EventFields& event, const Type& type) {
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    char* annotation = out.Open(fields::kDebugAnnotations);
    out.Varint(schema::annotation::kNameIid, type.arguments[i].first);
    const uint64_t bits = event.arguments[i];
    switch (type.arguments[i].second) {
      case ArgumentType::kInteger:
        out.Varint(schema::annotation::kInt, bits);
        break;
      case ArgumentType::kReal:
        out.Fixed64(schema::annotation::kDouble, bits);
        break;
      case ArgumentType::kName:
        out.Varint(schema::annotation::kStringIid, bits + 1);
        break;
      default:
        out.Varint(schema::annotation::kUint, bits);
    }
    out.Close(annotation);
  }
  return out;
}

Cursor PerfettoEncoder::PutExtension(Cursor out, const EventFields& event, const Times& times) {
  namespace ours = schema::tfrt_event;
  char* extension = out.Open(fields::kTfrtEvent);
  if (event.id != 0) out.Varint(ours::kId, event.id);
  if (event.parent_id != 0) {
    out.Signed(ours::kParentDistance, static_cast<int64_t>(event.id - event.parent_id));
  }
  if (event.op_id != 0) out.Varint(ours::kOpId, event.op_id);
  if (event.ready == EventFields::Ready::kAt) {
    out.Signed(ours::kReadyAfterEndNs, static_cast<int64_t>(static_cast<uint64_t>(event.ready_ns) -
                                                            static_cast<uint64_t>(event.end_ns)));
  } else if (event.ready == EventFields::Ready::kLater) {
    out.Varint(ours::kReadyLater, 1);
  }
  if (times.begin != event.begin_ns) out.Signed(ours::kBeginNs, event.begin_ns);
  if (times.is_instant ? event.end_ns != event.begin_ns : times.end != event.end_ns) {
    out.Signed(ours::kEndNs, event.end_ns);
  }
  out.Close(extension);
  return out;
}

Cursor PerfettoEncoder::PutBegin(Cursor out, const EventFields& event, const Type& type,
                                 const Times& times, uint64_t counter_uuid) {
  char* whole = out.Open(schema::trace::kPacket);
  out.Varint(packet::kTimestamp, static_cast<uint64_t>(times.begin));
  out.Varint(packet::kSequenceId, schema::kSequence);
  out.Varint(packet::kSequenceFlags, packet::kNeedsState);
  char* track_event = out.Open(packet::kTrackEvent);
  out.Varint(fields::kCategoryIids, uint64_t{event.type} + 1);
  out.Varint(fields::kType, times.is_instant ? fields::kInstant : fields::kBegin);
  out.Varint(fields::kNameIid, uint64_t{event.name} + 1);
  out.Varint(fields::kTrackUuid, times.uuid);
  if (counter_uuid != 0) {
    out.Varint(fields::kExtraCounterTrackUuids, counter_uuid);
    out.Varint(fields::kExtraCounterValues, event.arguments[type.counter]);
  }
  out = PutArguments(out, event, type);
  if (event.correlation_id != 0) {
    if (type.is_flow_end) {
      out.Fixed64(fields::kTerminatingFlowIds, event.correlation_id);
    } else {
      out.Fixed64(fields::kFlowIds, event.correlation_id);
    }
    if (type.is_launch) {
      char* gpu = out.Open(fields::kGpuCorrelation);
      out.Varint(schema::gpu::kSubmissionEventIds, event.correlation_id);
      out.Close(gpu);
    }
  }
  out = PutExtension(out, event, times);
  out.Close(track_event);
  out.Close(whole);
  return out;
}

// "128x1x1"; other texts are not understood.
Cursor PerfettoEncoder::PutDimensions(Cursor out, uint32_t field, uint64_t string_id) {
  const std::string& text = texts_[string_id];
  std::array<uint32_t, 3> sizes = {1, 1, 1};
  const char *at = text.data(), *const end = at + text.size();
  for (size_t i = 0; i < sizes.size(); ++i) {
    auto [after, error] = std::from_chars(at, end, sizes[i]);
    if (error != std::errc()) return out;
    at = after;
    if (at == end) break;
    if (*at++ != 'x') return out;
  }
  if (at != end) return out;
  char* dimensions = out.Open(field);
  for (uint32_t i = 0; i < sizes.size(); ++i) out.Varint(i + 1, sizes[i]);
  out.Close(dimensions);
  return out;
}

Cursor PerfettoEncoder::PutLaunch(Cursor out, const EventFields& event, const Type& type) {
  if (type.grid == kNone && type.block == kNone) return out;
  char* launch = out.Open(schema::gpu::kLaunch);
  if (type.grid != kNone)
    out = PutDimensions(out, schema::gpu::kGridSize, event.arguments[type.grid]);
  if (type.block != kNone) {
    out = PutDimensions(out, schema::gpu::kWorkgroupSize, event.arguments[type.block]);
  }
  out.Close(launch);
  return out;
}

// For Perfetto's GPU view, beside the slice.
void PerfettoEncoder::WriteDeviceRun(const EventFields& event, const Type& type) {
  if (event.begin_ns < 0 || event.end_ns < event.begin_ns) return;
  Cursor out(out_.Reserve());
  char* whole = out.Open(schema::trace::kPacket);
  out.Varint(packet::kTimestamp, static_cast<uint64_t>(event.begin_ns));
  out.Varint(packet::kSequenceId, schema::kSequence);
  out.Varint(packet::kSequenceFlags, packet::kNeedsState);
  char* stage = out.Open(packet::kGpuRenderStageEvent);
  out.Varint(schema::gpu::kEventId,
             event.correlation_id != 0 ? event.correlation_id : ++last_device_event_);
  out.Varint(schema::gpu::kDuration, static_cast<uint64_t>(event.end_ns - event.begin_ns));
  out.Varint(schema::gpu::kGpuId,
             static_cast<uint64_t>(static_cast<int32_t>(tracks_[event.track].device)));
  out.Varint(schema::gpu::kQueueIid, QueueIid(event.track));
  out.Varint(schema::gpu::kStageIid, StageIid(event.name, type.kind == RecordKind::kCopy));
  out = PutLaunch(out, event, type);
  out.Close(stage);
  out.Close(whole);
  out_.Commit(out.at());
}

void PerfettoEncoder::AddEvent(const EventFields& event) {
  if (!out_.status().ok() || !Check(event)) return;
  const Type& type = types_[event.type];
  if (!has_events_) [[unlikely]] {
    has_events_ = true;
    WriteClock(event.begin_ns);
  }
  // First what may need packets of its own.
  if (num_interned_ < texts_.size()) [[unlikely]]
    WriteInterned();
  if (type.has_texts || type.is_device_run) InternTexts(event, type);
  const Times times = PlaceEvent(event, type);
  const uint64_t counter_uuid = type.counter == kNone ? 0 : CounterUuid(event, type);
  Cursor out(out_.Reserve());
  out = PutBegin(out, event, type, times, counter_uuid);
  if (!times.is_instant) {
    char* whole = out.Open(schema::trace::kPacket);
    out.Varint(packet::kTimestamp, static_cast<uint64_t>(times.end));
    out.Varint(packet::kSequenceId, schema::kSequence);
    char* track_event = out.Open(packet::kTrackEvent);
    out.Varint(fields::kType, fields::kEnd);
    out.Varint(fields::kTrackUuid, times.uuid);
    out.Close(track_event);
    out.Close(whole);
  }
  out_.Commit(out.at());
  if (type.is_device_run) WriteDeviceRun(event, type);
}

}  // namespace tfrt::profiler

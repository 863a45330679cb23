// Writes the packets of a profile as a whole: descriptors, texts, properties.
#include "encoder.h"

#include <charconv>
#include <limits>

#include "extension_descriptor.h"
#include "schema.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

using protozero::pbf_writer;
namespace packet = schema::packet;
namespace ours = schema::tfrt_trace;

PerfettoEncoder::PerfettoEncoder(int descriptor, bool owns_descriptor, std::string name,
                                 size_t buffer_bytes)
    : out_(descriptor, owns_descriptor, std::move(name), buffer_bytes) {
  WriteHeader();
}

// A packet that is not one of many: made in packet_ by protozero's writer.
pbf_writer PerfettoEncoder::StartPacket() {
  packet_.clear();
  pbf_writer out(packet_);
  out.add_uint32(packet::kSequenceId, schema::kSequence);
  return out;
}

void PerfettoEncoder::EndPacket() { out_.AddPacket(packet_); }

void PerfettoEncoder::WriteHeader() {
  pbf_writer out = StartPacket();
  out.add_uint32(packet::kSequenceFlags, packet::kStateCleared);
  pbf_writer(out, packet::kTfrtTrace).add_uint32(ours::kFormat, schema::kFormat);
  EndPacket();
  out = StartPacket();
  pbf_writer(out, packet::kExtensionDescriptor).add_message(1, ExtensionDescriptorSet());
  EndPacket();
}

// With it Perfetto shows the time of day.
void PerfettoEncoder::WriteClock(int64_t time_ns) {
  const int64_t wall_ns = static_cast<int64_t>(static_cast<uint64_t>(time_ns) +
                                               static_cast<uint64_t>(wall_clock_offset_ns_));
  if (wall_clock_offset_ns_ == 0 || time_ns < 0 || wall_ns < 0) return;
  pbf_writer out = StartPacket();
  {
    pbf_writer snapshot(out, packet::kClockSnapshot);
    for (auto [id, time] :
         {std::pair{schema::clock::kBoottime, time_ns}, {schema::clock::kRealtime, wall_ns}}) {
      pbf_writer clock(snapshot, schema::clock::kClocks);
      clock.add_uint32(schema::clock::kId, id);
      clock.add_uint64(schema::clock::kTimestamp, static_cast<uint64_t>(time));
    }
  }
  EndPacket();
}

void PerfettoEncoder::AddProperty(std::string_view key, std::string_view value) {
  if (!out_.status().ok()) return;
  WriteInterned();
  if (key == property::kCommand) process_name_ = value;
  if (key == property::kWallClockOffsetNs && !has_events_) {
    std::from_chars(value.data(), value.data() + value.size(), wall_clock_offset_ns_);
  }
  pbf_writer out = StartPacket();
  {
    pbf_writer profile(out, packet::kTfrtTrace);
    pbf_writer entry(profile, ours::kProperty);
    entry.add_bytes(ours::kKey, key.data(), key.size());
    entry.add_bytes(ours::kValue, value.data(), value.size());
  }
  EndPacket();
}

void PerfettoEncoder::AddString(std::string_view text) {
  if (!out_.status().ok()) return;
  texts_.emplace_back(text);
}

// Texts that came since the last packet of another kind: what is read back is in order.
void PerfettoEncoder::WriteInterned() {
  constexpr size_t kMaxBytes = size_t{1} << 20;
  while (num_interned_ < texts_.size() && out_.status().ok()) {
    pbf_writer out = StartPacket();
    {
      pbf_writer interned(out, packet::kInternedData);
      do {
        pbf_writer name(interned, schema::interned::kEventNames);
        const std::string& text = texts_[num_interned_];
        name.add_uint64(schema::interned::kIid, ++num_interned_);
        name.add_bytes(schema::interned::kText, text.data(), text.size());
      } while (num_interned_ < texts_.size() &&
               packet_.size() + texts_[num_interned_].size() < kMaxBytes);
    }
    EndPacket();
  }
}

uint32_t PerfettoEncoder::AnnotationName(std::string_view name) {
  auto found = annotation_names_.find(name);
  if (found != annotation_names_.end()) return found->second;
  const auto iid = static_cast<uint32_t>(annotation_names_.size() + 1);
  annotation_names_.emplace(name, iid);
  pbf_writer out = StartPacket();
  {
    pbf_writer interned(out, packet::kInternedData);
    pbf_writer entry(interned, schema::interned::kAnnotationNames);
    entry.add_uint64(schema::interned::kIid, iid);
    entry.add_bytes(schema::interned::kText, name.data(), name.size());
  }
  EndPacket();
  return iid;
}

void PerfettoEncoder::AddType(const EventType& type) {
  if (!out_.status().ok()) return;
  WriteInterned();
  if (type.arguments.size() > kMaxEventArguments) {
    out_.Fail(InvalidArgumentError(StrCat("cannot write '", out_.name(), "': type '", type.name,
                                          "' has ", type.arguments.size(), " arguments, more than ",
                                          kMaxEventArguments)));
    return;
  }
  Type added = {};
  added.kind = type.kind;
  added.level = type.level;
  added.is_moment = type.kind == RecordKind::kEvent || type.kind == RecordKind::kQueue ||
                    type.kind == RecordKind::kAllocation;
  added.is_flow_end = type.level == StackLevel::kDevice || type.name == "queue.dequeue";
  added.is_launch = type.level == StackLevel::kLibrary;
  added.is_device_run = type.level == StackLevel::kDevice &&
                        (type.kind == RecordKind::kScope || type.kind == RecordKind::kCopy);
  added.counter = added.grid = added.block = kNone;
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    const EventType::Argument& argument = type.arguments[i];
    added.arguments.emplace_back(AnnotationName(argument.name), argument.type);
    const bool is_integer = argument.type == ArgumentType::kInteger;
    const bool is_name = argument.type == ArgumentType::kName;
    if (is_name) added.has_texts = true;
    if (is_integer && (argument.name == "depth" || argument.name == "in_use")) added.counter = i;
    if (is_name && argument.name == "grid") added.grid = i;
    if (is_name && argument.name == "block") added.block = i;
  }
  types_.push_back(std::move(added));
  pbf_writer out = StartPacket();
  {
    pbf_writer interned(out, packet::kInternedData);
    pbf_writer category(interned, schema::interned::kCategories);
    category.add_uint64(schema::interned::kIid, types_.size());
    category.add_bytes(schema::interned::kText, type.name.data(), type.name.size());
  }
  {
    pbf_writer profile(out, packet::kTfrtTrace);
    pbf_writer entry(profile, ours::kType);
    entry.add_bytes(ours::kTypeName, type.name.data(), type.name.size());
    entry.add_uint32(ours::kTypeLevel, static_cast<uint32_t>(type.level));
    entry.add_uint32(ours::kTypeKind, static_cast<uint32_t>(type.kind));
    entry.add_bool(ours::kTypeIsOp, type.is_op);
    for (const EventType::Argument& argument : type.arguments) {
      pbf_writer field(entry, ours::kTypeArguments);
      field.add_bytes(ours::kArgumentName, argument.name.data(), argument.name.size());
      field.add_uint32(ours::kArgumentType, static_cast<uint32_t>(argument.type));
    }
  }
  EndPacket();
}

// The track around those of a process or device, made when it is first needed.
uint64_t PerfettoEncoder::ParentUuid(const Track& track) {
  uint64_t& uuid = parents_[{track.kind, track.process_id}];
  if (uuid != 0) return uuid;
  uuid = ++last_uuid_;
  pbf_writer out = StartPacket();
  {
    pbf_writer descriptor(out, packet::kTrackDescriptor);
    descriptor.add_uint64(schema::track::kUuid, uuid);
    const int64_t process = track.process_id;
    if (track.kind == Track::Kind::kStream) {
      descriptor.add_string(schema::track::kName, StrCat("device ", process));
    } else if (process > 0 && process <= std::numeric_limits<int32_t>::max()) {
      pbf_writer entry(descriptor, schema::track::kProcess);
      entry.add_int32(schema::track::kPid, static_cast<int32_t>(process));
      if (!process_name_.empty()) entry.add_string(schema::track::kProcessName, process_name_);
    } else {
      descriptor.add_string(schema::track::kName, StrCat("process ", process));
    }
  }
  EndPacket();
  return uuid;
}

void PerfettoEncoder::WriteTrackDescriptor(pbf_writer& out, const Track& track, uint64_t uuid) {
  const bool is_thread = track.kind == Track::Kind::kThread;
  std::string name = track.name;
  if (name.empty()) name = StrCat(is_thread ? "thread " : "stream ", track.number);
  // Perfetto puts all threads of one number on one track, whatever their uuids are.
  const bool is_known_thread = is_thread && track.process_id > 0 &&
                               track.process_id <= std::numeric_limits<int32_t>::max() &&
                               track.number > 0 &&
                               threads_.emplace(track.process_id, track.number).second;
  pbf_writer descriptor(out, packet::kTrackDescriptor);
  descriptor.add_uint64(schema::track::kUuid, uuid);
  descriptor.add_uint64(schema::track::kParentUuid,
                        parents_.find({track.kind, track.process_id})->second);
  if (!is_known_thread) {
    descriptor.add_string(schema::track::kName, name);
    return;
  }
  pbf_writer thread(descriptor, schema::track::kThread);
  thread.add_int32(schema::track::kPid, static_cast<int32_t>(track.process_id));
  thread.add_int64(schema::track::kThreadTid, track.number);
  thread.add_string(schema::track::kThreadName, name);
}

void PerfettoEncoder::AddTrack(const Track& track) {
  if (!out_.status().ok()) return;
  WriteInterned();
  ParentUuid(track);
  TrackState& added = tracks_.emplace_back();
  added.kind = track.kind;
  added.uuid = ++last_uuid_;
  added.device = track.process_id;
  added.has_queue = false;
  added.uuids.push_back(added.uuid);
  pbf_writer out = StartPacket();
  WriteTrackDescriptor(out, track, added.uuid);
  {
    pbf_writer profile(out, packet::kTfrtTrace);
    pbf_writer entry(profile, ours::kTrack);
    entry.add_uint64(ours::kTrackUuid, added.uuid);
    entry.add_uint32(ours::kTrackKind, static_cast<uint32_t>(track.kind));
    entry.add_bytes(ours::kTrackName, track.name.data(), track.name.size());
    entry.add_sint64(ours::kTrackProcess, track.process_id);
    entry.add_sint64(ours::kTrackNumber, track.number);
  }
  EndPacket();
}

// Returns the id of the Perfetto track for a lane. Perfetto shows tracks of one name as one.
uint64_t PerfettoEncoder::LaneUuid(TrackId track, size_t lane) {
  TrackState& state = tracks_[track];
  while (lane >= state.uuids.size()) {
    state.uuids.push_back(++last_uuid_);
    pbf_writer out = StartPacket();
    {
      pbf_writer descriptor(out, packet::kTrackDescriptor);
      descriptor.add_uint64(schema::track::kUuid, last_uuid_);
      descriptor.add_uint64(schema::track::kParentUuid, state.uuid);
      descriptor.add_string(schema::track::kName, "overlapping");
    }
    {
      pbf_writer profile(out, packet::kTfrtTrace);
      pbf_writer entry(profile, ours::kLane);
      entry.add_uint64(ours::kLaneUuid, last_uuid_);
      entry.add_uint32(ours::kLaneTrack, track);
    }
    EndPacket();
  }
  return state.uuids[lane];
}

void PerfettoEncoder::AddReady(uint64_t id, int64_t ready_ns) {
  if (!out_.status().ok()) return;
  WriteInterned();
  Cursor out(out_.Reserve());
  char* whole = out.Open(schema::trace::kPacket);
  out.Varint(packet::kSequenceId, schema::kSequence);
  char* profile = out.Open(packet::kTfrtTrace);
  char* ready = out.Open(ours::kReady);
  out.Varint(ours::kReadyId, id);
  out.Signed(ours::kReadyNs, ready_ns);
  out.Close(ready);
  out.Close(profile);
  out.Close(whole);
  out_.Commit(out.at());
}

void PerfettoEncoder::AddProblem(const Problem& problem) {
  if (!out_.status().ok()) return;
  WriteInterned();
  pbf_writer out = StartPacket();
  {
    pbf_writer profile(out, packet::kTfrtTrace);
    pbf_writer entry(profile, ours::kProblem);
    entry.add_uint32(ours::kProblemKind, static_cast<uint32_t>(problem.kind));
    entry.add_uint64(ours::kProblemCount, problem.count);
    entry.add_bytes(ours::kProblemText, problem.text.data(), problem.text.size());
  }
  EndPacket();
}

void PerfettoEncoder::Flush() {
  WriteInterned();
  out_.Flush();
}

Status PerfettoEncoder::Finish() {
  if (!std::exchange(is_finished_, true)) {
    WriteInterned();
    pbf_writer out = StartPacket();
    pbf_writer(out, packet::kTfrtTrace).add_bool(ours::kEnd, true);
    if (out_.status().ok()) EndPacket();
    out_.Close();
  }
  return out_.status();
}

}  // namespace tfrt::profiler

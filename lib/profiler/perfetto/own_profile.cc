#include "own_profile.h"

#include <span>

#include "lib/profiler/message_fields.h"
#include "schema.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

namespace ours = schema::tfrt_trace;

int64_t WrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

}  // namespace

std::optional<uint64_t> OwnProfile::FormatOf(const PacketFields& packet) {
  std::optional<uint64_t> format;
  if (packet.tfrt.data()) ReadMessage(packet.tfrt, Varint(ours::kFormat, &format));
  return format;
}

// Takes the number of an enumeration whose last value is `last`: a newer one is counted, and
// `otherwise` is used.
template <typename Enum>
auto OwnProfile::Known(Enum* out, Enum last, Enum otherwise) {
  return [=, this](uint64_t value) {
    const bool is_known = value <= static_cast<uint64_t>(last);
    if (!is_known) ++num_unknown_;
    *out = is_known ? static_cast<Enum>(value) : otherwise;
  };
}

void OwnProfile::AddInternedName(std::string_view bytes) {
  // A damaged packet takes its texts along; those behind it keep their numbers. So many may miss.
  constexpr uint64_t kMaxFilled = 1 << 16;
  const InternedEntry entry = ParseInternedEntry(bytes);
  if (entry.iid <= num_strings_ || entry.iid - num_strings_ - 1 > kMaxFilled - num_filled_) {
    ++num_unreadable_;
    return;
  }
  for (; num_strings_ + 1 < entry.iid; ++num_strings_, ++num_filled_) {
    consumer_.AddString("(unreadable)");
  }
  consumer_.AddString(entry.text);
  ++num_strings_;
}

void OwnProfile::AddType(std::string_view bytes) {
  EventType type;
  auto add_argument = [&](std::string_view field) {
    EventType::Argument argument{.name = {}, .type = ArgumentType::kNone};
    ReadMessage(field, Bytes(ours::kArgumentName, &argument.name),
                Varint(ours::kArgumentType,
                       Known(&argument.type, ArgumentType::kName, ArgumentType::kNone)));
    if (type.arguments.size() < kMaxEventArguments) {
      type.arguments.push_back(std::move(argument));
    } else {
      ++num_unreadable_;
    }
  };
  ReadMessage(
      bytes, Bytes(ours::kTypeName, &type.name),
      Varint(ours::kTypeLevel, Known(&type.level, StackLevel::kDevice, StackLevel::kDevice)),
      Varint(ours::kTypeKind, Known(&type.kind, RecordKind::kQueue, RecordKind::kScope)),
      Varint(ours::kTypeIsOp, &type.is_op), Bytes(ours::kTypeArguments, add_argument));
  std::vector<ArgumentType>& arguments = types_.emplace_back();
  for (const EventType::Argument& argument : type.arguments) arguments.push_back(argument.type);
  consumer_.AddType(type);
}

void OwnProfile::AddTrack(std::string_view bytes) {
  Track track;
  uint64_t uuid = 0;
  ReadMessage(
      bytes, Varint(ours::kTrackUuid, &uuid),
      Varint(ours::kTrackKind, Known(&track.kind, Track::Kind::kStream, Track::Kind::kThread)),
      Bytes(ours::kTrackName, &track.name), Signed(ours::kTrackProcess, &track.process_id),
      Signed(ours::kTrackNumber, &track.number));
  tracks_[uuid] = num_tracks_++;
  consumer_.AddTrack(track);
}

void OwnProfile::AddLane(std::string_view bytes) {
  uint64_t uuid = 0, track = 0;  // zero is left out by some writers
  ReadMessage(bytes, Varint(ours::kLaneUuid, &uuid), Varint(ours::kLaneTrack, &track));
  if (track >= num_tracks_) {
    ++num_unreadable_;
    return;
  }
  tracks_[uuid] = static_cast<TrackId>(track);
}

void OwnProfile::AddReady(std::string_view bytes) {
  uint64_t id = 0;
  int64_t ready_ns = 0;
  ReadMessage(bytes, Varint(ours::kReadyId, &id), Signed(ours::kReadyNs, &ready_ns));
  consumer_.AddReady(id, ready_ns);
}

void OwnProfile::AddProblem(std::string_view bytes) {
  Problem problem;
  auto set_kind = [&](uint64_t kind) {
    problem.kind = kind > static_cast<uint64_t>(Problem::Kind::kUnavailable)
                       ? Problem::Kind::kUnknown
                       : static_cast<Problem::Kind>(kind);
  };
  ReadMessage(bytes, Varint(ours::kProblemKind, set_kind),
              Varint(ours::kProblemCount, &problem.count),
              Bytes(ours::kProblemText, &problem.text));
  consumer_.AddProblem(problem);
}

void OwnProfile::AddProperty(std::string_view bytes) {
  std::string_view key = "", value = "";
  ReadMessage(bytes, Bytes(ours::kKey, &key), Bytes(ours::kValue, &value));
  consumer_.AddProperty(key, value);
}

void OwnProfile::AddProfileFields(std::string_view bytes) {
  auto by = [this](void (OwnProfile::*add)(std::string_view)) {
    return [this, add](std::string_view field) { (this->*add)(field); };
  };
  auto other = [&](protozero::pbf_reader& reader) {
    ++num_unknown_;
    reader.skip();
  };
  ReadMessageOr(
      bytes, other, Bytes(ours::kProperty, by(&OwnProfile::AddProperty)),
      Bytes(ours::kType, by(&OwnProfile::AddType)), Bytes(ours::kTrack, by(&OwnProfile::AddTrack)),
      Bytes(ours::kLane, by(&OwnProfile::AddLane)), Bytes(ours::kReady, by(&OwnProfile::AddReady)),
      Bytes(ours::kProblem, by(&OwnProfile::AddProblem)), Varint(ours::kEnd, &has_end_));
}

// Sets an event from the fields, as far as it is known before its end. Returns false if the fields
// are invalid.
bool OwnProfile::Begin(const TrackEventFields& fields, int64_t time_ns) {
  if (fields.category_iid == 0 || fields.category_iid > types_.size()) return false;
  if (fields.name_iid == 0 || fields.name_iid > num_strings_ || !fields.track_uuid) return false;
  if (*fields.track_uuid != last_track_.first || num_tracks_ == 0) {
    auto found = tracks_.find(*fields.track_uuid);
    if (found == tracks_.end()) return false;
    last_track_ = *found;
  }
  EventFields& event = pending_.event;
  event.type = static_cast<TypeId>(fields.category_iid - 1);
  event.name = static_cast<StringId>(fields.name_iid - 1);
  event.track = last_track_.second;
  const std::vector<ArgumentType>& types = types_[event.type];
  if (fields.num_arguments != types.size()) return false;
  for (size_t i = 0; i < types.size(); ++i) {
    if (fields.argument_types[i] != types[i]) return false;
    if (types[i] != ArgumentType::kName) continue;
    if (fields.arguments[i] == 0 || fields.arguments[i] > num_strings_) return false;
    --fields_.arguments[i];
  }
  event.id = fields.id;
  event.parent_id =
      fields.parent_distance ? fields.id - static_cast<uint64_t>(*fields.parent_distance) : 0;
  event.op_id = fields.op_id;
  event.correlation_id = fields.flow_id;
  event.begin_ns = fields.begin_ns.value_or(time_ns);
  event.ready = fields.ready_after_end_ns ? EventFields::Ready::kAt
                : fields.is_ready_later   ? EventFields::Ready::kLater
                                          : EventFields::Ready::kAtEnd;
  event.arguments = std::span(fields_.arguments).first(types.size());
  pending_.is_there = true;
  pending_.track_uuid = *fields.track_uuid;
  pending_.end_ns = fields.end_ns;
  pending_.ready_after_end_ns = fields.ready_after_end_ns;
  return true;
}

void OwnProfile::Emit(int64_t end_ns) {
  EventFields& event = pending_.event;
  event.end_ns = pending_.end_ns.value_or(end_ns);
  event.ready_ns =
      pending_.ready_after_end_ns ? WrappingAdd(event.end_ns, *pending_.ready_after_end_ns) : 0;
  pending_.is_there = false;
  consumer_.AddEvent(event);
}

void OwnProfile::AddTrackEvent(const PacketFields& packet) {
  // The end of a slice is next to its begin, and needs no more than these.
  TrackEventFields end;
  const bool waits = pending_.is_there;
  TrackEventFields& fields = waits ? end : fields_;
  fields.~TrackEventFields();
  new (&fields) TrackEventFields;
  ParseTrackEvent(packet.track_event, &fields);
  const auto time_ns = static_cast<int64_t>(packet.timestamp.value_or(0));
  if (waits) {
    if (fields.type == schema::event::kEnd && fields.track_uuid == pending_.track_uuid) {
      Emit(time_ns);
      return;
    }
    ++num_unreadable_;  // a begin without an end
    pending_.is_there = false;
    fields_ = end;
  }
  switch (fields_.type) {
    case schema::event::kBegin:
      if (!Begin(fields_, time_ns)) ++num_unreadable_;
      break;
    case schema::event::kInstant:
      if (Begin(fields_, time_ns)) {
        Emit(pending_.event.begin_ns);
      } else {
        ++num_unreadable_;
      }
      break;
    case schema::event::kEnd:
      ++num_unreadable_;
      break;
    default:
      ++num_unknown_;
  }
}

bool OwnProfile::Add(const PacketFields& packet) {
  if (FormatOf(packet)) return false;
  if (packet.sequence != schema::kSequence || packet.is_other) {
    ++num_unknown_;
    return true;
  }
  if (packet.interned.data()) {
    // The other tables repeat what is known.
    ReadMessage(packet.interned, Bytes(schema::interned::kEventNames,
                                       [&](std::string_view entry) { AddInternedName(entry); }));
  }
  if (packet.tfrt.data()) AddProfileFields(packet.tfrt);
  if (packet.track_event.data()) AddTrackEvent(packet);
  return true;
}

void OwnProfile::Finish() {
  if (pending_.is_there) ++num_unreadable_;
  if (num_unreadable_ > 0) {
    consumer_.AddProblem({.kind = Problem::Kind::kUnreadable,
                          .count = num_unreadable_,
                          .text = StrCat(name_, ": ", num_unreadable_,
                                         " packets are not what they should be: left out")});
  }
  if (num_unknown_ > 0) {
    consumer_.AddProblem({.kind = Problem::Kind::kUnknown,
                          .count = num_unknown_,
                          .text = StrCat(name_, ": ", num_unknown_,
                                         " packets or fields are of kinds that are not known")});
  }
  if (!has_end_) {
    consumer_.AddProblem({.kind = Problem::Kind::kUnfinished,
                          .count = 0,
                          .text = StrCat(name_, ": the program did not finish the profile")});
  }
}

}  // namespace tfrt::profiler

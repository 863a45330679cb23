#include "foreign_profile.h"

#include <array>
#include <utility>

#include "lib/profiler/message_fields.h"
#include "schema.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

constexpr TypeId kSlice = 0, kInstant = 1;

}  // namespace

ForeignProfile::ForeignProfile(const std::string& name, ProfileConsumer& consumer)
    : name_(name), consumer_(consumer) {
  const EventType::Argument category = {.name = "category", .type = ArgumentType::kName};
  consumer_.AddType({.name = "slice", .arguments = {category}});
  consumer_.AddType({.name = "instant", .kind = RecordKind::kEvent, .arguments = {category}});
}

StringId ForeignProfile::Intern(std::string_view text) {
  auto [found, is_new] = strings_.try_emplace(std::string(text), strings_.size());
  if (is_new) consumer_.AddString(text);
  return found->second;
}

ForeignProfile::Sequence* ForeignProfile::SequenceOf(const PacketFields& packet) {
  auto found = sequences_.find(packet.sequence);
  if (found == sequences_.end()) {
    if (sequences_.size() >= kMaxSequences) return nullptr;
    found = sequences_.try_emplace(packet.sequence).first;
  }
  Sequence& sequence = found->second;
  if (packet.is_state_cleared) {
    num_interned_ -= sequence.names.size() + sequence.categories.size();
    sequence = Sequence();
  }
  return &sequence;
}

void ForeignProfile::AddDefaults(std::string_view bytes, Sequence& sequence) {
  auto read_event = [&](std::string_view event) {
    ReadMessage(event, Varint(schema::event::kTrackUuid, &sequence.default_track));
  };
  ReadMessage(bytes, Varint(schema::defaults::kTimestampClockId, &sequence.default_clock),
              Bytes(schema::defaults::kTrackEvent, read_event));
}

// Clocks that a sequence has for itself begin at a moment that the snapshot tells on the profile's.
void ForeignProfile::AddClocks(std::string_view bytes, Sequence& sequence) {
  uint64_t profile_ns = 0;
  std::vector<std::pair<uint32_t, Clock>> clocks;
  auto add_clock = [&](std::string_view entry) {
    uint64_t id = 0, time = 0;
    Clock clock;
    ReadMessage(entry, Varint(schema::clock::kId, &id), Varint(schema::clock::kTimestamp, &time),
                Varint(schema::clock::kIsIncremental, &clock.is_incremental),
                Varint(schema::clock::kUnitNs, &clock.unit_ns));
    clock.value_ns = time * clock.unit_ns;
    if (id == schema::clock::kBoottime) profile_ns = clock.value_ns;
    if (id >= schema::clock::kFirstOfSequences)
      clocks.emplace_back(static_cast<uint32_t>(id), clock);
  };
  ReadMessage(bytes, Bytes(schema::clock::kClocks, add_clock));
  constexpr size_t kMaxClocks = 64;  // Perfetto has no more numbers for them
  for (auto& [id, clock] : clocks) {
    clock.offset_ns = profile_ns - clock.value_ns;
    if (sequence.clocks.size() < kMaxClocks) sequence.clocks[id] = clock;
  }
}

void ForeignProfile::AddInterned(std::string_view bytes, Sequence& sequence) {
  auto add_to = [this](auto& table) {
    return [this, &table](std::string_view field) {
      const InternedEntry entry = ParseInternedEntry(field);
      if (num_interned_ >= kMaxInterned) {
        ++num_dropped_;
        return;
      }
      if (table.insert_or_assign(entry.iid, Intern(entry.text)).second) ++num_interned_;
    };
  };
  ReadMessage(bytes, Bytes(schema::interned::kEventNames, add_to(sequence.names)),
              Bytes(schema::interned::kCategories, add_to(sequence.categories)));
}

void ForeignProfile::AddTrackDescriptor(std::string_view bytes) {
  namespace fields = schema::track;
  Track track;
  std::optional<uint64_t> parent;
  uint64_t uuid = 0;
  auto read_process = [&](std::string_view process) {
    ReadMessage(process, Varint(fields::kPid, &track.process_id),
                Bytes(fields::kProcessName, &track.name));
  };
  auto read_thread = [&](std::string_view thread) {
    ReadMessage(thread, Varint(fields::kPid, &track.process_id),
                Varint(fields::kThreadTid, &track.number), Bytes(fields::kThreadName, &track.name));
  };
  ReadMessage(bytes, Varint(fields::kUuid, &uuid), Varint(fields::kParentUuid, &parent),
              Bytes(fields::kName, &track.name), Bytes(fields::kStaticName, &track.name),
              Bytes(fields::kProcess, read_process), Bytes(fields::kThread, read_thread));
  if (parent && track.process_id == 0) {
    auto found = tracks_.find(*parent);
    if (found != tracks_.end()) track.process_id = found->second.track.process_id;
  }
  if (tracks_.size() >= kMaxTracks && !tracks_.contains(uuid)) {
    ++num_dropped_;
    return;
  }
  tracks_[uuid].track = std::move(track);
}

std::optional<int64_t> ForeignProfile::TimeOf(const PacketFields& packet, Sequence& sequence) {
  if (!packet.timestamp) return std::nullopt;
  const uint32_t id = packet.clock_id.value_or(sequence.default_clock.value_or(0));
  if (id < schema::clock::kFirstOfSequences) return static_cast<int64_t>(*packet.timestamp);
  auto found = sequence.clocks.find(id);
  if (found == sequence.clocks.end()) return std::nullopt;
  Clock& clock = found->second;
  const uint64_t step_ns = *packet.timestamp * clock.unit_ns;
  clock.value_ns = clock.is_incremental ? clock.value_ns + step_ns : step_ns;
  return static_cast<int64_t>(clock.value_ns + clock.offset_ns);
}

void ForeignProfile::Emit(TypeId type, TrackState& state, const Open& open, int64_t end_ns) {
  if (!state.id) {
    state.id = num_tracks_++;
    consumer_.AddTrack(state.track);
  }
  const std::array<uint64_t, 1> arguments = {open.category};
  consumer_.AddEvent({.type = type,
                      .name = open.name,
                      .track = *state.id,
                      .id = open.id,
                      .parent_id = state.open.empty() ? 0 : state.open.back().id,
                      .correlation_id = open.correlation_id,
                      .begin_ns = open.begin_ns,
                      .end_ns = end_ns,
                      .arguments = arguments});
}

void ForeignProfile::AddTrackEvent(const PacketFields& packet, Sequence& sequence) {
  const std::optional<int64_t> time = TimeOf(packet, sequence);
  TrackEventFields fields;
  ParseTrackEvent(packet.track_event, &fields);
  const bool is_known = fields.type == schema::event::kBegin ||
                        fields.type == schema::event::kEnd ||
                        fields.type == schema::event::kInstant;
  if (!time || !is_known || (fields.is_legacy && fields.type == 0)) {
    ++num_unknown_;
    return;
  }
  const uint64_t uuid = fields.track_uuid.value_or(sequence.default_track.value_or(0));
  if (tracks_.size() >= kMaxTracks && !tracks_.contains(uuid)) {
    ++num_dropped_;
    return;
  }
  TrackState& state = tracks_[uuid];
  if (fields.type == schema::event::kEnd) {
    if (state.open.empty()) {
      ++num_without_begin_;
      return;
    }
    const Open open = state.open.back();
    state.open.pop_back();
    --num_open_;
    Emit(kSlice, state, open, *time);
    return;
  }
  auto text = [&](const std::optional<std::string_view>& own, uint64_t iid, const auto& table) {
    if (own) return Intern(*own);
    auto found = table.find(iid);
    return found == table.end() ? Intern("") : found->second;
  };
  const Open open = {.id = ++last_id_,
                     .name = text(fields.name, fields.name_iid, sequence.names),
                     .category = text(fields.category, fields.category_iid, sequence.categories),
                     .correlation_id = fields.flow_id,
                     .begin_ns = *time};
  if (fields.type == schema::event::kInstant) {
    Emit(kInstant, state, open, *time);
  } else if (num_open_ < kMaxOpen) {
    state.open.push_back(open);
    ++num_open_;
  } else {
    ++num_dropped_;
  }
}

void ForeignProfile::Add(const PacketFields& packet) {
  Sequence* sequence = SequenceOf(packet);
  if (!sequence) {
    ++num_dropped_;
    return;
  }
  if (packet.is_other) ++num_unknown_;
  if (const uint32_t field = packet.unread_field; field != 0) {
    constexpr size_t kMaxKinds = 12;
    ++num_unread_;
    ++unread_[unread_.size() < kMaxKinds || unread_.contains(field) ? field : 0];
  }
  if (packet.defaults.data()) AddDefaults(packet.defaults, *sequence);
  if (packet.clocks.data()) AddClocks(packet.clocks, *sequence);
  if (packet.interned.data()) AddInterned(packet.interned, *sequence);
  if (packet.track.data()) AddTrackDescriptor(packet.track);
  if (packet.track_event.data()) AddTrackEvent(packet, *sequence);
}

void ForeignProfile::Finish() {
  auto report = [&](Problem::Kind kind, uint64_t count, std::string_view text) {
    if (count == 0) return;
    consumer_.AddProblem({.kind = kind, .count = count, .text = StrCat(name_, ": ", count, text)});
  };
  report(Problem::Kind::kUnreadable, num_unreadable_,
         " packets are not what they should be: left out");
  report(Problem::Kind::kUnknown, num_unknown_,
         " packets are counters, or of other kinds that are not read");
  std::string kinds;
  for (auto [field, count] : unread_) {
    kinds += StrCat(kinds.empty() ? "" : ", ", count,
                    field == 0 ? " of others" : StrCat(" of field ", field));
  }
  report(Problem::Kind::kUnknown, num_unread_,
         StrCat(" packets have data that is not read: ", kinds));
  report(Problem::Kind::kUnreadable, num_without_begin_, " ends of slices have no begin: left out");
  report(Problem::Kind::kUnfinished, num_open_, " slices have no end: left out");
  report(Problem::Kind::kDropped, num_dropped_,
         " packets or names are left out: too many tracks, names or open slices");
}

}  // namespace tfrt::profiler

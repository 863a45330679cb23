#include "event_fields.h"

#include "lib/profiler/message_fields.h"
#include "schema.h"

namespace tfrt::profiler {
namespace {

void ParseAnnotation(std::string_view bytes, TrackEventFields* out) {
  namespace annotation = schema::annotation;
  uint64_t bits = 0;
  ArgumentType type = ArgumentType::kNone;
  auto of_type = [&](ArgumentType read) {
    return [&bits, &type, read](uint64_t value) { bits = value, type = read; };
  };
  ReadMessage(bytes, Varint(annotation::kInt, of_type(ArgumentType::kInteger)),
              Varint(annotation::kUint, of_type(ArgumentType::kNone)),
              Fixed64(annotation::kDouble, of_type(ArgumentType::kReal)),
              Varint(annotation::kStringIid, of_type(ArgumentType::kName)));
  const size_t index = out->num_arguments++;
  if (index >= kMaxEventArguments) return;
  out->arguments[index] = bits;
  out->argument_types[index] = type;
}

void ParseExtension(std::string_view bytes, TrackEventFields* out) {
  namespace ours = schema::tfrt_event;
  ReadMessage(
      bytes, Varint(ours::kId, &out->id), Signed(ours::kParentDistance, &out->parent_distance),
      Varint(ours::kOpId, &out->op_id), Signed(ours::kReadyAfterEndNs, &out->ready_after_end_ns),
      Varint(ours::kReadyLater, &out->is_ready_later), Signed(ours::kBeginNs, &out->begin_ns),
      Signed(ours::kEndNs, &out->end_ns));
}

}  // namespace

PacketFields ParsePacket(std::string_view bytes) {
  namespace packet = schema::packet;
  PacketFields out;
  auto clear_state = [&](uint64_t clears) { out.is_state_cleared |= clears != 0; };
  auto clear_by_flags = [&](uint64_t flags) { clear_state(flags & packet::kStateCleared); };
  auto set_other = [&](std::string_view) { out.is_other = true; };
  auto other = [&](protozero::pbf_reader& reader) {
    // Data are messages; numbers say something about their packet.
    if (reader.has_wire_type(protozero::pbf_wire_type::length_delimited)) {
      out.unread_field = reader.tag();
    }
    reader.skip();
  };
  // The most frequent ones first.
  ReadMessageOr(
      bytes, other, Varint(packet::kTimestamp, &out.timestamp),
      Varint(packet::kSequenceId, &out.sequence), Bytes(packet::kTrackEvent, &out.track_event),
      Varint(packet::kSequenceFlags, clear_by_flags), Bytes(packet::kTfrtTrace, &out.tfrt),
      Bytes(packet::kInternedData, &out.interned), Bytes(packet::kTrackDescriptor, &out.track),
      Bytes(packet::kDefaults, &out.defaults), Bytes(packet::kClockSnapshot, &out.clocks),
      Varint(packet::kTimestampClockId, &out.clock_id),
      Varint(packet::kIncrementalStateCleared, clear_state),
      Bytes(packet::kCompressedPackets, set_other),
      Bytes(packet::kZstdCompressedPackets, set_other));
  return out;
}

void ParseTrackEvent(std::string_view bytes, TrackEventFields* out) {
  namespace event = schema::event;
  // The first one of repeated numbers, packed or not.
  auto first_category = [&](std::string_view packed) {
    const char* at = packed.data();
    out->category_iid = packed.empty() ? 0 : protozero::decode_varint(&at, at + packed.size());
  };
  // The most frequent ones first.
  ReadMessage(
      bytes, Varint(event::kType, &out->type), Varint(event::kTrackUuid, &out->track_uuid),
      Varint(event::kNameIid, &out->name_iid), Varint(event::kCategoryIids, &out->category_iid),
      Bytes(event::kTfrtEvent, [&](std::string_view extension) { ParseExtension(extension, out); }),
      Bytes(event::kDebugAnnotations,
            [&](std::string_view annotation) { ParseAnnotation(annotation, out); }),
      Fixed64(event::kFlowIds, &out->flow_id), Fixed64(event::kTerminatingFlowIds, &out->flow_id),
      Bytes(event::kName, &out->name), Bytes(event::kCategories, &out->category),
      Bytes(event::kCategoryIids, first_category),
      Bytes(event::kLegacyEvent, [&](std::string_view) { out->is_legacy = true; }));
}

InternedEntry ParseInternedEntry(std::string_view bytes) {
  InternedEntry out;
  ReadMessage(bytes, Varint(schema::interned::kIid, &out.iid),
              Bytes(schema::interned::kText, &out.text));
  return out;
}

}  // namespace tfrt::profiler

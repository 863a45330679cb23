#include "event_fields.h"

#include "message_fields.h"
#include "schema.h"

namespace tfrt::profiler {
namespace {

using protozero::pbf_reader;

// The first one of repeated numbers, packed or not.
uint64_t FirstVarint(pbf_reader& reader) {
  auto range = reader.get_packed_uint64();
  return range.begin() == range.end() ? 0 : *range.begin();
}

void ParseAnnotation(pbf_reader reader, TrackEventFields* out) {
  namespace annotation = schema::annotation;
  uint64_t bits = 0;
  ArgumentType type = ArgumentType::kNone;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Tag(annotation::kInt, kVarint):
        bits = reader.get_uint64();
        type = ArgumentType::kInteger;
        break;
      case Tag(annotation::kUint, kVarint):
        bits = reader.get_uint64();
        type = ArgumentType::kNone;
        break;
      case Tag(annotation::kDouble, kFixed64):
        bits = reader.get_fixed64();
        type = ArgumentType::kReal;
        break;
      case Tag(annotation::kStringIid, kVarint):
        bits = reader.get_uint64();
        type = ArgumentType::kName;
        break;
      default:
        reader.skip();
    }
  }
  const size_t index = out->num_arguments++;
  if (index >= kMaxEventArguments) return;
  out->arguments[index] = bits;
  out->argument_types[index] = type;
}

void ParseExtension(pbf_reader reader, TrackEventFields* out) {
  namespace ours = schema::tfrt_event;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Tag(ours::kId, kVarint):
        out->id = reader.get_uint64();
        break;
      case Tag(ours::kParentDistance, kVarint):
        out->parent_distance = reader.get_sint64();
        break;
      case Tag(ours::kOpId, kVarint):
        out->op_id = reader.get_uint64();
        break;
      case Tag(ours::kReadyAfterEndNs, kVarint):
        out->ready_after_end_ns = reader.get_sint64();
        break;
      case Tag(ours::kReadyLater, kVarint):
        out->is_ready_later = reader.get_uint64() != 0;
        break;
      case Tag(ours::kBeginNs, kVarint):
        out->begin_ns = reader.get_sint64();
        break;
      case Tag(ours::kEndNs, kVarint):
        out->end_ns = reader.get_sint64();
        break;
      default:
        reader.skip();
    }
  }
}

}  // namespace

PacketFields ParsePacket(std::string_view bytes) {
  namespace packet = schema::packet;
  PacketFields out;
  pbf_reader reader = OpenMessage(bytes);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Tag(packet::kTimestamp, kVarint):
        out.timestamp = reader.get_uint64();
        break;
      case Tag(packet::kSequenceId, kVarint):
        out.sequence = static_cast<uint32_t>(reader.get_uint64());
        break;
      case Tag(packet::kSequenceFlags, kVarint):
        if ((reader.get_uint64() & packet::kStateCleared) != 0) out.is_state_cleared = true;
        break;
      case Tag(packet::kTrackEvent, kLength):
        out.track_event = View(reader);
        break;
      case Tag(packet::kInternedData, kLength):
        out.interned = View(reader);
        break;
      case Tag(packet::kTrackDescriptor, kLength):
        out.track = View(reader);
        break;
      case Tag(packet::kDefaults, kLength):
        out.defaults = View(reader);
        break;
      case Tag(packet::kClockSnapshot, kLength):
        out.clocks = View(reader);
        break;
      case Tag(packet::kTfrtTrace, kLength):
        out.tfrt = View(reader);
        break;
      case Tag(packet::kTimestampClockId, kVarint):
        out.clock_id = static_cast<uint32_t>(reader.get_uint64());
        break;
      case Tag(packet::kIncrementalStateCleared, kVarint):
        if (reader.get_uint64() != 0) out.is_state_cleared = true;
        break;
      case Tag(packet::kCompressedPackets, kLength):
      case Tag(packet::kZstdCompressedPackets, kLength):
        out.is_other = true;
        reader.skip();
        break;
      default:
        // Data are messages; numbers say something about their packet.
        if (reader.has_wire_type(kLength)) out.unread_field = reader.tag();
        reader.skip();
    }
  }
  return out;
}

void ParseTrackEvent(std::string_view bytes, TrackEventFields* out) {
  namespace event = schema::event;
  pbf_reader reader = OpenMessage(bytes);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Tag(event::kType, kVarint):
        out->type = reader.get_uint64();
        break;
      case Tag(event::kNameIid, kVarint):
        out->name_iid = reader.get_uint64();
        break;
      case Tag(event::kName, kLength):
        out->name = View(reader);
        break;
      case Tag(event::kCategoryIids, kVarint):
        out->category_iid = reader.get_uint64();
        break;
      case Tag(event::kCategoryIids, kLength):
        out->category_iid = FirstVarint(reader);
        break;
      case Tag(event::kCategories, kLength):
        out->category = View(reader);
        break;
      case Tag(event::kTrackUuid, kVarint):
        out->track_uuid = reader.get_uint64();
        break;
      case Tag(event::kDebugAnnotations, kLength):
        ParseAnnotation(reader.get_message(), out);
        break;
      case Tag(event::kFlowIds, kFixed64):
      case Tag(event::kTerminatingFlowIds, kFixed64):
        out->flow_id = reader.get_fixed64();
        break;
      case Tag(event::kLegacyEvent, kLength):
        out->is_legacy = true;
        reader.skip();
        break;
      case Tag(event::kTfrtEvent, kLength):
        ParseExtension(reader.get_message(), out);
        break;
      default:
        reader.skip();
    }
  }
}

InternedEntry ParseInternedEntry(std::string_view bytes) {
  InternedEntry out;
  pbf_reader reader = OpenMessage(bytes);
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Tag(schema::interned::kIid, kVarint):
        out.iid = reader.get_uint64();
        break;
      case Tag(schema::interned::kText, kLength):
        out.text = View(reader);
        break;
      default:
        reader.skip();
    }
  }
  return out;
}

}  // namespace tfrt::profiler

// The fields of packets and track events that are read. All functions throw protozero::exception
// for bytes that are no message.
#ifndef TFRT_LIB_PROFILER_PERFETTO_EVENT_FIELDS_H_
#define TFRT_LIB_PROFILER_PERFETTO_EVENT_FIELDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tfrt/profiler/profile_consumer.h"

namespace tfrt::profiler {

// Views of the packet; null data: the packet has no such field.
struct PacketFields {
  std::optional<uint64_t> timestamp;
  std::optional<uint32_t> clock_id;
  uint32_t sequence = 0;
  bool is_state_cleared = false;
  bool is_other = false;      // is compressed
  uint32_t unread_field = 0;  // a field whose data are not read; 0: none
  std::string_view track_event, interned, track, defaults, clocks, tfrt;
};
PacketFields ParsePacket(std::string_view bytes);

// The fields of Perfetto and of the project's extension that are used here.
struct TrackEventFields {
  uint64_t type = 0;
  uint64_t category_iid = 0, name_iid = 0;
  std::optional<std::string_view> category, name;
  std::optional<uint64_t> track_uuid;
  uint64_t flow_id = 0;
  bool is_legacy = false;
  // Debug annotations: the type of each value, and its bits; kNone: an unsigned one.
  size_t num_arguments = 0;  // may exceed the size of the arrays
  std::array<uint64_t, kMaxEventArguments> arguments;
  std::array<ArgumentType, kMaxEventArguments> argument_types;
  // TfrtEvent.
  uint64_t id = 0, op_id = 0;
  std::optional<int64_t> parent_distance, ready_after_end_ns, begin_ns, end_ns;
  bool is_ready_later = false;
};
void ParseTrackEvent(std::string_view bytes, TrackEventFields* out);

// Entries of interned data are alike: a number and a text.
struct InternedEntry {
  uint64_t iid = 0;
  std::string_view text;
};
InternedEntry ParseInternedEntry(std::string_view bytes);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_EVENT_FIELDS_H_

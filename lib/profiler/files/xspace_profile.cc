#include "xspace_profile.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "foreign_profile.h"
#include "tensorflow_names.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using protozero::pbf_reader;

constexpr size_t kMaxXSpaceBytes = size_t{1} << 30;

// Numbers of fields, by message.
enum SpaceField : uint32_t { kPlanes = 1, kErrors = 2, kWarnings = 3 };
enum PlaneField : uint32_t { kPlaneName = 2, kLines = 3, kEventMetadata = 4, kStatMetadata = 5 };
enum XLineField : uint32_t { kLineId = 1, kLineName = 2, kTimestampNs = 3, kEvents = 4 };
enum EventField : uint32_t { kMetadataId = 1, kOffsetPs = 2, kDurationPs = 3, kStats = 4 };
enum StatField : uint32_t { kStatId = 1, kUint64Value = 3, kInt64Value = 4 };
enum MapField : uint32_t { kMapKey = 1, kMapValue = 2 };
enum MetadataField : uint32_t { kMetadataName = 2 };

std::string_view View(const protozero::data_view& view) { return {view.data(), view.size()}; }

// Names of an XPlane's metadata, by id.
using Names = std::unordered_map<int64_t, std::string_view>;

void AddName(pbf_reader entry, Names& names) {
  int64_t id = 0;
  std::string_view name;
  while (entry.next()) {
    if (entry.tag() == kMapKey && entry.wire_type() == protozero::pbf_wire_type::varint) {
      id = entry.get_int64();
    } else if (entry.tag() == kMapValue &&
               entry.wire_type() == protozero::pbf_wire_type::length_delimited) {
      pbf_reader metadata = entry.get_message();
      while (metadata.next()) {
        if (metadata.tag() == kMetadataName &&
            metadata.wire_type() == protozero::pbf_wire_type::length_delimited) {
          name = View(metadata.get_view());
        } else {
          metadata.skip();
        }
      }
    } else {
      entry.skip();
    }
  }
  names.insert_or_assign(id, name);
}

std::string_view FindName(const Names& names, int64_t id) {
  auto found = names.find(id);
  return found == names.end() ? std::string_view() : found->second;
}

struct Line {
  int64_t id = 0, timestamp_ns = 0;
  std::string_view name;
  uint32_t track = 0;
  bool has_track = false;
};

class SpaceReader {
 public:
  // Throws protozero::exception; what has been read until then is in `profile`.
  void ReadSpace(pbf_reader space) {
    while (space.next()) {
      if (space.wire_type() != protozero::pbf_wire_type::length_delimited) {
        space.skip();
        continue;
      }
      const uint32_t tag = space.tag();  // gone once the value is read
      const std::string_view bytes = View(space.get_view());
      if (tag == kPlanes) {
        ReadPlane(bytes);
        ++num_planes_;
      } else if (tag == kErrors || tag == kWarnings) {
        profile_.AddProblem({.kind = Problem::Kind::kUnavailable,
                             .text = StrCat("TensorFlow's profiler says: ", bytes)});
      }
    }
  }
  ForeignProfile& profile() { return profile_; }
  int num_planes() const { return num_planes_; }
  uint64_t num_bad_times() const { return num_bad_times_; }

 private:
  static bool IsBytes(const pbf_reader& reader) {
    return reader.wire_type() == protozero::pbf_wire_type::length_delimited;
  }
  static bool IsNumber(const pbf_reader& reader) {
    return reader.wire_type() == protozero::pbf_wire_type::varint;
  }

  // Names come behind the lines that use them: twice.
  void ReadPlane(std::string_view bytes) {
    Names events, stats;
    std::string_view name;
    const protozero::data_view view(bytes.data(), bytes.size());
    pbf_reader plane(view);
    while (plane.next()) {
      if (plane.tag() == kPlaneName && IsBytes(plane)) {
        name = View(plane.get_view());
      } else if (plane.tag() == kEventMetadata && IsBytes(plane)) {
        AddName(plane.get_message(), events);
      } else if (plane.tag() == kStatMetadata && IsBytes(plane)) {
        AddName(plane.get_message(), stats);
      } else {
        plane.skip();
      }
    }
    plane_ = name;
    is_device_ = name.starts_with("/device:");
    const bool is_read = is_device_ || name == "/host:CPU";
    pbf_reader again(view);
    while (again.next()) {
      if (again.tag() == kLines && IsBytes(again)) {
        if (!is_read) {
          LeaveOutLine(again.get_message(), "plane", name);
          continue;
        }
        ReadLine(again.get_message(), events, stats);
      } else {
        again.skip();
      }
    }
  }

  void ReadLine(pbf_reader line, const Names& events, const Names& stats) {
    Line row;
    pbf_reader first = line;
    while (first.next()) {
      if (first.tag() == kLineId && IsNumber(first)) {
        row.id = first.get_int64();
      } else if (first.tag() == kLineName && IsBytes(first)) {
        row.name = View(first.get_view());
      } else if (first.tag() == kTimestampNs && IsNumber(first)) {
        row.timestamp_ns = first.get_int64();
      } else {
        first.skip();
      }
    }
    if (is_device_ && !IsTensorFlowStream(row.name)) return LeaveOutLine(line, "line", row.name);
    while (line.next()) {
      if (line.tag() == kEvents && IsBytes(line)) {
        ReadEvent(line.get_message(), row, events, stats);
      } else {
        line.skip();
      }
    }
  }

  // Lines that sum up others (steps, names of scopes), and planes of other things than threads and
  // devices.
  void LeaveOutLine(pbf_reader line, std::string_view aspect, std::string_view name) {
    while (line.next()) {
      if (line.tag() == kEvents && IsBytes(line)) profile_.LeaveOut(aspect, name);
      line.skip();
    }
  }

  void ReadEvent(pbf_reader message, Line& line, const Names& events, const Names& stats) {
    int64_t id = 0, offset_ps = 0, duration_ps = 0;
    std::optional<int64_t> step, correlation;
    while (message.next()) {
      if (message.tag() == kStats && IsBytes(message)) {
        ReadStat(message.get_message(), stats, step, correlation);
      } else if (message.tag() <= kDurationPs && IsNumber(message)) {
        int64_t& number = message.tag() == kMetadataId ? id
                          : message.tag() == kOffsetPs ? offset_ps
                                                       : duration_ps;
        number = message.get_int64();
      } else {
        message.skip();
      }
    }
    const std::string_view name = FindName(events, id);
    // Marks of who waits for whom: nothing that was done.
    if (name.starts_with("ThreadpoolListener::")) return;
    // So that ends of what is nested stay nested, both times are cut off in the same way.
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max() / 4;
    if (offset_ps < 0 || duration_ps < 0 || offset_ps > kMax || duration_ps > kMax ||
        line.timestamp_ns < -kMax || line.timestamp_ns > kMax) {
      ++num_bad_times_;
      return;
    }
    ForeignEvent event;
    event.begin_ns = line.timestamp_ns + offset_ps / 1000;
    event.end_ns = line.timestamp_ns + (offset_ps + duration_ps) / 1000;
    Describe(name, step, correlation, event);
    event.track = TrackOf(line);
    profile_.Add(event);
  }

  static void ReadStat(pbf_reader stat, const Names& stats, std::optional<int64_t>& step,
                       std::optional<int64_t>& correlation) {
    int64_t id = 0;
    std::optional<int64_t> value;
    while (stat.next()) {
      if (!IsNumber(stat)) {
        stat.skip();
      } else if (stat.tag() == kStatId) {
        id = stat.get_int64();
      } else if (stat.tag() == kUint64Value || stat.tag() == kInt64Value) {
        value = stat.get_int64();
      } else {
        stat.skip();
      }
    }
    const std::string_view name = FindName(stats, id);
    if (name == "step_num") step = value;
    if (name == "correlation_id") correlation = value;
  }

  void Describe(std::string_view name, const std::optional<int64_t>& step,
                const std::optional<int64_t>& correlation, ForeignEvent& event) const {
    event.correlation_id = static_cast<uint64_t>(correlation.value_or(0));
    event.name = name;
    if (is_device_) {
      event.role = TensorFlowDeviceRole(name);
      return;
    }
    const TensorFlowName known = TensorFlowNameOf(name);
    event.role = known.role;
    event.name = known.name;
    event.op = known.op;
    if (step) {
      event.role = ForeignRole::kStep;
      event.number = *step;
    } else if (correlation) {
      event.role = ForeignRole::kLaunch;
    }
  }

  uint32_t TrackOf(Line& line) {
    if (!line.has_track) {
      line.has_track = true;
      line.track = profile_.TrackOf(is_device_ ? Track::Kind::kStream : Track::Kind::kThread,
                                    plane_, StrCat(line.id));
      profile_.NameTrack(line.track, line.name);
    }
    return line.track;
  }

  ForeignProfile profile_;
  std::string_view plane_;  // the one that is read
  bool is_device_ = false;
  int num_planes_ = 0;
  uint64_t num_bad_times_ = 0;
};

}  // namespace

bool LooksLikeXSpace(std::string_view first_bytes) {
  std::string_view rest = first_bytes;
  auto byte = [&] {
    if (rest.empty()) return -1;
    const int value = static_cast<unsigned char>(rest[0]);
    rest.remove_prefix(1);
    return value;
  };
  auto skip_varint = [&] {
    for (int i = 0; i < 10; ++i) {
      const int value = byte();
      if (value < 0x80) return value >= 0;
    }
    return false;
  };
  // A plane, perhaps its id, its name: no message begins with a slash.
  if (byte() != (kPlanes << 3 | 2) || !skip_varint()) return false;
  if (rest.starts_with('\x08')) {
    byte();
    if (!skip_varint()) return false;
  }
  if (byte() != (kPlaneName << 3 | 2) || !skip_varint()) return false;
  return rest.starts_with('/') || rest.starts_with("Task Environment");
}

Status ReadXSpace(const std::string& path, ProfileConsumer& consumer) {
  TFRT_ASSIGN_OR_RETURN(FileBytes file, FileBytes::FromFile(path));
  const std::span<const uint8_t> bytes = file.bytes();
  if (bytes.size() > kMaxXSpaceBytes) {
    return InvalidArgumentError(StrCat(path, ": ", bytes.size(), " bytes, more than the ",
                                       kMaxXSpaceBytes, " that an XSpace may have"));
  }
  SpaceReader reader;
  bool is_broken = false;
  try {
    reader.ReadSpace(pbf_reader(
        protozero::data_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  } catch (const protozero::exception&) {
    is_broken = true;
  }
  // A plane's contents are read before its missing end is found: one plane suffices to recognise
  // the format.
  if (reader.num_planes() == 0 && is_broken) {
    return InvalidArgumentError(StrCat(path, ": no XSpace: its first plane cannot be read"));
  }
  if (is_broken) {
    reader.profile().AddProblem(
        {.kind = Problem::Kind::kTruncated,
         .text = StrCat("the file ends or is broken in plane ", reader.num_planes() + 1,
                        "; what follows is not read")});
  }
  if (reader.num_bad_times() > 0) {
    reader.profile().AddProblem(
        {.kind = Problem::Kind::kUnreadable,
         .count = reader.num_bad_times(),
         .text = StrCat(reader.num_bad_times(), " events have no time, or one that cannot be")});
  }
  reader.profile().TellAll("tensorflow", {}, consumer);
  return consumer.Finish();
}

}  // namespace tfrt::profiler

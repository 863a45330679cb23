#include "xspace_profile.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <protozero/exception.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "foreign_profile.h"
#include "lib/profiler/message_fields.h"
#include "tensorflow_names.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

constexpr size_t kMaxXSpaceBytes = size_t{1} << 30;

// Numbers of fields, by message.
enum SpaceField : uint32_t { kPlanes = 1, kErrors = 2, kWarnings = 3 };
enum PlaneField : uint32_t { kPlaneName = 2, kLines = 3, kEventMetadata = 4, kStatMetadata = 5 };
enum XLineField : uint32_t { kLineId = 1, kLineName = 2, kTimestampNs = 3, kEvents = 4 };
enum EventField : uint32_t { kMetadataId = 1, kOffsetPs = 2, kDurationPs = 3, kStats = 4 };
enum StatField : uint32_t { kStatId = 1, kUint64Value = 3, kInt64Value = 4 };
enum MapField : uint32_t { kMapKey = 1, kMapValue = 2 };
enum MetadataField : uint32_t { kMetadataName = 2 };

// Names of an XPlane's metadata, by id.
using Names = std::unordered_map<int64_t, std::string_view>;

// Adds the name that an entry of a map from ids to metadata gives.
auto AddTo(Names& names) {
  return [&](std::string_view entry) {
    int64_t id = 0;
    std::string_view name;
    auto read = [&](std::string_view value) { ReadMessage(value, Bytes(kMetadataName, &name)); };
    ReadMessage(entry, Varint(kMapKey, &id), Bytes(kMapValue, read));
    names.insert_or_assign(id, name);
  };
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
  void ReadSpace(std::string_view space) {
    auto read_plane = [&](std::string_view plane) {
      ReadPlane(plane);
      ++num_planes_;
    };
    auto report = [&](std::string_view text) {
      profile_.AddProblem({.kind = Problem::Kind::kUnavailable,
                           .text = StrCat("TensorFlow's profiler says: ", text)});
    };
    ReadMessage(space, Bytes(kPlanes, read_plane), Bytes(kErrors, report),
                Bytes(kWarnings, report));
  }
  ForeignProfile& profile() { return profile_; }
  int num_planes() const { return num_planes_; }
  uint64_t num_bad_times() const { return num_bad_times_; }

 private:
  // Names come behind the lines that use them: twice.
  void ReadPlane(std::string_view bytes) {
    Names events, stats;
    plane_ = {};
    ReadMessage(bytes, Bytes(kPlaneName, &plane_), Bytes(kEventMetadata, AddTo(events)),
                Bytes(kStatMetadata, AddTo(stats)));
    is_device_ = plane_.starts_with("/device:");
    const bool is_read = is_device_ || plane_ == "/host:CPU";
    ReadMessage(bytes, Bytes(kLines, [&](std::string_view line) {
                  if (is_read) {
                    ReadLine(line, events, stats);
                  } else {
                    LeaveOutLine(line, "plane", plane_);
                  }
                }));
  }

  void ReadLine(std::string_view bytes, const Names& events, const Names& stats) {
    Line line;
    ReadMessage(bytes, Varint(kLineId, &line.id), Bytes(kLineName, &line.name),
                Varint(kTimestampNs, &line.timestamp_ns));
    if (is_device_ && !IsTensorFlowStream(line.name)) return LeaveOutLine(bytes, "line", line.name);
    ReadMessage(bytes, Bytes(kEvents, [&](std::string_view event) {
                  ReadEvent(event, line, events, stats);
                }));
  }

  // Lines that sum up others (steps, names of scopes), and planes of other things than threads and
  // devices.
  void LeaveOutLine(std::string_view bytes, std::string_view aspect, std::string_view name) {
    ReadMessage(bytes, Bytes(kEvents, [&](std::string_view) { profile_.LeaveOut(aspect, name); }));
  }

  void ReadEvent(std::string_view bytes, Line& line, const Names& events, const Names& stats) {
    int64_t id = 0, offset_ps = 0, duration_ps = 0;
    std::optional<int64_t> step, correlation;
    auto read_stat = [&](std::string_view stat) { ReadStat(stat, stats, step, correlation); };
    ReadMessage(bytes, Varint(kMetadataId, &id), Varint(kOffsetPs, &offset_ps),
                Varint(kDurationPs, &duration_ps), Bytes(kStats, read_stat));
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

  static void ReadStat(std::string_view bytes, const Names& stats, std::optional<int64_t>& step,
                       std::optional<int64_t>& correlation) {
    int64_t id = 0;
    std::optional<int64_t> value;
    ReadMessage(bytes, Varint(kStatId, &id), Varint(kUint64Value, &value),
                Varint(kInt64Value, &value));
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
    reader.ReadSpace({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
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

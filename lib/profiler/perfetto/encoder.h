#ifndef TFRT_LIB_PROFILER_PERFETTO_ENCODER_H_
#define TFRT_LIB_PROFILER_PERFETTO_ENCODER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <protozero/pbf_writer.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/profiler/lanes.h"
#include "packet_buffer.h"
#include "perfetto_writer.h"

namespace tfrt::profiler {

// The implementation of the writer.
class PerfettoEncoder final : public PerfettoWriter {
 public:
  PerfettoEncoder(int descriptor, bool owns_descriptor, std::string name, size_t buffer_bytes);

  void AddProperty(std::string_view key, std::string_view value) override;
  void AddString(std::string_view text) override;
  void AddType(const EventType& type) override;
  void AddTrack(const Track& track) override;
  void AddEvent(const EventFields& event) override;
  void AddReady(uint64_t id, int64_t ready_ns) override;
  void AddProblem(const Problem& problem) override;
  Status Finish() override;
  void Flush() override;
  uint64_t num_bytes() const override { return out_.num_bytes(); }

 private:
  static constexpr size_t kNone = ~size_t{0};
  struct Type {
    RecordKind kind;
    StackLevel level;
    bool is_moment;      // may be an instant
    bool is_flow_end;    // arrows point to it
    bool is_launch;      // gives work to a device
    bool is_device_run;  // work that a device ran
    bool has_texts;      // among its arguments
    size_t counter;      // the argument that is a counter, or kNone
    size_t grid, block;  // arguments that are texts of dimensions, or kNone
    std::vector<std::pair<uint32_t, ArgumentType>> arguments;  // iid of the name
  };
  struct TrackState {
    Track::Kind kind;
    uint64_t uuid;
    int64_t device;
    bool has_queue;               // is registered in Perfetto's GPU view
    std::vector<uint64_t> uuids;  // of the lanes
    TrackLanes lanes;
  };
  // An event's times in Perfetto.
  struct Times {
    bool is_instant;
    uint64_t uuid;
    int64_t begin, end;
  };

  protozero::pbf_writer StartPacket();
  void EndPacket();
  void WriteHeader();
  void WriteClock(int64_t time_ns);
  void WriteInterned();
  uint32_t AnnotationName(std::string_view name);
  bool Check(const EventFields& event);
  void InternTexts(const EventFields& event, const Type& type);
  Times PlaceEvent(const EventFields& event, const Type& type);
  uint64_t LaneUuid(TrackId track, size_t lane);
  void WriteTrackDescriptor(protozero::pbf_writer& out, const Track& track, uint64_t uuid);
  uint64_t ParentUuid(const Track& track);
  uint64_t CounterUuid(const EventFields& event, const Type& type);
  Cursor PutBegin(Cursor out, const EventFields& event, const Type& type, const Times& times,
                  uint64_t counter_uuid);
  Cursor PutArguments(Cursor out, const EventFields& event, const Type& type);
  Cursor PutExtension(Cursor out, const EventFields& event, const Times& times);
  void WriteDeviceRun(const EventFields& event, const Type& type);
  Cursor PutLaunch(Cursor out, const EventFields& event, const Type& type);
  Cursor PutDimensions(Cursor out, uint32_t field, uint64_t string_id);

  PacketBuffer out_;
  std::string packet_;  // the packet in progress
  std::vector<std::string> texts_;
  size_t num_interned_ = 0;              // texts that are in the file as names of events
  std::vector<bool> is_value_interned_;  // and as values of arguments
  std::vector<bool> is_stage_interned_;  // and, twice each, as stages of devices
  std::vector<Type> types_;
  std::vector<TrackState> tracks_;
  std::map<std::string, uint32_t, std::less<>> annotation_names_;
  std::map<std::pair<Track::Kind, int64_t>, uint64_t> parents_;  // processes and devices
  std::set<std::pair<int64_t, int64_t>> threads_;
  std::unordered_map<uint64_t, uint64_t> counters_;                     // by type and name
  std::array<std::pair<uint64_t, uint64_t>, 64> recent_counters_ = {};  // the same
  uint64_t last_uuid_ = 0;
  uint64_t last_device_event_ = uint64_t{1} << 63;
  std::string process_name_;
  int64_t wall_clock_offset_ns_ = 0;
  bool has_events_ = false;
  bool is_finished_ = false;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_ENCODER_H_

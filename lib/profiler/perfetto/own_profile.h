#ifndef TFRT_LIB_PROFILER_PERFETTO_OWN_PROFILE_H_
#define TFRT_LIB_PROFILER_PERFETTO_OWN_PROFILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "event_fields.h"
#include "tfrt/profiler/profile_consumer.h"

namespace tfrt::profiler {

// Restores the data of PerfettoWriter from its packets.
class OwnProfile {
 public:
  OwnProfile(const std::string& name, ProfileConsumer& consumer)
      : name_(name), consumer_(consumer) {}

  // Returns the format of the profile that the packet begins, if it begins one.
  static std::optional<uint64_t> FormatOf(const PacketFields& packet);
  // Adds a packet after the first one; throws protozero::exception. Returns false if another
  // profile begins.
  bool Add(const PacketFields& packet);
  // Counts a packet that could not be parsed.
  void CountUnreadable() { ++num_unreadable_; }
  // Reports the total of all problems.
  void Finish();

 private:
  struct Pending {
    bool is_there = false;
    uint64_t track_uuid = 0;
    EventFields event;
    std::optional<int64_t> end_ns;
    std::optional<int64_t> ready_after_end_ns;
  };

  template <typename Enum>
  auto Known(Enum* out, Enum last, Enum otherwise);
  void AddInternedName(std::string_view bytes);
  void AddProfileFields(std::string_view bytes);
  void AddType(std::string_view bytes);
  void AddTrack(std::string_view bytes);
  void AddLane(std::string_view bytes);
  void AddReady(std::string_view bytes);
  void AddProblem(std::string_view bytes);
  void AddProperty(std::string_view bytes);
  void AddTrackEvent(const PacketFields& packet);
  bool Begin(const TrackEventFields& fields, int64_t time_ns);
  void Emit(int64_t end_ns);

  const std::string& name_;
  ProfileConsumer& consumer_;
  uint64_t num_strings_ = 0;
  std::vector<std::vector<ArgumentType>> types_;  // of their arguments
  TrackId num_tracks_ = 0;
  std::unordered_map<uint64_t, TrackId> tracks_;  // by uuid
  std::pair<uint64_t, TrackId> last_track_ = {0, 0};
  Pending pending_;
  TrackEventFields fields_;
  uint64_t num_unreadable_ = 0;
  uint64_t num_unknown_ = 0;
  uint64_t num_filled_ = 0;  // strings that are missing
  bool has_end_ = false;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_OWN_PROFILE_H_

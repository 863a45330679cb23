#ifndef TFRT_LIB_PROFILER_PERFETTO_FOREIGN_PROFILE_H_
#define TFRT_LIB_PROFILER_PERFETTO_FOREIGN_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "event_fields.h"
#include "tfrt/profiler/profile_consumer.h"

namespace tfrt::profiler {

// Converts track events of other producers to events. Packets are taken in the order of the file:
// on one track they are in the order of their times.
class ForeignProfile {
 public:
  ForeignProfile(const std::string& name, ProfileConsumer& consumer);

  // Throws protozero::exception.
  void Add(const PacketFields& packet);
  void CountUnreadable() { ++num_unreadable_; }
  void Finish();

  // The limits of the data that are kept about a profile.
  static constexpr size_t kMaxSequences = 1 << 16;
  static constexpr size_t kMaxInterned = 1 << 22;
  static constexpr size_t kMaxTracks = 1 << 20;
  static constexpr size_t kMaxOpen = 1 << 20;

 private:
  // A clock of one sequence, beside that of the profile.
  struct Clock {
    bool is_incremental = false;
    uint64_t unit_ns = 1;
    uint64_t offset_ns = 0;  // from it to the profile's
    uint64_t value_ns = 0;   // for an incremental one
  };
  struct Sequence {
    std::unordered_map<uint64_t, StringId> names, categories;
    std::unordered_map<uint32_t, Clock> clocks;
    std::optional<uint64_t> default_track;
    std::optional<uint32_t> default_clock;
  };
  struct Open {
    uint64_t id;
    StringId name, category;
    uint64_t correlation_id;
    int64_t begin_ns;
  };
  struct TrackState {
    Track track;
    std::optional<TrackId> id;  // none: no event on it
    std::vector<Open> open;
  };

  Sequence* SequenceOf(const PacketFields& packet);
  void AddDefaults(std::string_view bytes, Sequence& sequence);
  void AddClocks(std::string_view bytes, Sequence& sequence);
  void AddInterned(std::string_view bytes, Sequence& sequence);
  void AddTrackDescriptor(std::string_view bytes);
  void AddTrackEvent(const PacketFields& packet, Sequence& sequence);
  std::optional<int64_t> TimeOf(const PacketFields& packet, Sequence& sequence);
  StringId Intern(std::string_view text);
  void Emit(TypeId type, TrackState& state, const Open& open, int64_t end_ns);

  const std::string& name_;
  ProfileConsumer& consumer_;
  std::unordered_map<uint32_t, Sequence> sequences_;
  std::unordered_map<std::string, StringId> strings_;
  std::unordered_map<uint64_t, TrackState> tracks_;
  size_t num_interned_ = 0;
  size_t num_open_ = 0;
  TrackId num_tracks_ = 0;
  uint64_t last_id_ = 0;
  uint64_t num_unreadable_ = 0;
  uint64_t num_unknown_ = 0;
  uint64_t num_unread_ = 0;
  std::map<uint32_t, uint64_t> unread_;  // packets by the number of their field; 0: all others
  uint64_t num_without_begin_ = 0;
  uint64_t num_dropped_ = 0;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_FOREIGN_PROFILE_H_

// Profile: a profile in memory, for analyses.
#ifndef TFRT_PROFILER_PROFILE_H_
#define TFRT_PROFILER_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/profiler/profile_consumer.h"

namespace tfrt::profiler {

inline constexpr uint32_t kNoEvent = ~uint32_t{0};

// An event of a Profile.
struct Event {
  uint64_t id = 0;
  uint64_t op_id = 0;
  uint64_t correlation_id = 0;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;    // never before begin_ns
  int64_t ready_ns = 0;  // when its results became available; end_ns if unknown
  uint32_t parent = kNoEvent;
  uint32_t name = 0;
  uint32_t type = 0;
  uint32_t track = 0;
  uint32_t first_argument = 0;
  bool is_ready_missing = false;  // its results were announced for later, but never reported

  int64_t duration_ns() const { return end_ns - begin_ns; }
};

// Immutable, except for properties that the reader adds; movable. Thread-safe.
class Profile {
 public:
  Profile() = default;
  Profile(Profile&&) noexcept = default;
  Profile& operator=(Profile&&) noexcept = default;

  // Returns the events ordered by begin; of those with one begin, the longer ones come first.
  std::span<const Event> events() const { return events_; }
  std::span<const EventType> types() const { return types_; }
  std::span<const Track> tracks() const { return tracks_; }
  std::span<const Problem> problems() const { return problems_; }
  const std::map<std::string, std::string, std::less<>>& properties() const { return properties_; }
  // Returns an empty text if the key is missing; `otherwise` if the value is no number.
  std::string_view Property(std::string_view key) const;
  double NumberProperty(std::string_view key, double otherwise) const;
  void SetProperty(std::string_view key, std::string_view value);

  const EventType& TypeOf(const Event& event) const { return types_[event.type]; }
  const Track& TrackOf(const Event& event) const { return tracks_[event.track]; }
  std::string_view NameOf(const Event& event) const { return strings_[event.name]; }
  uint32_t IndexOf(const Event& event) const {
    return static_cast<uint32_t>(&event - events_.data());
  }
  // Returns null if the event has no parent.
  const Event* ParentOf(const Event& event) const {
    return event.parent == kNoEvent ? nullptr : &events_[event.parent];
  }
  // Returns the innermost enclosing event whose type is of this level, or null.
  const Event* AncestorAt(const Event& event, StackLevel level) const;
  // Return arguments of the event's own type; 0 or empty if it has none of this name and kind.
  int64_t Integer(const Event& event, std::string_view argument) const;
  double Real(const Event& event, std::string_view argument) const;
  std::string_view Text(const Event& event, std::string_view argument) const;
  bool HasArgument(const Event& event, std::string_view argument) const;
  // Returns the events whose type has this name.
  std::vector<const Event*> OfType(std::string_view type_name) const;
  // Returns null if the event is missing. Takes time logarithmic in the number of events.
  const Event* Find(uint64_t id) const;

 private:
  friend class ProfileBuilder;
  const uint64_t* FindArgument(const Event& event, std::string_view name, ArgumentType type) const;

  std::vector<Event> events_;
  std::vector<std::pair<uint64_t, uint32_t>> by_id_;  // sorted
  std::vector<uint64_t> arguments_;
  std::vector<std::string> strings_;
  std::vector<EventType> types_;
  std::vector<Track> tracks_;
  std::vector<Problem> problems_;
  std::map<std::string, std::string, std::less<>> properties_;
};

// Makes a Profile of any data: missing parents, events that end before they begin, impossible times
// and parents in a circle become problems.
class ProfileBuilder final : public ProfileConsumer {
 public:
  // Events beyond max_events are dropped and counted.
  explicit ProfileBuilder(size_t max_events = kDefaultMaxEvents) : max_events_(max_events) {}
  static constexpr size_t kDefaultMaxEvents = 50'000'000;  // 5 GB
  // Times are within plus and minus this, 146 years: the difference of two is an int64_t.
  static constexpr int64_t kMaxTimeNs = (int64_t{1} << 62) - 1;

  void AddProperty(std::string_view key, std::string_view value) override;
  void AddString(std::string_view text) override;
  void AddType(const EventType& type) override;
  void AddTrack(const Track& track) override;
  void AddEvent(const EventFields& event) override;
  void AddReady(uint64_t id, int64_t ready_ns) override;
  void AddProblem(const Problem& problem) override;
  Status Finish() override { return OkStatus(); }

  // Returns the profile and leaves the builder empty.
  Profile Build();

 private:
  void SortEvents();
  void FindParents();
  void SetReadyTimes();
  int64_t TimeOf(int64_t time_ns);  // within limits
  void Count(Problem::Kind kind, uint64_t count, std::string_view text);

  const size_t max_events_;
  Profile profile_;
  std::vector<uint64_t> parent_ids_;                 // of the events, in order of arrival
  std::vector<std::pair<uint64_t, int64_t>> ready_;  // by id
  uint64_t num_dropped_ = 0;
  uint64_t num_reversed_ = 0;
  uint64_t num_far_times_ = 0;
  uint64_t num_malformed_ = 0;
};

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_PROFILE_H_

// Profiles of profiles.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/profiler/kind_names.h"
#include "lib/profiler/pprof.h"
#include "tfrt/profiler/intervals.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// Limits the stacks of profiles and of paths: deeper ones are cut off at their outer end.
constexpr size_t kMaxStackDepth = 256;

bool IsInProfile(const EventType& type) {
  return type.kind == RecordKind::kScope || type.kind == RecordKind::kCopy ||
         type.kind == RecordKind::kStall;
}

// Returns the self time of each event: its length less that of the events inside of it on its
// track. If an event is in no pprof, the events inside of it count as inside of the next outer
// one.
std::vector<int64_t> SelfTimes(const Profile& profile) {
  std::vector<std::pair<uint32_t, uint32_t>> inside;  // outer, inner
  const std::span<const Event> events = profile.events();
  for (uint32_t i = 0; i < events.size(); ++i) {
    if (!IsInProfile(profile.TypeOf(events[i]))) continue;
    const Event* outer = profile.ParentOf(events[i]);
    while (outer && !IsInProfile(profile.TypeOf(*outer))) outer = profile.ParentOf(*outer);
    if (outer && outer->track == events[i].track) inside.emplace_back(profile.IndexOf(*outer), i);
  }
  std::ranges::sort(inside);
  std::vector<int64_t> self(events.size());
  size_t next = 0;
  for (uint32_t i = 0; i < events.size(); ++i) {
    std::vector<Interval> inner;
    for (; next < inside.size() && inside[next].first == i; ++next) {
      const Event& event = events[inside[next].second];
      inner.push_back({event.begin_ns, event.end_ns});
    }
    const IntervalSet own({{events[i].begin_ns, events[i].end_ns}});
    self[i] =
        inner.empty() ? own.length() : Difference(own, IntervalSet(std::move(inner))).length();
  }
  return self;
}

class PprofMaker {
 public:
  explicit PprofMaker(const Profile& profile) : profile_(profile) {}

  Pprof Make() {
    pprof_.types = {{"events", "count"}, {"time", "nanoseconds"}};
    const std::vector<int64_t> self = SelfTimes(profile_);
    int64_t begin = 0, end = 0;
    for (const Event& event : profile_.events()) {
      if (!IsInProfile(profile_.TypeOf(event))) continue;
      if (pprof_.samples.empty()) begin = end = event.begin_ns;
      end = std::max(end, event.end_ns);
      Pprof::Sample& sample = SampleOf(event);
      ++sample.values[0];
      // The sum of a hostile file may be any.
      if (__builtin_add_overflow(sample.values[1], self[profile_.IndexOf(event)],
                                 &sample.values[1])) {
        sample.values[1] = std::numeric_limits<int64_t>::max();
      }
    }
    pprof_.duration_ns = end - begin;
    const double offset = profile_.NumberProperty(property::kWallClockOffsetNs, 0);
    if (offset > 0 && offset < 4e18) pprof_.time_ns = begin + static_cast<int64_t>(offset);
    for (const auto& [key, value] : profile_.properties()) {
      pprof_.comments.push_back(StrCat(key, ": ", value));
    }
    for (const Problem& problem : profile_.problems()) {
      pprof_.comments.push_back(StrCat("incomplete: ", problem.text));
    }
    return std::move(pprof_);
  }

 private:
  // Types of one name have the same functions.
  uint32_t NumberOf(Pprof::Function function) {
    auto [found, is_new] =
        numbers_.try_emplace(function, static_cast<uint32_t>(pprof_.functions.size()));
    if (is_new) pprof_.functions.push_back(std::move(function));
    return found->second;
  }

  uint32_t FunctionOf(const Event& event) {
    auto [found, is_new] = functions_.try_emplace({event.type, event.name}, 0);
    if (is_new) {
      const EventType& type = profile_.TypeOf(event);
      const std::string_view name = profile_.NameOf(event);
      found->second = NumberOf(
          {.name = name.empty() || name == type.name ? type.name : StrCat(type.name, " ", name),
           .system_name = type.name,
           .file = std::string(NameOf(type.level))});
    }
    return found->second;
  }

  Pprof::Sample& SampleOf(const Event& event) {
    std::vector<uint32_t> path;
    for (const Event* outer = &event; outer && path.size() < kMaxStackDepth;
         outer = profile_.ParentOf(*outer)) {
      if (IsInProfile(profile_.TypeOf(*outer))) path.push_back(FunctionOf(*outer));
    }
    const EventType& type = profile_.TypeOf(event);
    // The level and kind are those of the innermost function.
    auto [found, is_new] =
        samples_.try_emplace({event.track, std::move(path)}, pprof_.samples.size());
    if (is_new) {
      const Track& track = profile_.TrackOf(event);
      std::string thread =
          track.name.empty() ? StrCat(NameOf(track.kind), " ", track.number) : track.name;
      const std::string_view level =
          type.kind == RecordKind::kStall ? std::string_view("stall") : NameOf(type.level);
      pprof_.samples.push_back({.path = found->first.second,
                                .values = {0, 0},
                                .labels = {{.key = "level", .text = std::string(level)},
                                           {.key = "thread", .text = std::move(thread)}}});
    }
    return pprof_.samples[found->second];
  }

  const Profile& profile_;
  Pprof pprof_;
  std::map<Pprof::Function, uint32_t> numbers_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> functions_;           // by type and name
  std::map<std::pair<uint32_t, std::vector<uint32_t>>, size_t> samples_;  // by track and path
};

class PprofWriter final : public ForwardingConsumer {
 public:
  explicit PprofWriter(std::string path) : ForwardingConsumer(&builder_), path_(std::move(path)) {}
  Status Finish() override { return WritePprof(PprofOf(builder_.Build()), path_); }

 private:
  const std::string path_;
  ProfileBuilder builder_;
};

}  // namespace

Pprof PprofOf(const Profile& profile) { return PprofMaker(profile).Make(); }

StatusOr<std::unique_ptr<ProfileConsumer>> CreatePprofWriter(const std::string& path) {
  return std::unique_ptr<ProfileConsumer>(std::make_unique<PprofWriter>(path));
}

}  // namespace tfrt::profiler

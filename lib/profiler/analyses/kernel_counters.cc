#include "kernel_counters.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "lib/profiler/kernel_counts.h"

namespace tfrt::profiler {
namespace {

bool IsCounterType(const EventType& type) {
  return type.name == kHardwareCountersType || type.name == kSystemCountersType;
}

// A file may say anything: what is no count of anything is none.
std::optional<double> Count(const Profile& profile, const Event& event, std::string_view name) {
  if (!profile.HasArgument(event, name)) return std::nullopt;
  const auto count = static_cast<double>(profile.Integer(event, name));
  return count >= 0 ? std::optional(count) : std::nullopt;
}

// Takes what inner scopes counted from what is around them. `scopes` are of one track, outer ones
// before what is inside of them.
void SubtractInner(const Profile& profile, std::vector<CountedScope*>& scopes) {
  std::vector<CountedScope*> around;
  std::vector<CountedScope> all;  // as they were
  for (const CountedScope* scope : scopes) all.push_back(*scope);
  for (size_t i = 0; i < scopes.size(); ++i) {
    const Event& event = profile.events()[scopes[i]->event];
    while (!around.empty() && profile.events()[around.back()->event].end_ns < event.end_ns) {
      around.pop_back();
    }
    if (!around.empty() && profile.events()[around.back()->event].end_ns > event.begin_ns) {
      for (size_t c = 0; c < kNumCpuCounters; ++c) {
        std::optional<double>& outer = around.back()->counts[c];
        if (outer && all[i].counts[c]) *outer -= *all[i].counts[c];
      }
    }
    around.push_back(scopes[i]);
  }
  // Estimates may add up to more than their sum.
  for (CountedScope* scope : scopes) {
    for (std::optional<double>& count : scope->counts) {
      if (count) count = std::max(0.0, *count);
    }
  }
}

}  // namespace

KernelCounts& KernelCounts::operator+=(const KernelCounts& other) {
  num_calls += other.num_calls;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (other.counts[i]) counts[i] = counts[i].value_or(0) + *other.counts[i];
  }
  return *this;
}

std::vector<CountedScope> FindCountedScopes(const Profile& profile) {
  std::vector<bool> is_counters(profile.types().size());
  for (size_t i = 0; i < is_counters.size(); ++i)
    is_counters[i] = IsCounterType(profile.types()[i]);
  std::unordered_map<uint32_t, CountedScope> by_event;
  for (const Event& event : profile.events()) {
    if (!is_counters[event.type] || event.parent == kNoEvent) continue;
    CountedScope& scope = by_event[event.parent];
    scope.event = event.parent;
    for (size_t i = 0; i < kNumCpuCounters; ++i) {
      if (const auto count = Count(profile, event, kCpuCounterNames[i])) scope.counts[i] = count;
    }
  }
  std::vector<CountedScope> scopes;
  for (auto& [event, scope] : by_event) scopes.push_back(scope);
  // If two scopes begin and end together, the outer one was begun first.
  std::ranges::sort(scopes, {}, [&](const CountedScope& scope) {
    const Event& event = profile.events()[scope.event];
    return std::tuple(event.track, event.begin_ns, -event.end_ns, event.id);
  });
  for (size_t begin = 0; begin < scopes.size();) {
    const uint32_t track = profile.events()[scopes[begin].event].track;
    std::vector<CountedScope*> of_track;
    for (; begin < scopes.size() && profile.events()[scopes[begin].event].track == track; ++begin) {
      of_track.push_back(&scopes[begin]);
    }
    SubtractInner(profile, of_track);
  }
  std::ranges::sort(scopes, {}, &CountedScope::event);
  return scopes;
}

}  // namespace tfrt::profiler

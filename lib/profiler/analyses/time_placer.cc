// Finds the owner of each event by time alone, in time O(n log n) whatever the times are.
//
// Owners and events are taken by begin. The owners of a track that have begun are kept on a stack
// whose ends do not grow from bottom to top. The innermost owner around an event that begins now is
// the topmost that ends no earlier. Owners of a track may overlap without one being inside of the
// other; no track of a sound profile has that. Then the upper one remembers until when it shares
// its time, and events in that time are ambiguous. For other tracks the two last ends of all open
// owners say whether none, one or several are around an event.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "owners.h"

namespace tfrt::profiler {

struct TimePlacer::Open {
  uint32_t event = kNoEvent;
  int64_t begin = 0, end = 0;
  int64_t shared_until = INT64_MIN;  // what ends until then is in another owner, too
};

class TimePlacer::TrackStack {
 public:
  void Push(Open open) {
    while (!stack_.empty() && stack_.back().end < open.end) {
      if (stack_.back().end > open.begin) {
        open.shared_until = std::max(open.shared_until, stack_.back().end);
      }
      stack_.pop_back();
    }
    if (!stack_.empty()) {
      const Open& outer = stack_.back();
      if (outer.shared_until > open.begin) {
        open.shared_until = std::max(open.shared_until, outer.shared_until);
      }
      if (outer.begin == open.begin && outer.end == open.end) open.shared_until = open.end;
    }
    stack_.push_back(open);
  }

  Found Find(int64_t end) const {
    // The topmost with an end that is not before: ends fall, so those that serve are at the bottom.
    auto behind = std::ranges::partition_point(stack_, [&](const Open& o) { return o.end >= end; });
    if (behind == stack_.begin()) return {};
    const Open& found = *std::prev(behind);
    return {.event = found.event, .is_ambiguous = end <= found.shared_until};
  }

 private:
  std::vector<Open> stack_;
};

TimePlacer::TimePlacer(const Profile& profile, std::vector<uint32_t> owners)
    : profile_(profile), owners_(std::move(owners)) {
  std::ranges::sort(owners_, [&](uint32_t a, uint32_t b) {
    const Event &x = profile_.events()[a], &y = profile_.events()[b];
    if (x.begin_ns != y.begin_ns) return x.begin_ns < y.begin_ns;
    return x.end_ns != y.end_ns ? x.end_ns > y.end_ns : a < b;
  });
}

std::vector<TimePlacer::Found> TimePlacer::Place(const std::vector<uint32_t>& events) {
  std::vector<size_t> order(events.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](size_t i) { return profile_.events()[events[i]].begin_ns; });
  std::map<uint32_t, TrackStack> tracks;
  std::set<std::pair<int64_t, uint32_t>> ends;  // of all owners that have begun
  std::vector<Found> found(events.size());
  size_t next = 0;
  for (size_t i : order) {
    const Event& event = profile_.events()[events[i]];
    for (; next < owners_.size(); ++next) {
      const Event& owner = profile_.events()[owners_[next]];
      if (owner.begin_ns > event.begin_ns) break;
      tracks[owner.track].Push(
          {.event = owners_[next], .begin = owner.begin_ns, .end = owner.end_ns});
      ends.emplace(WindowOf(owner).end, owners_[next]);
    }
    if (auto track = tracks.find(event.track); track != tracks.end()) {
      found[i] = track->second.Find(event.end_ns);
    }
    if (found[i].event != kNoEvent || ends.empty()) continue;
    auto last = std::prev(ends.end());
    if (last->first < event.end_ns) continue;
    found[i].event = last->second;
    found[i].is_ambiguous = last != ends.begin() && std::prev(last)->first >= event.end_ns;
  }
  return found;
}

Interval WindowOf(const Event& event) {
  const bool waits = event.ready_ns > event.end_ns && !event.is_ready_missing;
  return {event.begin_ns, waits ? event.ready_ns : event.end_ns};
}

}  // namespace tfrt::profiler

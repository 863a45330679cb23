#include "timeline.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/profiler/figure_parts.h"
#include "lib/profiler/kind_names.h"
#include "tfrt/profiler/intervals.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

constexpr uint32_t kMaxDepth = 32;
constexpr size_t kNumLevels = static_cast<size_t>(StackLevel::kDevice) + 1;
constexpr char kSpanBase[] = "the time from the first to the last event";

std::string_view ProblemName(Problem::Kind kind) {
  return kind == Problem::Kind::kNoParent ? "no parent" : NameOf(kind);
}

// From one time to another; times of a hostile profile may be too far apart.
int64_t Length(int64_t begin_ns, int64_t end_ns) {
  int64_t length = 0;
  return __builtin_sub_overflow(end_ns, begin_ns, &length) ? std::numeric_limits<int64_t>::max()
                                                           : length;
}
int64_t Length(const Event& event) { return Length(event.begin_ns, event.end_ns); }

double Milliseconds(int64_t ns) { return static_cast<double>(ns) / 1e6; }

// The names of tracks, each of one track only.
std::vector<std::string> LaneNames(const Profile& profile) {
  std::vector<std::string> names;
  std::map<std::string, size_t> num_uses;
  for (const Track& track : profile.tracks()) {
    std::string name = track.name;
    if (track.kind == Track::Kind::kStream) {
      if (name.empty()) name = "stream";
      name += StrCat(" ", track.number, " of device ", track.process_id);
    } else if (name.empty()) {
      name = StrCat("thread ", track.number);
    } else {
      name += StrCat(" (", track.number, ")");
    }
    const size_t number = ++num_uses[name];
    names.push_back(number == 1 ? name : StrCat(name, " #", number));
  }
  return names;
}

// Holds the data that the parts of the section share.
struct Overview {
  explicit Overview(const Profile& profile) : profile(profile), lane_names(LaneNames(profile)) {
    num_of_lane.resize(profile.tracks().size());
    for (const Event& event : profile.events()) {
      end_ns = std::max(end_ns, event.end_ns);
      ++num_of_lane[event.track];
    }
    if (profile.events().empty()) return;
    begin_ns = profile.events().front().begin_ns;
    end_ns = std::max(end_ns, begin_ns);
  }
  // From the first to the last event; times of a hostile profile may be too far apart.
  double span_ms() const {
    return (static_cast<double>(end_ns) - static_cast<double>(begin_ns)) / 1e6;
  }
  double Since(int64_t time_ns) const {
    return (static_cast<double>(time_ns) - static_cast<double>(begin_ns)) / 1e6;
  }

  const Profile& profile;
  std::vector<std::string> lane_names;
  std::vector<size_t> num_of_lane;
  int64_t begin_ns = 0;
  int64_t end_ns = std::numeric_limits<int64_t>::min();
};

// The line of each event in its lane: below all that are open when it begins.
std::vector<uint8_t> Depths(const Profile& profile) {
  std::vector<std::vector<int64_t>> open(profile.tracks().size());
  std::vector<uint8_t> depths;
  depths.reserve(profile.events().size());
  for (const Event& event : profile.events()) {
    std::vector<int64_t>& ends = open[event.track];
    while (!ends.empty() && ends.back() <= event.begin_ns) ends.pop_back();
    depths.push_back(static_cast<uint8_t>(std::min<size_t>(ends.size(), kMaxDepth)));
    ends.push_back(event.end_ns);
  }
  return depths;
}

// One rectangle of the timeline: an event, or short ones beside each other.
struct Block {
  int64_t begin_ns = 0, end_ns = 0;
  uint32_t event = 0;  // the first one
  uint32_t count = 1;
  bool is_mixed = false;  // of several types
};

// Merges events shorter than `resolution_ns` that are less than that apart.
std::vector<Block> Merged(const Profile& profile, std::span<const uint8_t> depths,
                          const std::vector<bool>& is_shown, int64_t resolution_ns) {
  constexpr size_t kNone = ~size_t{0};
  std::vector<Block> blocks;
  std::vector<size_t> open(profile.tracks().size() * (kMaxDepth + 1), kNone);
  for (uint32_t i = 0; i < profile.events().size(); ++i) {
    const Event& event = profile.events()[i];
    if (!is_shown[event.track]) continue;
    size_t& last = open[event.track * (kMaxDepth + 1) + depths[i]];
    if (Length(event) >= resolution_ns) {
      blocks.push_back({event.begin_ns, event.end_ns, i});
      last = kNone;
    } else if (last != kNone && Length(blocks[last].end_ns, event.begin_ns) < resolution_ns) {
      Block& block = blocks[last];
      block.end_ns = std::max(block.end_ns, event.end_ns);
      ++block.count;
      block.is_mixed |= profile.events()[block.event].type != event.type;
    } else {
      last = blocks.size();
      blocks.push_back({event.begin_ns, event.end_ns, i});
    }
  }
  return blocks;
}

std::vector<Cell> TimelineRow(const Overview& overview, const Block& block, uint8_t depth) {
  const Profile& profile = overview.profile;
  const Event& event = profile.events()[block.event];
  const EventType& type = profile.TypeOf(event);
  std::string name(profile.NameOf(event));
  if (name.empty()) name = type.name;
  const std::string type_name = block.is_mixed ? "several" : type.name;
  if (block.count > 1) name = StrCat(block.count, " x ", type_name);
  return {std::move(name),
          type_name,
          std::string(NameOf(type.level)),
          overview.lane_names[event.track],
          int64_t{depth},
          overview.Since(block.begin_ns),
          overview.Since(block.end_ns),
          Milliseconds(Length(block.begin_ns, block.end_ns)),
          int64_t{block.count}};
}

// Says which tracks have lanes of their own.
std::vector<bool> ShownLanes(const Overview& overview, size_t max_lanes, Table& table) {
  const std::vector<size_t>& nums = overview.num_of_lane;
  std::vector<size_t> order(nums.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t lane) { return nums[lane]; });
  std::vector<bool> is_shown(nums.size());
  size_t num_hidden = 0, num_events = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (nums[order[i]] == 0) continue;
    is_shown[order[i]] = i < max_lanes;
    if (i < max_lanes) continue;
    ++num_hidden, num_events += nums[order[i]];
  }
  if (num_hidden > 0) {
    table.doubts.push_back(StrCat(num_hidden, " threads and streams with the fewest events (",
                                  num_events, " in all) are left out of the timeline"));
  }
  return is_shown;
}

Table TimelineTable(const Overview& overview, const TimelineOptions& options) {
  const Profile& profile = overview.profile;
  Table table{.id = "timeline", .title = "Timeline"};
  table.columns = {
      TextColumn("event"),
      TextColumn("type"),
      TextColumn("level"),
      TextColumn("thread"),
      IntegerColumn("depth", "how many events of the thread were open when it began"),
      RealColumn("begin", "ms", "since the first event of the profile"),
      RealColumn("end", "ms", "since the first event of the profile"),
      RealColumn("duration", "ms"),
      IntegerColumn("events", "how many short events beside each other the row stands for")};
  table.num_shown = 15;
  const std::vector<bool> is_shown = ShownLanes(overview, options.max_lanes, table);
  const std::vector<uint8_t> depths = Depths(profile);
  int64_t resolution_ns = 0;
  std::vector<Block> blocks = Merged(profile, depths, is_shown, resolution_ns);
  const size_t least = options.max_lanes * (kMaxDepth + 1);
  while (blocks.size() > std::max(options.max_rows, least) && resolution_ns < INT64_MAX / 4) {
    resolution_ns = resolution_ns == 0 ? 16 : resolution_ns * 2;
    blocks = Merged(profile, depths, is_shown, resolution_ns);
  }
  if (resolution_ns > 0) {
    const size_t num_merged = std::accumulate(
        blocks.begin(), blocks.end(), size_t{0},
        [](size_t sum, const Block& block) { return sum + (block.count > 1 ? block.count : 0); });
    table.doubts.push_back(StrCat(num_merged, " of ", profile.events().size(),
                                  " events, each shorter than ", resolution_ns,
                                  " ns, are merged with those beside them"));
  }
  for (const Block& block : blocks) {
    table.rows.push_back(TimelineRow(overview, block, depths[block.event]));
  }
  return table;
}

bool IsBusy(RecordKind kind) {
  return kind == RecordKind::kScope || kind == RecordKind::kCopy || kind == RecordKind::kAllocation;
}

Table ThreadsTable(const Overview& overview) {
  const Profile& profile = overview.profile;
  Table table{.id = "timeline-threads", .title = "Threads and streams"};
  table.columns = {
      TextColumn("thread"), IntegerColumn("events"),
      RealColumn("busy", "ms",
                 "the union of its scopes, copies and allocations, without the stalls in them"),
      ShareColumn("busy share", kSpanBase)};
  table.num_shown = 20;
  std::vector<std::vector<Interval>> busy(profile.tracks().size()), stalled(busy.size());
  for (const Event& event : profile.events()) {
    const RecordKind kind = profile.TypeOf(event).kind;
    if (IsBusy(kind)) busy[event.track].push_back({event.begin_ns, event.end_ns});
    if (kind == RecordKind::kStall) stalled[event.track].push_back({event.begin_ns, event.end_ns});
  }
  const double span = overview.span_ms();
  for (size_t lane = 0; lane < busy.size(); ++lane) {
    if (overview.num_of_lane[lane] == 0) continue;
    const double busy_ms = Milliseconds(
        Difference(IntervalSet(std::move(busy[lane])), IntervalSet(std::move(stalled[lane])))
            .length());
    table.rows.push_back({overview.lane_names[lane], IntegerCell(overview.num_of_lane[lane]),
                          busy_ms, ShareCell(busy_ms, span)});
  }
  return table;
}

Table TypesTable(const Overview& overview) {
  const Profile& profile = overview.profile;
  Table table{.id = "timeline-types", .title = "Types of events"};
  table.columns = {TextColumn("type"),
                   TextColumn("level"),
                   TextColumn("kind"),
                   IntegerColumn("events"),
                   RealColumn("covered", "ms",
                              "how long at least one of them ran: the union of all, on any thread"),
                   ShareColumn("covered share", kSpanBase),
                   RealColumn("longest", "ms")};
  table.num_shown = 20;
  std::vector<std::vector<Interval>> intervals(profile.types().size());
  std::vector<size_t> order;
  for (const Event& event : profile.events()) {
    if (intervals[event.type].empty()) order.push_back(event.type);
    intervals[event.type].push_back({event.begin_ns, event.end_ns});
  }
  std::ranges::stable_sort(order, {}, [&](size_t type) {
    return std::pair(profile.types()[type].level, std::string_view(profile.types()[type].name));
  });
  const double span = overview.span_ms();
  for (size_t number : order) {
    const EventType& type = profile.types()[number];
    int64_t longest = 0;
    for (const Interval& interval : intervals[number]) {
      longest = std::max(longest, Length(interval.begin, interval.end));
    }
    const size_t count = intervals[number].size();
    const double covered = Milliseconds(IntervalSet(std::move(intervals[number])).length());
    table.rows.push_back({type.name, std::string(NameOf(type.level)),
                          std::string(NameOf(type.kind)), IntegerCell(count), covered,
                          ShareCell(covered, span), Milliseconds(longest)});
  }
  return table;
}

Table LongestTable(const Overview& overview, size_t num_longest) {
  const Profile& profile = overview.profile;
  Table table{.id = "timeline-longest", .title = "Longest events of each level"};
  table.columns = {TextColumn("level"),
                   TextColumn("event"),
                   TextColumn("type"),
                   TextColumn("thread"),
                   RealColumn("begin", "ms", "since the first event of the profile"),
                   RealColumn("duration", "ms")};
  table.num_shown = 24;
  std::array<std::vector<uint32_t>, kNumLevels> by_level;
  for (uint32_t i = 0; i < profile.events().size(); ++i) {
    const Event& event = profile.events()[i];
    if (Length(event) == 0) continue;
    by_level[static_cast<size_t>(profile.TypeOf(event).level)].push_back(i);
  }
  for (std::vector<uint32_t>& events : by_level) {
    const size_t count = std::min(num_longest, events.size());
    std::partial_sort(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(count),
                      events.end(), [&](uint32_t a, uint32_t b) {
                        const int64_t x = Length(profile.events()[a]);
                        const int64_t y = Length(profile.events()[b]);
                        return x != y ? x > y : a < b;
                      });
    events.resize(count);
    for (uint32_t i : events) {
      const Event& event = profile.events()[i];
      const EventType& type = profile.TypeOf(event);
      table.rows.push_back({std::string(NameOf(type.level)), std::string(profile.NameOf(event)),
                            type.name, overview.lane_names[event.track],
                            overview.Since(event.begin_ns), Milliseconds(Length(event))});
    }
  }
  return table;
}

Table ProblemsTable(const Profile& profile) {
  Table table{.id = "timeline-problems", .title = "Problems of the profile"};
  table.columns = {TextColumn("problem"), IntegerColumn("count"), TextColumn("what")};
  for (const Problem& problem : profile.problems()) {
    table.rows.push_back({std::string(ProblemName(problem.kind)),
                          problem.count > 0 ? Cell(static_cast<int64_t>(problem.count)) : Cell(),
                          problem.text});
  }
  return table;
}

}  // namespace

Section TimelineSection(const Profile& profile, const TimelineOptions& options) {
  const Overview overview(profile);
  Section section{.id = "timeline", .title = "Timeline"};
  section.text =
      "What ran when, on which thread or stream. Short events beside each other are drawn as one; "
      "zoom in to see them apart.";
  section.facts.emplace_back("events", StrCat(profile.events().size()));
  if (profile.events().empty()) {
    section.text = "The profile has no events.";
  } else {
    section.facts.emplace_back("from the first to the last",
                               CellText(overview.span_ms(), {.name = "", .unit = "ms"}));
  }
  const auto is_used = [](size_t count) { return count > 0; };
  section.facts.emplace_back("threads and streams",
                             StrCat(std::ranges::count_if(overview.num_of_lane, is_used)));
  if (!profile.Property(property::kLevel).empty()) {
    section.facts.emplace_back("recorded to level",
                               std::string(profile.Property(property::kLevel)));
  }
  if (!profile.problems().empty()) {
    section.facts.emplace_back("problems", StrCat(profile.problems().size()));
    section.tables.push_back(ProblemsTable(profile));
  }
  if (profile.events().empty()) return section;
  section.tables.push_back(TimelineTable(overview, options));
  section.tables.push_back(ThreadsTable(overview));
  section.tables.push_back(TypesTable(overview));
  section.tables.push_back(LongestTable(overview, options.num_longest));
  section.charts.push_back({.kind = Chart::Kind::kIntervals,
                            .title = "Events by thread",
                            .table = "timeline",
                            .x = "begin",
                            .y = "thread",
                            .group = "level",
                            .size = "depth",
                            .until = "end",
                            .more = {"event", "events"}});
  section.charts.push_back({.kind = Chart::Kind::kBars,
                            .title = "How busy threads and streams are",
                            .table = "timeline-threads",
                            .x = "thread",
                            .y = "busy share"});
  return section;
}

}  // namespace tfrt::profiler
